// The contract's functions that admit tenants and give roles.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { Reverted, WORD } from './calldata.ts';
import {
  emit,
  isWriter,
  type LedgerCall,
  readRole,
  revertWith,
  TOPICS,
  toAddressWord,
  writeRole,
  ZERO_ADDRESS,
} from './ledgerCall.ts';

/** Names of roles in the state. */
export const ROLE = { OWNER: 'owner', ADMINISTRATOR: 'administrator', SUCCESSOR: 'successor' } as const;

const toErrorSelector = (signature: string): Hex => toHex(keccak256(Buffer.from(signature)).subarray(0, 4));
const UNAUTHORIZED = toErrorSelector('OwnableUnauthorizedAccount(address)');
const INVALID_OWNER = toErrorSelector('OwnableInvalidOwner(address)');

const readArguments = ({ calldata }: LedgerCall): { tenant: Hex; account: Hex } => {
  calldata.requireWords(2);
  return { tenant: toHex(calldata.bytes32(calldata.start)), account: calldata.address(calldata.start + WORD) };
};

const requireAccount = (account: Hex): void => {
  if (account === ZERO_ADDRESS) throw revertWith('LedgerInvalidAccount', toAddressWord(account));
};

const requireAdministrator = (call: LedgerCall, tenant: Hex): void => {
  if (readRole(call, tenant, ROLE.ADMINISTRATOR) === call.sender) return;
  throw revertWith('LedgerNotTenantAdministrator', tenant, toAddressWord(call.sender));
};

/** The constructor: makes an account the ledger's administrator. */
export const constructLedger = (call: LedgerCall, owner: Hex): void => {
  if (owner === ZERO_ADDRESS) throw new Reverted(`${INVALID_OWNER}${toAddressWord(owner).slice(2)}`);
  writeRole(call, '', ROLE.OWNER, owner);
  emit(call, [TOPICS.OwnershipTransferred, toAddressWord(ZERO_ADDRESS), toAddressWord(owner)]);
};

/** `admitTenant(bytes32 tenant, address administrator)` */
export const admitTenant = (call: LedgerCall): void => {
  const { tenant, account } = readArguments(call);
  if (readRole(call, '', ROLE.OWNER) !== call.sender)
    throw new Reverted(`${UNAUTHORIZED}${toAddressWord(call.sender).slice(2)}`);
  requireAccount(account);
  if (readRole(call, tenant, ROLE.ADMINISTRATOR) !== ZERO_ADDRESS) throw revertWith('LedgerTenantExists', tenant);
  writeRole(call, tenant, ROLE.ADMINISTRATOR, account);
  emit(call, [TOPICS.TenantAdmitted, tenant, toAddressWord(account)]);
};

/** `transferTenantAdministration(bytes32 tenant, address successor)` */
export const transferTenantAdministration = (call: LedgerCall): void => {
  const { tenant, account } = readArguments(call);
  requireAdministrator(call, tenant);
  writeRole(call, tenant, ROLE.SUCCESSOR, account);
  const accounts = [call.sender, account].map(toAddressWord);
  emit(call, [TOPICS.TenantAdministrationTransferStarted, tenant, ...accounts]);
};

/** `acceptTenantAdministration(bytes32 tenant)` */
export const acceptTenantAdministration = (call: LedgerCall): void => {
  const { calldata, sender } = call;
  calldata.requireWords(1);
  const tenant = toHex(calldata.bytes32(calldata.start));
  if (readRole(call, tenant, ROLE.SUCCESSOR) !== sender)
    throw revertWith('LedgerNotTenantSuccessor', tenant, toAddressWord(sender));
  const predecessor = readRole(call, tenant, ROLE.ADMINISTRATOR);
  writeRole(call, tenant, ROLE.ADMINISTRATOR, sender);
  writeRole(call, tenant, ROLE.SUCCESSOR, ZERO_ADDRESS);
  emit(call, [TOPICS.TenantAdministrationTransferred, tenant, ...[predecessor, sender].map(toAddressWord)]);
};

/** `addWriter(bytes32 tenant, address writer)` */
export const addWriter = (call: LedgerCall): void => {
  const { tenant, account } = readArguments(call);
  requireAdministrator(call, tenant);
  requireAccount(account);
  if (isWriter(call, tenant, account)) return;
  writeRole(call, tenant, `writer ${account}`, account);
  emit(call, [TOPICS.WriterAdded, tenant, toAddressWord(account)]);
};

/** `removeWriter(bytes32 tenant, address writer)` */
export const removeWriter = (call: LedgerCall): void => {
  const { tenant, account } = readArguments(call);
  requireAdministrator(call, tenant);
  if (!isWriter(call, tenant, account)) return;
  writeRole(call, tenant, `writer ${account}`, ZERO_ADDRESS);
  emit(call, [TOPICS.WriterRemoved, tenant, toAddressWord(account)]);
};
