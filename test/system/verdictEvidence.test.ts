// Verdicts of a ledger on the embedded chain as evidence. verdictEvidence.long.test.ts has them on a network.
import { EMBEDDED } from '../support/chainKinds.ts';
import { describeVerdictEvidence } from './verdictEvidence.facts.ts';

describeVerdictEvidence(EMBEDDED);
