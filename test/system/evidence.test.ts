// Evidence files of a ledger on the embedded chain. evidence.long.test.ts has them on a network.
import { EMBEDDED } from '../support/chainKinds.ts';
import { describeEvidence } from './evidence.facts.ts';

describeEvidence(EMBEDDED);
