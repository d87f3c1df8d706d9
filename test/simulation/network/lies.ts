// All lies of nodes, by their names.
import { ACCOUNT_LIES, BLOCK_LIES } from './blockLies.ts';
import type { Lie } from './lie.ts';
import { LOG_LIES, RECEIPT_LIES, SUBMISSION_LIES } from './recordLies.ts';

/** All lies by their names. */
export const LIES: Readonly<Record<string, Lie>> = {
  ...LOG_LIES,
  ...RECEIPT_LIES,
  ...BLOCK_LIES,
  ...ACCOUNT_LIES,
  ...SUBMISSION_LIES,
};
