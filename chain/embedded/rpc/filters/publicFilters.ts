// The filters of third parties: what each one looks for, and the first block that it hasn't answered for. No log is
// kept: what is new is read from the chain when it is asked for.
import { randomBytes } from 'node:crypto';
import { toHex } from '../../../../ledger/encoding/hex.ts';
import { RPC_CODE, RpcError, refuseParams } from '../../../jsonRpc/rpcError.ts';
import { createSerialQueue } from '../../../writing/serialQueue.ts';
import type { LogFilter } from '../fetchPublicLogs.ts';

/** A filter. */
export interface PublicFilter {
  /** The logs that it answers with; undefined: the hashes of new blocks. */
  readonly logs: LogFilter | undefined;
  /** Number of the first block that it hasn't answered for. */
  next: number;
  /** Runs its answers one after the other, so that no block is answered for twice. */
  readonly runSerially: ReturnType<typeof createSerialQueue>;
}

/** Bounds of the filters of a port. A filter counts once for each KiB of its JSON that has begun. */
export interface FilterLimits {
  readonly max: number;
  /** Of these, those of one client. */
  readonly ofPartyMax: number;
  /** Milliseconds without a request after which a filter gives its place to a new one. */
  readonly idleMs: number;
}

/** The filters of a port. */
export interface PublicFilters {
  /**
   * Adds a filter that answers from the block `next` on. Returns its id, which nobody can guess.
   * @throws RpcError LIMIT_EXCEEDED when the client, or all clients together, have as many as they may.
   */
  add(party: string, logs: LogFilter | undefined, next: number): string;
  /** @throws RpcError INVALID_PARAMS for what is no id, REFUSED for the id of no filter. */
  find(id: unknown): PublicFilter;
  /** Whether there was a filter of this id. @throws RpcError INVALID_PARAMS for what is no id. */
  remove(id: unknown): boolean;
}

/** The bounds of the embedded chain's port. */
export const FILTER_LIMITS: FilterLimits = { max: 4_000, ofPartyMax: 1_000, idleMs: 5 * 60_000 };

interface Held {
  readonly filter: PublicFilter;
  readonly party: string;
  readonly weight: number;
  usedMs: number;
}

const ID_BYTES = 16;
const WEIGHT_CHARACTERS = 1_024;

const weigh = (logs: LogFilter | undefined): number =>
  1 + Math.floor(JSON.stringify(logs ?? {}).length / WEIGHT_CHARACTERS);

const refuse = (whose: string, max: number): RpcError => {
  const message =
    `${whose} has ${max} filters, and can't have more: uninstall some, or read the logs with eth_getLogs. ` +
    'A filter of more than 1 KiB counts as several';
  return new RpcError(RPC_CODE.LIMIT_EXCEEDED, message, { filtersMax: max });
};

const decodeId = (id: unknown): string => {
  if (typeof id !== 'string') throw refuseParams('the id of a filter is a text');
  return id.toLowerCase();
};

/** Creates a place for filters. `now` is in monotonic milliseconds. */
export const createPublicFilters = (limits: FilterLimits, now: () => number): PublicFilters => {
  const filters = new Map<string, Held>();
  const ofParties = new Map<string, number>();
  let total = 0;

  const count = (party: string, weight: number): void => {
    const ofParty = (ofParties.get(party) ?? 0) + weight;
    if (ofParty === 0) ofParties.delete(party);
    else ofParties.set(party, ofParty);
    total += weight;
  };
  const drop = (id: string): boolean => {
    const held = filters.get(id);
    if (held !== undefined) count(held.party, -held.weight);
    return filters.delete(id);
  };
  const dropIdle = (): void => {
    const since = now() - limits.idleMs;
    for (const [id, { usedMs }] of filters) if (usedMs < since) drop(id);
  };
  const findRefusal = (party: string, weight: number): RpcError | undefined => {
    if ((ofParties.get(party) ?? 0) + weight > limits.ofPartyMax) return refuse('the client', limits.ofPartyMax);
    return total + weight > limits.max ? refuse('the port', limits.max) : undefined;
  };

  return {
    add: (party, logs, next) => {
      const weight = weigh(logs);
      if (findRefusal(party, weight) !== undefined) dropIdle();
      const refusal = findRefusal(party, weight);
      if (refusal !== undefined) throw refusal;
      const id = toHex(randomBytes(ID_BYTES));
      filters.set(id, { filter: { logs, next, runSerially: createSerialQueue() }, party, weight, usedMs: now() });
      count(party, weight);
      return id;
    },
    find: (id) => {
      const held = filters.get(decodeId(id));
      // In the words of geth, after which clients create the filter again.
      if (held === undefined) throw new RpcError(RPC_CODE.REFUSED, 'filter not found');
      held.usedMs = now();
      return held.filter;
    },
    remove: (id) => drop(decodeId(id)),
  };
};
