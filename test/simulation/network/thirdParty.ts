// Transactions on a simulated network that the server doesn't send: those of tenants and their writers, of an account
// that pays for others, and of somebody who has a copy of the relayer's key.
import type { Wallet } from '../../../chain/wallet.ts';
import { signTransaction } from '../../../chain/writing/signTransaction.ts';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { readAccount } from '../chain/chainState.ts';
import { type DecodedTransaction, decodeTransaction } from '../chain/transactions.ts';
import type { Fault } from '../plan/plan.ts';
import {
  type Actors,
  type TenantActor,
  type ThirdPartyCall,
  toAppendCall,
  toRoleCall,
} from '../thirdParties/thirdPartyCalls.ts';
import { theWorld } from '../world/world.ts';
import type { SimulatedNetwork } from './network.ts';
import { peersOf } from './networkReads.ts';
import { SPONSOR } from './sponsor.ts';

const TRANSFER_GAS = 21_000;
const EMPTY = new Uint8Array(0);
/** Third parties bid so many times the base fee, so that a replacement of the server's bid is accepted. */
const FEE_FACTOR = 20n;

const toFees = ({ options }: SimulatedNetwork) => {
  const maxFeePerGas = options.baseFeePerGas * FEE_FACTOR;
  return { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas / 2n };
};

const hasFinalNonce = ({ chain }: SimulatedNetwork, { from, nonce }: DecodedTransaction): boolean =>
  readAccount(chain.blockByNumber(chain.finalNumber)!.state, from).nonce > nonce;

/**
 * Sends a transaction again whenever pools have lost it, or a reorg, until a final block has it or another one with its
 * nonce.
 */
export const keepSending = (network: SimulatedNetwork, transaction: DecodedTransaction): void => {
  theWorld().schedule(network.options.blockMs, () => {
    if (hasFinalNonce(network, transaction)) return;
    const { hash } = transaction;
    const isMined = network.chain.findTransaction(hash) !== undefined;
    if (!isMined && network.validator.pool.find(hash) === undefined) network.submit(transaction);
    keepSending(network, transaction);
  });
};

const send = (network: SimulatedNetwork, wallet: Wallet, nonce: number, call: ThirdPartyCall): DecodedTransaction => {
  const { to, ...rest } = call;
  const { chainId } = network.options;
  const raw = signTransaction({ chainId, nonce, fees: toFees(network), to: fromHex(to), ...rest }, wallet);
  const transaction = decodeTransaction(raw);
  network.submit(transaction);
  return transaction;
};

const pendingNonce = ({ validator }: SimulatedNetwork, address: Hex): number =>
  validator.pool.pendingNonce(address, validator.view.head.state);

/** Transfers wei to an account, from one that always has some. */
export const fund = (network: SimulatedNetwork, address: Hex, value: bigint): void => {
  const call = { to: address, data: EMPTY, gasLimit: TRANSFER_GAS, value };
  keepSending(network, send(network, SPONSOR, takeNextNonce(network, SPONSOR.address), call));
};

// Transactions that are still on their way to the validator count, too, and those that a reorg has removed, which are
// sent again.
const nextNonces = new WeakMap<SimulatedNetwork, Map<Hex, number>>();
const takeNextNonce = (network: SimulatedNetwork, address: Hex): number => {
  const known = nextNonces.get(network) ?? new Map<Hex, number>();
  const nonce = Math.max(pendingNonce(network, address), known.get(address) ?? 0);
  nextNonces.set(network, known.set(address, nonce + 1));
  return nonce;
};

/** Whether a peer has not yet seen the block with a transfer that `fund` has sent. */
export const isFunding = (network: SimulatedNetwork): boolean => {
  const nonce = nextNonces.get(network)?.get(SPONSOR.address) ?? 0;
  return peersOf(network).some(({ view }) => readAccount(view.head.state, SPONSOR.address).nonce < nonce);
};

