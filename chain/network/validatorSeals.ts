// Who validates a chain, and when each validator last sealed one of its newest blocks. Recovery returns some key for
// any seal, so where validators are known, only theirs count.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toBftQuorum } from '../../ledger/evidence/bftSeals.ts';
import { readHeaderSeals } from '../../ledger/evidence/blockHash.ts';
import { readCliqueSigners } from '../../ledger/evidence/cliqueSeal.ts';
import { toKeyAddress } from '../../ledger/evidence/sealers.ts';
import { recoverPublicKey } from '../nodeReport/consensus/publicKey.ts';
import type { ChainValidators, ValidatorStatus } from '../port.ts';
import type { Engine } from './blockIntervals.ts';
import type { HashedHeader } from './decodeHeader.ts';

/** Seals of one header that are read. */
const SEALS_MAX = 256;
/** In so many blocks for each validator, one that works has proposed or sealed one. */
const SILENT_ROUNDS = 2;

/** What is known of the validators without their seals. */
export interface KnownValidators {
  readonly engine: Engine;
  /** Lower-case addresses that a node names; empty: only headers do. */
  readonly named: readonly Hex[];
  /** Block 0. */
  readonly genesis: HashedHeader;
}

/** Number of validators of so many without which no block is made: of clique's signers, each skips some turns. */
const toNeeded = (engine: Engine, validators: number): number =>
  engine === 'clique' ? Math.floor(validators / 2) + 1 : toBftQuorum(validators);

const findNamed = (headers: readonly HashedHeader[], { engine, named, genesis }: KnownValidators): readonly Hex[] => {
  const newest = headers.at(-1);
  // With a contract of validators, headers name none.
  const ofBlock = newest && (readHeaderSeals(newest.header, newest.rule)?.validators ?? []);
  if (engine !== 'clique' && ofBlock !== undefined && ofBlock.length > 0) return ofBlock;
  if (named.length > 0 || engine !== 'clique') return named;
  const ofEpochs = headers.map(({ header }) => readCliqueSigners(header) ?? []).filter(({ length }) => length > 0);
  return ofEpochs.at(-1) ?? readCliqueSigners(genesis.header) ?? [];
};

interface Sealed {
  readonly key: Uint8Array;
  readonly number: number;
  readonly timestampSeconds: number;
}

/** Reads seals of headers; the keys of a header are recovered once. */
export const createSealReader = () => {
  const recovered = new WeakMap<HashedHeader, ReadonlyMap<Hex, Uint8Array>>();

  const recoverSealers = (block: HashedHeader, engine: Engine): ReadonlyMap<Hex, Uint8Array> => {
    const known = recovered.get(block);
    if (known !== undefined) return known;
    const read = block.number === 0 ? undefined : readHeaderSeals(block.header, engine);
    const keys = (read?.seals ?? []).slice(0, SEALS_MAX).map((seal) => recoverPublicKey(read!.digest, seal));
    const found = new Map(keys.filter((key) => key !== undefined).map((key) => [toKeyAddress(key), key] as const));
    recovered.set(block, found);
    return found;
  };

  // The newest blocks first, until each named validator is found. Recoveries of one header stay in one turn.
  const findSealed = async (
    headers: readonly HashedHeader[],
    engine: Engine,
    named: readonly Hex[],
  ): Promise<Map<Hex, Sealed>> => {
    const found = new Map<Hex, Sealed>();
    for (const block of headers.toReversed()) {
      if (named.length > 0 && found.size === named.length) break;
      if (!recovered.has(block)) await nextTurn();
      for (const [address, key] of recoverSealers(block, engine)) {
        if (found.has(address) || (named.length > 0 && !named.includes(address))) continue;
        found.set(address, { key, number: block.number, timestampSeconds: block.timestampSeconds });
      }
    }
    return found;
  };

  return {
    /** The validators of the chain with these newest headers, in the order in which they are named. */
    read: async (headers: readonly HashedHeader[], known: KnownValidators): Promise<ChainValidators> => {
      const { engine } = known;
      const named = findNamed(headers, known);
      const sealed = await findSealed(headers, engine, named);
      const addresses = named.length > 0 ? named : [...sealed.keys()].toSorted();
      const lately = (headers.at(-1)?.number ?? 0) - SILENT_ROUNDS * addresses.length;
      const all = addresses.map((address): ValidatorStatus => {
        const last = sealed.get(address);
        const lastSealed = last && { number: last.number, timestampSeconds: last.timestampSeconds };
        return { address, key: last?.key, lastSealed, isSilent: (lastSealed?.number ?? 0) <= lately };
      });
      return { engine, all, needed: named.length > 0 ? toNeeded(engine, named.length) : undefined };
    },
  };
};

/** Reads the validators of a chain. */
export type SealReader = ReturnType<typeof createSealReader>;
