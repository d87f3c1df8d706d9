// The state of a simulated chain after a block: accounts, and the storage of every ledger contract.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { createLayeredMap, type Draft, type LayeredMap, type Store } from './layeredMap.ts';

/** An account; one that has no entry has nonce 0 and no balance. */
export interface Account {
  readonly nonce: number;
  /** Wei. */
  readonly balance: bigint;
  /** Undefined for an externally owned account. */
  readonly code: Code | undefined;
}

/** Code at an address. Only the ledger contract's is executed: calls of other code succeed and do nothing. */
export interface Code {
  readonly bytes: Hex;
  readonly isLedger: boolean;
}

/** The contract's `Link`: a record's hash and sequence, or a stream's head and count. */
export interface Link {
  /** 28 bytes. */
  readonly hash: Uint8Array;
  readonly sequence: number;
}

type Parts<Kind extends { account: unknown; role: unknown; link: unknown }> = {
  /** By lower-case address. */
  readonly accounts: Kind['account'];
  /** Holders of roles in ledger contracts, by contract, tenant and role. */
  readonly roles: Kind['role'];
  /** Records and streams of ledger contracts, by contract, tenant and key. */
  readonly links: Kind['link'];
};

/** State that a transaction reads and changes. */
export type StateStore = Parts<{ account: Store<Account>; role: Store<Hex>; link: Store<Link> }>;
/** Changes of one transaction. */
export type StateDraft = Parts<{ account: Draft<Account>; role: Draft<Hex>; link: Draft<Link> }>;
/** The state after a block. */
export type ChainState = Parts<{ account: LayeredMap<Account>; role: LayeredMap<Hex>; link: LayeredMap<Link> }>;

const NO_ACCOUNT: Account = { nonce: 0, balance: 0n, code: undefined };

/** The state without accounts. */
export const createState = (): ChainState => ({
  accounts: createLayeredMap(),
  roles: createLayeredMap(),
  links: createLayeredMap(),
});

/** A copy with changes of its own. From now on the state that was copied must not change. */
export const forkState = ({ accounts, roles, links }: ChainState): ChainState => ({
  accounts: accounts.fork(),
  roles: roles.fork(),
  links: links.fork(),
});

/** No changes yet on top of a state. */
export const draftState = ({ accounts, roles, links }: ChainState): StateDraft => ({
  accounts: accounts.draft(),
  roles: roles.draft(),
  links: links.draft(),
});

/** Makes the changes in the state below. */
export const commitDraft = ({ accounts, roles, links }: StateDraft): void => {
  accounts.commit();
  roles.commit();
  links.commit();
};

/** The account at an address. */
export const readAccount = ({ accounts }: StateStore, address: Hex): Account => accounts.get(address) ?? NO_ACCOUNT;

/** Adds wei to an account's balance; a negative amount is taken from it. */
export const addBalance = (state: StateStore, address: Hex, amount: bigint): void => {
  if (amount === 0n) return;
  const account = readAccount(state, address);
  state.accounts.set(address, { ...account, balance: account.balance + amount });
};