// Sends a transaction after those of the account that wait; the sponsor pays for it where gas costs something.
const sendFunded = (
  network: SimulatedNetwork,
  wallet: Wallet,
  call: ThirdPartyCall,
  onSent: () => void = () => undefined,
): void => {
  const cost = toFees(network).maxFeePerGas * BigInt(call.gasLimit);
  // Whatever the account has may be for its transactions that wait.
  if (cost > 0n) fund(network, wallet.address, cost);
  const sendWhenFunded = (): void => {
    const isFunded = readAccount(network.chain.head.state, wallet.address).balance >= cost;
    if (!isFunded) return void theWorld().schedule(network.options.blockMs, sendWhenFunded);
    keepSending(network, send(network, wallet, takeNextNonce(network, wallet.address), call));
    onSent();
  };
  sendWhenFunded();
};

/** Appends records to the contract directly. */
export const appendDirectly = (
  network: SimulatedNetwork,
  { contract, tenant }: { contract: Hex; tenant: TenantActor },
  records: readonly LedgerRecord[],
): void => sendFunded(network, tenant.author, toAppendCall(contract, tenant, records));

// The tenant's administrator adds the tenant's author to the writers, or removes it.
const changeWriter = (
  network: SimulatedNetwork,
  { contract, tenant }: { contract: Hex; tenant: TenantActor },
  method: 'addWriter' | 'removeWriter',
  onSent: () => void,
): void => sendFunded(network, tenant.administrator, toRoleCall(contract, tenant, method), onSent);

/** Transfers what both transactions of a removal cost, so that each is sent at once. */
export const payRemoval = (network: SimulatedNetwork, contract: Hex, tenant: TenantActor): void => {
  const { gasLimit } = toRoleCall(contract, tenant, 'removeWriter');
  const cost = toFees(network).maxFeePerGas * BigInt(gasLimit);
  if (cost > 0n) fund(network, tenant.administrator.address, 2n * cost);
};

/**
 * A tenant's administrator removes the tenant's author from the writers, and adds it again after `durationMs`.
 * `onRemoved` and `onAdded` are called when the transaction has been sent.
 */
export const removeWriter = (
  network: SimulatedNetwork,
  { tenant, durationMs }: Fault,
  { contract, tenants }: Actors,
  { onRemoved, onAdded }: { readonly onRemoved?: () => void; readonly onAdded?: () => void },
): void => {
  const actor = { contract, tenant: tenants[Number(tenant) % tenants.length]! };
  const { tenantsWithoutWriter } = network;
  const { identity } = actor.tenant;
  const add = (): void =>
    changeWriter(network, actor, 'addWriter', () => {
      tenantsWithoutWriter.delete(identity);
      onAdded?.();
    });
  tenantsWithoutWriter.add(identity);
  changeWriter(network, actor, 'removeWriter', () => {
    onRemoved?.();
    // The nonces of the administrator keep the order, once the first transaction has its own.
    theWorld().schedule(Number(durationMs), add);
  });
};

/**
 * Takes the relayer's next nonces on the chain, with transfers of nothing to itself, also from transactions that wait.
 */
export const takeNonces = (network: SimulatedNetwork, { relayer }: Actors, count: number): DecodedTransaction[] => {
  const { nonce } = readAccount(network.chain.head.state, relayer.address);
  const call = { to: relayer.address, data: EMPTY, gasLimit: TRANSFER_GAS };
  return Array.from({ length: count }, (_, at) => send(network, relayer, nonce + at, call));
};

/** Transfers the relayer's balance away, after its transactions that wait. */
export const spendAll = (network: SimulatedNetwork, { relayer }: Actors): void => {
  const { balance } = readAccount(network.chain.head.state, relayer.address);
  const value = balance - toFees(network).maxFeePerGas * BigInt(TRANSFER_GAS);
  if (value <= 0n) return;
  const nonce = pendingNonce(network, relayer.address);
  const call = { to: SPONSOR.address, data: EMPTY, gasLimit: TRANSFER_GAS, value };
  keepSending(network, send(network, relayer, nonce, call));
};
