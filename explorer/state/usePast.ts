// What of an asset's history a page shows: up to which event, and the newest events until then.
import { useMemo } from 'preact/hooks';
import type { LedgerEvent } from '../api/client.ts';
import { fetchEventRange, type ShownAsset } from '../api/reads.ts';
import type { History } from './useHistory.ts';
import { useLoad } from './useLoad.ts';

/** Whether an event was accepted at or before a time (RFC 3339); undefined: now. */
const isUntil = (event: LedgerEvent, at: string | undefined): boolean =>
  at === undefined || Date.parse(event.timestamp_accepted) <= Date.parse(at);

const listAll = ({ total = 0, get }: History): LedgerEvent[] =>
  Array.from({ length: total }, (_, number) => get(number)).filter((event) => event !== undefined);

/** The events until a time. */
export interface Past {
  /** The number of the last one; -1 if there is none, undefined if it isn't known yet. */
  readonly step: number | undefined;
  /** Newest first: all, or the newest ones. */
  readonly events: readonly LedgerEvent[];
  readonly isCut: boolean;
}

/** The events of a history until a time (RFC 3339); undefined: now. Of a long one, a page of them. */
export const usePast = (asset: ShownAsset, history: History, at: string | undefined): Past => {
  const { total, isComplete, findNumber } = history;
  const isLong = total !== undefined && !isComplete;
  const key = `${asset.uuid} ${asset.isPublic} ${at}`;
  const found = useLoad(`${key} ${isLong}`, isLong && at !== undefined ? () => findNumber(Date.parse(at)) : undefined);
  const before = at === undefined ? {} : { before: new Date(Date.parse(at) + 1).toISOString() };
  const newest = useLoad(`${key} ${isLong}`, isLong ? (signal) => fetchEventRange(asset, before, signal) : undefined);
  const all = useMemo(
    () => (isComplete ? listAll(history).filter((event) => isUntil(event, at)) : []),
    [isComplete, total, at],
  );
  if (!isLong) return { step: all.length - 1, events: all.toReversed(), isCut: false };
  return { step: found.value, events: newest.value?.events ?? [], isCut: (newest.value?.next ?? '') !== '' };
};
