// Keeps one transaction on the chain. A failed call proves nothing about its effect: the transaction is looked up, and
// the same bytes are sent again. The same happens when its block is replaced by another; if its account can no longer
// pay for its bid then, it gets the price of now. When blocks pass without it, either its bid is too low, or an earlier
// nonce of its account is missing.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import {
  fetchReceipt,
  fetchTransactionCount,
  isTransactionKnown,
  type TransactionReceipt,
  toTransactionHash,
} from '../jsonRpc/chainQueries.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../jsonRpc/rpcError.ts';
import type { SubmitOptions } from '../port.ts';
import { NodeRefusal, type NodeSet } from './nodeSet.ts';
import { readRefusal } from './submissionRefusal.ts';

/** Keeps one transaction on the chain. */
export interface TransactionKeeper {
  /** Hashes of all its versions: any of them may be mined. */
  readonly hashes: readonly Hex[];
  /**
   * One attempt: looks for a receipt, and sends the transaction where that is due. Rejects with TRANSACTION_REFUSED
   * when the chain will never include the transaction as it is, RELAYER_UNFUNDED when the account can't pay for it.
   */
  attempt(): Promise<FoundReceipt | undefined>;
}

/** A receipt, and the node that gave it, whose word it is. */
export interface FoundReceipt extends TransactionReceipt {
  readonly client: JsonRpcClient;
}

/** A signed transaction with its account and nonce. */
export interface SignedTransaction {
  readonly raw: Uint8Array;
  readonly from: Hex;
  readonly nonce: number;
}

interface Version {
  readonly hash: Hex;
  readonly raw: Uint8Array;
}

/** A transaction and the ones that it replaced, all with the same nonce: any of them may be mined. */
interface Pending {
  readonly from: Hex;
  readonly nonce: number;
  /** Newest first. */
  readonly versions: Version[];
}

/** Blocks without the transaction after which its bid counts as too low, or a nonce before it as missing. */
const BLOCKS_UNTIL_STUCK = 3;
const RESEND_MS = 5_000;
/** Milliseconds after which a nonce counts as missing although no block was made: some chains make no empty blocks. */
const GAP_MS = 30_000;
/** Versions of a transaction besides the first one. */
const VERSIONS_MAX = 10;

const toVersion = (raw: Uint8Array): Version => ({ hash: toTransactionHash(raw), raw });

/** TRANSACTION_REFUSED with a reason. */
const refuse = (message: string, cause?: unknown): LedgerError =>
  new LedgerError('TRANSACTION_REFUSED', { message, cause });

// Only its own words tell a minimum that its operator has set from a price that has risen.
const refuseCheap = ({ name }: JsonRpcClient, error: RpcError): LedgerError =>
  refuse(
    `${name} refuses each bid as too low: ${error.message}. It may demand more than the price that it names (eth_gasPrice), or have another transaction of this nonce`,
    error,
  );

const findReceipt = async (client: JsonRpcClient, { versions }: Pending): Promise<FoundReceipt | undefined> => {
  for (const { hash } of versions) {
    const receipt = await fetchReceipt(client, hash);
    if (receipt !== undefined) return { ...receipt, client };
  }
  return undefined;
};

/** Undefined: the node has it. */
type TooCheap = RpcError | undefined;

// The meaning of a node's error shows in its state: it has the receipt, the transaction, or another one with this
// nonce.
const explainRefusal = async (client: JsonRpcClient, pending: Pending, error: RpcError): Promise<TooCheap> => {
  if ((await findReceipt(client, pending)) !== undefined) return undefined;
  if (await isTransactionKnown(client, pending.versions[0]!.hash)) return undefined;
  if ((await fetchTransactionCount(client, pending.from)) > pending.nonce) {
    // It may have been mined between the two queries.
    if ((await findReceipt(client, pending)) !== undefined) return undefined;
    throw refuse(`another transaction of ${pending.from} has the nonce ${pending.nonce}`, error);
  }
  const reason = readRefusal(error.message);
  if (reason === 'tooCheap') return error;
  if (reason === 'unfunded') {
    const message = `${pending.from}: ${error.message}`;
    throw new NodeRefusal(new LedgerError('RELAYER_UNFUNDED', { message, cause: error }));
  }
  throw new NodeRefusal(refuse(`${client.name} refuses the transaction: ${error.message}`, error));
};

const isUnfunded = (error: unknown): boolean =>
  error instanceof NodeRefusal && error.cause instanceof LedgerError && error.cause.code === 'RELAYER_UNFUNDED';

const sendNewest = async (client: JsonRpcClient, pending: Pending): Promise<TooCheap> => {
  try {
    await client.request('eth_sendRawTransaction', [toHex(pending.versions[0]!.raw)]);
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return explainRefusal(client, pending, error);
  }
};

