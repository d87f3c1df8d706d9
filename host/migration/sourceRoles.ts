// The roles of the accounts on the old contract. The new one must give nobody a role that the old one had taken away,
// and take none from a party whose key is elsewhere.
import { callView } from '../../chain/callView.ts';
import { ANY_NODE, decodeBytes, refuseAnswer } from '../../chain/jsonRpc/decodeAnswer.ts';
import { toQuantity } from '../../chain/jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import type { RpcLog } from '../../chain/recordLog.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { SourceLedger } from './sourceLedger.ts';

/** The accounts of a tenant that this installation has the keys of. */
export interface OwnAccounts {
  readonly administrator: Hex;
  readonly author: Hex;
}

const NOBODY: Hex = `0x${'00'.repeat(20)}`;
/** ERC-173 `owner()`, and `pendingOwner()` of a hand-over in two steps. */
const OWNER = '0x8da5cb5b';
const PENDING_OWNER = '0xe30c3978';
const ADDRESS_DIGITS = 40;
const PAGE_BLOCKS = 10_000;

const readAddress = async ({ request, contract }: SourceLedger, data: string): Promise<Hex> => {
  const word = decodeBytes(ANY_NODE, await request('eth_call', [{ to: contract, data }, 'latest']), 'an address');
  return `0x${word.slice(-ADDRESS_DIGITS)}`;
};

const viewAddress = async ({ request, contract }: SourceLedger, name: string, tenantKey: Hex): Promise<Hex> => {
  const [address] = await callView(request, contract, { name, args: [tenantKey] });
  return String(address).toLowerCase() as Hex;
};

const readEvents = async ({ request, contract, head }: SourceLedger, tenantKey: Hex): Promise<RpcLog[]> => {
  const names = ['WriterAdded', 'WriterRemoved'].map((name) => ledgerInterface.getEvent(name)!.topicHash);
  const found: RpcLog[] = [];
  for (let from = 0; from <= head.number; from += PAGE_BLOCKS) {
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(Math.min(from + PAGE_BLOCKS - 1, head.number)) };
    const filter = { address: contract, topics: [names, tenantKey], ...range };
    const logs = await request('eth_getLogs', [filter]);
    if (!Array.isArray(logs)) throw refuseAnswer(ANY_NODE, 'no list of logs');
    found.push(...(logs as RpcLog[]));
  }
  return found;
};

/** Addresses of a tenant's writers, in the order in which they were added. */
const readWriters = async (source: SourceLedger, tenantKey: Hex): Promise<Set<Hex>> => {
  const added = ledgerInterface.getEvent('WriterAdded')!.topicHash;
  const writers = new Set<Hex>();
  for (const { topics } of await readEvents(source, tenantKey)) {
    const account: Hex = `0x${topics[2]!.slice(-ADDRESS_DIGITS)}`;
    if (topics[0] === added) writers.add(account);
    else writers.delete(account);
  }
  return writers;
};

const assertSame = (found: Hex, own: Hex, role: string): void => {
  if (found === own) return;
  throw new Error(
    `${role} is ${found} on the old contract, and keys/ has the key of ${own}: only its owner could hand it over`,
  );
};

const assertNoHandOver = (successor: Hex, role: string): void => {
  if (successor === NOBODY) return;
  throw new Error(`${role} is being handed over to ${successor}; complete or cancel that with version 0.1 first`);
};

/** @throws Error unless the account administers the old ledger, and hands that over to nobody. */
export const assertLedgerAdministrator = async (source: SourceLedger, own: Hex): Promise<void> => {
  assertSame(await readAddress(source, OWNER), own, 'the administrator of the ledger');
  assertNoHandOver(await readAddress(source, PENDING_OWNER), 'the administration of the ledger');
};

/**
 * The writers of a tenant besides this installation's author.
 * @throws Error unless the accounts are the tenant's administrator and one of its writers, and nothing is handed over.
 */
export const readOtherWriters = async (source: SourceLedger, tenantKey: Hex, own: OwnAccounts): Promise<Hex[]> => {
  const role = `the administrator of the tenant with the key ${tenantKey}`;
  assertSame(await viewAddress(source, 'administratorOf', tenantKey), own.administrator, role);
  assertNoHandOver(await viewAddress(source, 'successorOf', tenantKey), role);
  const writers = await readWriters(source, tenantKey);
  if (writers.delete(own.author)) return [...writers];
  throw new Error(
    `the tenant with the key ${tenantKey} has removed ${own.author}, the author that this installation has the key of`,
  );
};
