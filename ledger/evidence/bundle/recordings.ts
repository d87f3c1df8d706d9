// What an answer says of the records of checkpoints on other ledgers.
import { toHex } from '../../encoding/hex.ts';
import type { HashedElsewhere } from './provenParts.ts';
import { describeTime } from './times.ts';

const MS_PER_SECOND = 1_000;

/** A proven record of a checkpoint on another ledger. */
export interface Recording extends Pick<HashedElsewhere, 'ledger' | 'block'> {
  /** Keys of its tenant and its stream there, 32 bytes each. */
  readonly tenant: Uint8Array;
  readonly stream: Uint8Array;
}

/** A block and the known records of checkpoints with it. */
export interface RecordedBlock {
  readonly number: number;
  readonly recordings: readonly Recording[];
}

const describe = ({ ledger, block, tenant, stream }: Recording): string =>
  `in block ${block.number} (${describeTime(MS_PER_SECOND * block.timeSeconds)}) of chain ${ledger.chainId}, contract ` +
  `${toHex(ledger.contract)}, with the tenant key ${toHex(tenant)} and the stream key ${toHex(stream)}`;

/** In which blocks of which other ledgers, and in which streams there, the blocks are recorded. */
export const describeRecordings = (blocks: readonly RecordedBlock[]): string => {
  const numbers = new Map<string, Set<number>>();
  for (const { number, recordings } of blocks) {
    for (const text of recordings.map(describe)) numbers.set(text, (numbers.get(text) ?? new Set()).add(number));
  }
  return [...numbers].map(([text, found]) => `block ${[...found].join(', ')} is recorded ${text}`).join('; ');
};
