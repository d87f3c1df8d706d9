// Verdicts of a ledger on a network as evidence.
import { EXTERNAL } from '../support/chainKinds.ts';
import { describeVerdictEvidence } from './verdictEvidence.facts.ts';

describeVerdictEvidence(EXTERNAL);
