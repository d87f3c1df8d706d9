// One execution of the ledger contract's code: what the code reads, changes, emits and costs.
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { toDomainSeparator } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { createBoundedCache } from './boundedCache.ts';
import { type Calldata, createCalldata, Reverted } from './calldata.ts';
import type { Link, StateStore } from './chainState.ts';

/** A log as the contract emits it. */
export interface EmittedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** An execution in progress. */
export interface LedgerCall {
  /** Lower-case address of the contract. */
  readonly contract: Hex;
  /** Lower-case address of the caller. */
  readonly sender: Hex;
  readonly domainSeparator: Uint8Array;
  readonly calldata: Calldata;
  readonly state: StateStore;
  readonly logs: EmittedLog[];
  /** Adds to the gas of the execution. */
  spend(gas: number): void;
  /** Gas spent so far. */
  spent(): number;
}

/** Begins an execution. */
export const createLedgerCall = (options: {
  chainId: number;
  contract: Hex;
  sender: Hex;
  data: Uint8Array;
  state: StateStore;
}): LedgerCall => {
  const { chainId, contract, sender, data, state } = options;
  let spent = 0;
  return {
    contract,
    sender,
    domainSeparator: readDomainSeparator(chainId, contract),
    calldata: createCalldata(data),
    state,
    logs: [],
    spend: (gas) => {
      spent += gas;
    },
    spent: () => spent,
  };
};

const separators = createBoundedCache<Uint8Array>(64);

const readDomainSeparator = (chainId: number, contract: Hex): Uint8Array =>
  separators.get(`${chainId} ${contract}`, () => toDomainSeparator({ chainId, contract: fromHex(contract) }));

/** The zero address: nobody. */
export const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`;

/** The holder of a role; the zero address when there is none. `tenant` is empty for a role in the ledger. */
export const readRole = ({ contract, state }: LedgerCall, tenant: string, role: string): Hex =>
  state.roles.get(`${contract} ${tenant} ${role}`) ?? ZERO_ADDRESS;

/** Gives a role to an account, or with the zero address to nobody. */
export const writeRole = ({ contract, state, spend }: LedgerCall, tenant: string, role: string, holder: Hex): void => {
  spend(GAS.NEW_WORD);
  state.roles.set(`${contract} ${tenant} ${role}`, holder);
};

/** Whether the account may write to the tenant's streams. */
export const isWriter = (call: LedgerCall, tenant: string, account: Hex): boolean =>
  readRole(call, tenant, `writer ${account}`) !== ZERO_ADDRESS;

/** Which of a tenant's two mappings of links. */
export type LinkKind = 'record' | 'stream';

/** The link of a key; undefined when there is none. */
export const readLink = (call: LedgerCall, kind: LinkKind, tenant: string, key: string): Link | undefined =>
  call.state.links.get(`${call.contract} ${tenant} ${kind} ${key}`);

/** Stores a link. */
export const writeLink = (call: LedgerCall, kind: LinkKind, tenant: string, key: string, link: Link): void => {
  call.state.links.set(`${call.contract} ${tenant} ${kind} ${key}`, link);
};

/** Gas of the parts of an execution, near to what docs/measurements/gas.md has. */
export const GAS = {
  CALL: 2_600,
  NEW_WORD: 22_100,
  CHANGED_WORD: 5_000,
  LOG: 1_900,
  DATA_BYTE: 8,
  RECORD: 6_000,
  PAYLOAD_WORD: 36,
  SIGNATURE: 10_000,
} as const;

const toTopic = (event: string): Hex => ledgerInterface.getEvent(event)!.topicHash as Hex;

const createTopics = <Name extends string>(names: readonly Name[]): Readonly<Record<Name, Hex>> =>
  Object.fromEntries(names.map((name) => [name, toTopic(name)])) as Record<Name, Hex>;

/** First topics of the contract's events. */
export const TOPICS = {
  ...createTopics([
    'RecordAppended',
    'TenantAdmitted',
    'TenantAdministrationTransferStarted',
    'TenantAdministrationTransferred',
    'WriterAdded',
    'WriterRemoved',
  ]),
  OwnershipTransferred: toHex(keccak256(Buffer.from('OwnershipTransferred(address,address)'))),
} as const;

/** An address as a word of the ABI. */
export const toAddressWord = (address: Hex): Hex => `0x${'00'.repeat(12)}${address.slice(2)}`;

/** A number of at most 32 bits as a word of the ABI. */
export const toNumberWord = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** Emits a log. Topics and data are `0x` texts of words. */
export const emit = ({ contract, logs, spend }: LedgerCall, topics: readonly Hex[], data: Hex = '0x'): void => {
  spend(GAS.LOG + (data.length / 2 - 1) * GAS.DATA_BYTE);
  logs.push({ address: contract, topics, data });
};

const toSelector = (name: string): Hex => ledgerInterface.getError(name)!.selector as Hex;

/** A revert with one of the contract's errors; the arguments are words. */
export const revertWith = (error: string, ...words: readonly Hex[]): Reverted =>
  new Reverted(`${toSelector(error)}${words.map((word) => word.slice(2)).join('')}`);
