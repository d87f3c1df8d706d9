// Evidence files of a ledger on a network.
import { EXTERNAL } from '../support/chainKinds.ts';
import { describeEvidence } from './evidence.facts.ts';

describeEvidence(EXTERNAL);