// Its bid may be that of a node that lied about prices.
const sendAffordable = async (
  client: JsonRpcClient,
  pending: Pending,
  reprice: () => Promise<boolean>,
): Promise<TooCheap> => {
  try {
    return await sendNewest(client, pending);
  } catch (error) {
    if (!isUnfunded(error) || !(await reprice())) throw error;
    return sendNewest(client, pending);
  }
};

/** Options of a keeper. */
export interface TransactionKeeperOptions {
  readonly nodes: NodeSet;
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs: () => number;
}

// Decides whether the transaction waits behind a nonce that no transaction will take. One count may be wrong: a node
// lags, or the missing transaction is on its way. So the gap must last.
const createGapWatch = ({ nodes, elapsedMs }: TransactionKeeperOptions, { isBehindGap }: SubmitOptions) => {
  let since: { readonly ms: number; readonly block: number } | undefined;
  return (count: number): boolean => {
    if (isBehindGap?.(count) !== true) {
      since = undefined;
      return false;
    }
    since ??= { ms: elapsedMs(), block: nodes.headNumber };
    const lastedMs = elapsedMs() - since.ms;
    const hasLasted = lastedMs >= RESEND_MS && nodes.headNumber - since.block >= BLOCKS_UNTIL_STUCK;
    return hasLasted || lastedMs >= GAP_MS;
  };
};

/** A keeper of a transaction that was not sent yet. */
export const createTransactionKeeper = (
  options: TransactionKeeperOptions,
  { raw, from, nonce }: SignedTransaction,
  submitOptions: SubmitOptions,
): TransactionKeeper => {
  const { nodes, elapsedMs } = options;
  const pending: Pending = { from, nonce, versions: [toVersion(raw)] };
  const isGapLasting = createGapWatch(options, submitOptions);
  let isNew = true;
  // Undefined: it must be sent.
  let sentAtMs: number | undefined;
  // The newest block when the current bid was first sent, and when the transaction was last examined.
  let bidAtBlock: number | undefined;
  let examinedAtBlock = 0;

  const change = async (make: SubmitOptions['replace']): Promise<boolean> => {
    const changed = pending.versions.length > VERSIONS_MAX ? undefined : await make?.();
    if (changed === undefined) return false;
    pending.versions.unshift(toVersion(changed));
    bidAtBlock = undefined;
    return true;
  };
  const raise = (): Promise<boolean> => change(submitOptions.replace);
  const reprice = (): Promise<boolean> => change(submitOptions.reprice);
  const send = async (client: JsonRpcClient): Promise<void> => {
    sentAtMs = undefined;
    for (let error = await sendAffordable(client, pending, reprice); error !== undefined; ) {
      if (!(await raise())) throw new NodeRefusal(refuseCheap(client, error));
      error = await sendAffordable(client, pending, reprice);
    }
    submitOptions.onSent?.();
    sentAtMs = elapsedMs();
    bidAtBlock ??= nodes.headNumber;
    examinedAtBlock = nodes.headNumber;
  };
  // A node may have claimed a head that is too high.
  const blocksSince = (block: number): number => (nodes.headNumber < block ? Infinity : nodes.headNumber - block);
  const isDue = (ms: number): boolean => elapsedMs() >= ms + RESEND_MS;
  const examine = async (client: JsonRpcClient, lastSentMs: number): Promise<void> => {
    examinedAtBlock = nodes.headNumber;
    const count = await fetchTransactionCount(client, from);
    if (isGapLasting(count))
      throw refuse(`the transaction with the nonce ${nonce} waits for one before it that does not exist`);
    const isStuck = count === nonce && bidAtBlock !== undefined && blocksSince(bidAtBlock) >= BLOCKS_UNTIL_STUCK;
    // A node that has dropped it gets it again: later ones of its account wait for it.
    if (isStuck) await raise();
    if (isStuck || isDue(lastSentMs)) await send(client);
  };

  return {
    get hashes() {
      return pending.versions.map(({ hash }) => hash);
    },
    attempt: () =>
      nodes.use(async (client) => {
        const found = isNew ? undefined : await findReceipt(client, pending);
        isNew = false;
        if (found !== undefined) {
          // When a reorg removes it, it is sent at once, and its bid counts from then on.
          sentAtMs = undefined;
          bidAtBlock = undefined;
          return found;
        }
        if (sentAtMs === undefined) await send(client);
        else if (isDue(sentAtMs) || blocksSince(examinedAtBlock) >= BLOCKS_UNTIL_STUCK) await examine(client, sentAtMs);
        else return undefined;
        return findReceipt(client, pending);
      }),
  };
};
