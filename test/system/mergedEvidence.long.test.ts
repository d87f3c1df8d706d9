// Evidence about contributions on a network.
import { EXTERNAL } from '../support/chainKinds.ts';
import { describeMergedEvidence } from './mergedEvidence.facts.ts';

describeMergedEvidence(EXTERNAL);
