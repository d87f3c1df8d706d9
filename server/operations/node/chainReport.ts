// The wire form of the chain's progress: the newest block and its age, and a stall.
import type { ChainProgress, NodeReport } from '../../../chain/port.ts';
import { toBlockTimestamp } from '../../../ledger/encoding/timestamp.ts';
import type { components } from '../../openapi/api.gen.ts';
import { toValidatorKeyJson } from './validatorKeyJson.ts';

type Schemas = components['schemas'];

/** 9999-12-31T23:59:59Z: RFC 3339 has no later time. */
const TIMESTAMP_MAX = 253_402_300_799;

// Without a progress, as on the embedded chain, the newest block of the first node of the highest ones counts.
const findHead = ({ progress, nodes }: NodeReport): ChainProgress['head'] => {
  if (progress?.head !== undefined) return progress.head;
  const statuses = nodes.map(({ status }) => status).filter((status) => status !== undefined);
  const [highest] = statuses.toSorted((a, b) => b.height - a.height);
  return highest && { number: highest.height, timestampSeconds: highest.headAtSeconds };
};

const toBlockJson = ({ number, timestampSeconds }: NonNullable<ChainProgress['head']>) => ({
  block_height: String(number),
  timestamp_committed: toBlockTimestamp(Math.min(timestampSeconds, TIMESTAMP_MAX)),
});

/** A block and its age. `nowMs` is in milliseconds since the epoch. */
export const toHeadJson = (
  { number, timestampSeconds }: NonNullable<ChainProgress['head']>,
  nowMs: number,
): Schemas['ChainHead'] => {
  const seconds = Math.min(timestampSeconds, TIMESTAMP_MAX);
  // Clocks differ, so a block may be one of the future.
  const age = Math.max(0, Math.floor(nowMs / 1_000) - seconds);
  return { block_height: String(number), timestamp_committed: toBlockTimestamp(seconds), age_seconds: age };
};

/** The newest block of the chain; null when no node was reached. */
export const toReportedHeadJson = (report: NodeReport): Schemas['ChainHead'] | null => {
  const head = findHead(report);
  return head === undefined ? null : toHeadJson(head, report.atMs);
};

/** The validators of a chain; null where its headers don't show them. */
export const toValidatorsJson = ({ validators }: ChainProgress): Schemas['ChainValidators'] | null => {
  if (validators === undefined) return null;
  const all = validators.all.map(({ address, key, lastSealed, isSilent }) => ({
    address,
    validator_pubkey: toValidatorKeyJson(key),
    last_sealed: lastSealed === undefined ? null : toBlockJson(lastSealed),
    silent: isSilent,
  }));
  return { engine: validators.engine, needed: validators.needed ?? null, validators: all };
};

/** The stall of a chain; null while there is none. */
export const toStallJson = ({ stall, validators }: ChainProgress): Schemas['ChainStall'] | null => {
  if (stall === undefined) return null;
  const silent = (validators?.all ?? []).filter(({ isSilent }) => isSilent);
  return {
    code: 'CHAIN_STALLED',
    since: toBlockTimestamp(Math.floor(stall.sinceMs / 1_000)),
    block_height: String(stall.blockNumber),
    reason: stall.reason,
    silent_validators: silent.map(({ address }) => address),
  };
};
