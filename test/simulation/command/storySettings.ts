// The settings of a plan as one sentence.
import { LAST_END } from '../plan/drawPlan.ts';
import type { Plan } from '../plan/plan.ts';

type Describe = (value: number) => string | undefined;

const ENDS: Readonly<Record<number, string>> = {
  [LAST_END.NONE]: 'no end of the server when everything is complete',
  [LAST_END.STOP]: 'a stop when everything is complete',
  [LAST_END.POWER_FAILURE]: 'a power failure when everything is complete',
};

/** Each setting by its name, in the order of the sentence. */
const SETTINGS: Readonly<Record<string, Describe>> = {
  isFirstStart: (value) => (value === 1 ? 'an empty disk' : undefined),
  nodes: (value) => (value === 1 ? '1 node' : `${value} nodes`),
  confirmations: (value) => (value === 0 ? 'finality by the tag finalized' : `${value} confirmations`),
  blockMs: (value) => `a block each ${value} ms`,
  isFree: (value) => (value === 1 ? 'free gas' : 'gas has a price'),
  timeoutMs: (value) => `a timeout of ${value} ms`,
  pollMs: (value) => `a poll each ${value} ms`,
  outboxEntriesMax: (value) => `at most ${value} records in the outbox`,
  batchRecordsMax: (value) => `${value} in a batch`,
  batchBytesMax: (value) => `${value} bytes in a batch`,
  minedBatchesMax: (value) => `${value} mined batches`,
  indexPageBlocks: (value) => `an index that reads ${value} ${value === 1 ? 'block' : 'blocks'} at a time`,
  indexBatchRecords: (value) => `${value} records in one of its writes`,
  replayMs: (value) => (value === 0 ? undefined : `a replay that takes up to ${value} ms for a block`),
  commitWaitMs: (value) => `answers wait up to ${value} ms for commitment`,
  isJournaled: (value) => (value === 1 ? 'a journaled file system' : 'a file system without a journal'),
  lastEnd: (value) => ENDS[value],
};

/** The settings of a plan; empty when it has none. */
export const describeSettings = (settings: Plan['settings']): string =>
  Object.entries(SETTINGS)
    .flatMap(([name, describe]) => (settings[name] === undefined ? [] : [describe(settings[name])]))
    .filter((text) => text !== undefined)
    .join(', ');
