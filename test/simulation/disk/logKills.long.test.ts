// The block log after kills and power failures, one at each step: the next start finds no damage and every checkpoint
// that was shown, and continues with the same tree.
import { describeKills } from './describeKills.ts';

describeKills('the block log continues', 'runLogKills.ts', 300);
