// Lets the contract log the trees of tenants (`attest`), so that one receipt below a checkpoint proves every record
// before it. Anybody may do that, so a tree that somebody else attested isn't attested again. What is attested already
// is what the index has verified, never the answer of a node.
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { ledgerInterface } from '../ledgerAbi.ts';
import type { TransactionSender } from '../writing/transactionSender.ts';

/** What the contract is to log of a tenant, besides its tree. Keys, and addresses of accounts. */
export interface Attestation {
  readonly tenant: Hex;
  readonly streams: readonly Hex[];
  readonly ids: readonly Hex[];
  readonly accounts: readonly Hex[];
}

/** The attestation of a tenant's tree alone. */
export const attestTree = (tenant: Hex): Attestation => ({ tenant, streams: [], ids: [], accounts: [] });

/** Attests the trees of tenants. */
export interface Attester {
  /**
   * Attests the trees that have records which no attestation covers, and everything that is requested. Resolves when
   * that is final, with the newest block that has an attestation of these tenants; undefined when none is known.
   * @param tenants keys.
   * @param requested each with at most 500 names.
   */
  attest(tenants: readonly Hex[], requested: readonly Attestation[], signal?: AbortSignal): Promise<number | undefined>;
}

/** Streams, records and accounts that one transaction names at most: its receipt is in each evidence file of them. */
const NAMES_PER_TRANSACTION_MAX = 8;
// A tree of a million records needs 20 storage reads and as many hashes, of 2,500 gas together.
const GAS_PER_TRANSACTION = 100_000;
const GAS_PER_TENANT = 150_000;
const GAS_PER_NAME = 10_000;
const countNames = ({ streams, ids, accounts }: Attestation): number => streams.length + ids.length + accounts.length;

const toGasLimit = (attestations: readonly Attestation[]): number =>
  attestations.reduce(
    (gas, attestation) => gas + GAS_PER_TENANT + countNames(attestation) * GAS_PER_NAME,
    GAS_PER_TRANSACTION,
  );

const KINDS = ['streams', 'ids', 'accounts'] as const;

// What is requested of a tenant, without repetitions, in parts of as many names as a transaction may have.
const toParts = (tenant: Hex, attestations: readonly Attestation[]): Attestation[] => {
  const names = KINDS.flatMap((kind) =>
    [...new Set(attestations.flatMap((one) => one[kind]))].map((key) => ({ kind, key })),
  );
  const count = Math.max(1, Math.ceil(names.length / NAMES_PER_TRANSACTION_MAX));
  return Array.from({ length: count }, (_, at) => {
    const part = names.slice(at * NAMES_PER_TRANSACTION_MAX, (at + 1) * NAMES_PER_TRANSACTION_MAX);
    const [streams, ids, accounts] = KINDS.map((kind) => part.filter((one) => one.kind === kind).map(({ key }) => key));
    return { tenant, streams: streams!, ids: ids!, accounts: accounts! };
  });
};

const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** The attestations of each transaction. Names are in a transaction of their tenant alone, whose file shows them. */
const toTransactions = (attestations: readonly Attestation[], tenantsMax: number): Attestation[][] => {
  const byTenant = Map.groupBy(attestations, ({ tenant }) => tenant);
  const parts = [...byTenant].flatMap(([tenant, requested]) => toParts(tenant, requested));
  const named = parts.filter((part) => countNames(part) > 0);
  const trees = parts.filter((part) => countNames(part) === 0);
  return [...inChunks(named, 1), ...inChunks(trees, tenantsMax)];
};

/** What an index has verified of trees. */
export interface IndexedTrees {
  /** Number of records of the tenant. */
  readTreeSize(tenantKey: Uint8Array): Promise<number>;
  /** The newest attestation in a block up to `untilBlock` that an evidence file may have. */
  readAttestedTree(
    tenantKey: Uint8Array,
    untilBlock: number,
  ): Promise<{ readonly size: number; readonly blockNumber: number } | undefined>;
}

/** Attests with transactions of `sender`. */
export const createAttester = (options: {
  trees: IndexedTrees;
  /** Resolves when the index has a block. */
  catchUpTo: (blockNumber: number) => Promise<void>;
  contract: Hex;
  sender: Pick<TransactionSender, 'send' | 'awaitFinal'>;
  /** Trees in one transaction at most: each evidence file shows its receipt, and so their sizes. */
  tenantsPerTransaction: number;
}): Attester => {
  const { trees, catchUpTo, contract, sender, tenantsPerTransaction } = options;

  const readAttested = (tenant: Hex): ReturnType<IndexedTrees['readAttestedTree']> =>
    trees.readAttestedTree(fromHex(tenant), Number.MAX_SAFE_INTEGER);

  const isBehind = async (tenant: Hex): Promise<boolean> =>
    (await trees.readTreeSize(fromHex(tenant))) > ((await readAttested(tenant))?.size ?? 0);

  const send = async (attestations: readonly Attestation[], signal: AbortSignal | undefined): Promise<void> => {
    const args = attestations.map(({ tenant, streams, ids, accounts }) => [tenant, streams, ids, accounts]);
    const data = fromHex(ledgerInterface.encodeFunctionData('attest', [args]));
    const sent = await sender.send({ to: contract, data, gasLimit: toGasLimit(attestations) }, signal);
    const { hash, outcome, blockNumber } = await sender.awaitFinal(sent, signal);
    if (outcome === 'reverted')
      throw new LedgerError('TRANSACTION_REFUSED', { message: `the attestation ${hash} failed` });
    await catchUpTo(blockNumber);
  };

  return {
    attest: async (tenants, requested, signal) => {
      const named = new Set(requested.map(({ tenant }) => tenant));
      const unattested: Attestation[] = [];
      for (const tenant of tenants)
        if (!named.has(tenant) && (await isBehind(tenant))) unattested.push(attestTree(tenant));
      for (const attestations of toTransactions([...requested, ...unattested], tenantsPerTransaction))
        await send(attestations, signal);
      const found = await Promise.all([...tenants, ...named].map(readAttested));
      const blocks = found.flatMap((attested) => attested?.blockNumber ?? []);
      return blocks.length === 0 ? undefined : Math.max(...blocks);
    },
  };
};
