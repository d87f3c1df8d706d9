// Evidence about contributions on the embedded chain. mergedEvidence.long.test.ts has them on a network.
import { EMBEDDED } from '../support/chainKinds.ts';
import { describeMergedEvidence } from './mergedEvidence.facts.ts';

describeMergedEvidence(EMBEDDED);
