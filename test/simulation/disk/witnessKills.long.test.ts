// A witness after kills and power failures, one at each step: the next start knows every checkpoint that it signed.
import { describeKills } from './describeKills.ts';

describeKills('a witness contradicts nothing that it signed', 'runWitnessKills.ts', 40);
