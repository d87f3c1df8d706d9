// Lets the contract log the trees of tenants (`attest`), so that one receipt below a checkpoint proves every record
// before it. Anybody may do that, so a tree that somebody else attested isn't attested again.
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { callView } from '../callView.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../ledgerAbi.ts';
import type { ChainPort } from '../port.ts';
import type { RpcLog } from '../recordLog.ts';
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
/** Newest blocks that are searched for attestations of others, and of this server before its start. */
const SEEN_BLOCKS = 1_000;

const TOPIC = ledgerInterface.getEvent('TenantAttested')!.topicHash;

interface Attested {
  readonly size: number;
  readonly block: number;
}

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

/** The attestations of each transaction, in order. */
const toTransactions = (attestations: readonly Attestation[], tenantsMax: number): Attestation[][] => {
  const byTenant = Map.groupBy(attestations, ({ tenant }) => tenant);
  const parts = [...byTenant].flatMap(([tenant, requested]) => toParts(tenant, requested));
  const transactions: Attestation[][] = [];
  let names = 0;
  for (const part of parts) {
    const current = transactions.at(-1);
    names += countNames(part);
    if (current !== undefined && current.length < tenantsMax && names <= NAMES_PER_TRANSACTION_MAX) {
      current.push(part);
    } else {
      transactions.push([part]);
      names = countNames(part);
    }
  }
  return transactions;
};

/** Attests on a chain, with transactions of `sender`. */
export const createAttester = (options: {
  chain: Pick<ChainPort, 'fetchFinalHead' | 'request'>;
  contract: Hex;
  sender: Pick<TransactionSender, 'send' | 'awaitFinal'>;
  /** Tenants in one transaction at most: each evidence file shows its receipt, and so the sizes of their trees. */
  tenantsPerTransaction: number;
}): Attester => {
  const { chain, contract, sender, tenantsPerTransaction } = options;
  const attested = new Map<Hex, Attested>();

  const see = (logs: readonly RpcLog[]): void => {
    for (const { topics, data, blockNumber } of logs.filter((log) => log.topics[0] === TOPIC)) {
      const { size } = ledgerInterface.decodeEventLog('TenantAttested', data, topics);
      const tenant = topics[1] as Hex;
      const found = { size: Number(size), block: Number(blockNumber) };
      if (found.block > (attested.get(tenant)?.block ?? -1)) attested.set(tenant, found);
    }
  };

  const seeNewest = async (): Promise<void> => {
    const { number: head } = await chain.fetchFinalHead();
    const range = { fromBlock: toQuantity(Math.max(0, head - SEEN_BLOCKS + 1)), toBlock: toQuantity(head) };
    see((await chain.request('eth_getLogs', [{ address: contract, topics: [TOPIC], ...range }])) as RpcLog[]);
  };

  const fetchSize = async (tenant: Hex): Promise<number> =>
    Number((await callView(chain.request, contract, { name: 'treeOf', args: [tenant] }))[0]);

  const findUnattested = async (tenants: readonly Hex[]): Promise<Hex[]> => {
    const sizes = new Map<Hex, number>();
    for (const tenant of tenants) sizes.set(tenant, await fetchSize(tenant));
    const isBehind = (tenant: Hex): boolean => sizes.get(tenant)! > (attested.get(tenant)?.size ?? 0);
    if (tenants.some(isBehind)) await seeNewest();
    return tenants.filter(isBehind);
  };

  const send = async (attestations: readonly Attestation[], signal: AbortSignal | undefined): Promise<void> => {
    const args = attestations.map(({ tenant, streams, ids, accounts }) => [tenant, streams, ids, accounts]);
    const data = fromHex(ledgerInterface.encodeFunctionData('attest', [args]));
    const sent = await sender.send({ to: contract, data, gasLimit: toGasLimit(attestations) }, signal);
    const { hash } = await sender.awaitFinal(sent, signal);
    const receipt = await chain.request('eth_getTransactionReceipt', [hash]);
    const { status, logs } = (receipt ?? {}) as { status?: Hex; logs?: RpcLog[] };
    if (status !== '0x1' || logs === undefined)
      throw new LedgerError('TRANSACTION_REFUSED', { message: `the attestation ${hash} failed` });
    see(logs);
  };

  return {
    attest: async (tenants, requested, signal) => {
      const named = new Set(requested.map(({ tenant }) => tenant));
      const others = (await findUnattested(tenants)).filter((tenant) => !named.has(tenant));
      const trees = others.map(attestTree);
      for (const attestations of toTransactions([...requested, ...trees], tenantsPerTransaction))
        await send(attestations, signal);
      const blocks = [...tenants, ...named].flatMap((tenant) => attested.get(tenant)?.block ?? []);
      return blocks.length === 0 ? undefined : Math.max(...blocks);
    },
  };
};
