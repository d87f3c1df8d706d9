// The ledger contract (contracts/ProvenanceLedger.sol) as a model: status, logs, results and reverts are the
// contract's, byte for byte; gas is near to it. Not modelled: ERC-1271 wallets as authors, and the functions that the
// project doesn't use (a new owner, `eip712Domain`), which revert here.
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { append, appendSigned } from './appendRecords.ts';
import { Reverted } from './calldata.ts';
import { GAS, type LedgerCall } from './ledgerCall.ts';
import {
  acceptTenantAdministration,
  addWriter,
  admitTenant,
  removeWriter,
  transferTenantAdministration,
} from './ledgerRoles.ts';
import {
  administratorOf,
  digestOf,
  isWriter,
  maxPayloadBytes,
  owner,
  recordOf,
  streamOf,
  successorOf,
  type View,
  verifyHistory,
  verifyRecord,
} from './ledgerViews.ts';

const SELECTOR_BYTES = 4;
const NO_OUTPUT: Hex = '0x';

const TRANSACTIONS = {
  append,
  appendSigned,
  admitTenant,
  transferTenantAdministration,
  acceptTenantAdministration,
  addWriter,
  removeWriter,
};
const VIEWS = {
  MAX_PAYLOAD_BYTES: maxPayloadBytes,
  administratorOf,
  successorOf,
  isWriter,
  recordOf,
  streamOf,
  digestOf,
  verifyRecord,
  verifyHistory,
};

const toSelector = (name: string): Hex => ledgerInterface.getFunction(name)!.selector as Hex;

const returnNothing =
  (run: (call: LedgerCall) => void): View =>
  (call) => {
    run(call);
    return NO_OUTPUT;
  };

const FUNCTIONS: ReadonlyMap<string, View> = new Map([
  ...Object.entries(TRANSACTIONS).map(([name, run]) => [toSelector(name), returnNothing(run)] as const),
  ...Object.entries(VIEWS).map(([name, view]) => [toSelector(name), view] as const),
  [toHex(keccak256(Buffer.from('owner()')).subarray(0, SELECTOR_BYTES)), owner] as const,
]);

/**
 * Executes a call of the contract and returns its output.
 * @throws Reverted
 */
export const runLedger = (call: LedgerCall, data: Uint8Array, value: bigint): Hex => {
  call.spend(GAS.CALL);
  const run = FUNCTIONS.get(toHex(data.subarray(0, SELECTOR_BYTES)));
  // No function of the contract accepts wei.
  if (run === undefined || value !== 0n) throw new Reverted();
  return run(call);
};
