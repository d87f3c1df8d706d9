// The contract's functions by name: TypeChain's output is not erasable TypeScript, and with ethers' index signature
// every function would be possibly undefined.
import type { BaseContract, BaseContractMethod, ContractRunner } from 'ethers';

type LedgerFunction =
  | 'MAX_PAYLOAD_BYTES'
  | 'acceptOwnership'
  | 'acceptTenantAdministration'
  | 'addWriter'
  | 'administratorOf'
  | 'admitTenant'
  | 'append'
  | 'appendSigned'
  | 'attest'
  | 'digestOf'
  | 'eip712Domain'
  | 'isWriter'
  | 'owner'
  | 'recordOf'
  | 'removeWriter'
  | 'renounceOwnership'
  | 'streamOf'
  | 'successorOf'
  | 'transferOwnership'
  | 'transferTenantAdministration'
  | 'treeOf'
  | 'verifyHistory'
  | 'verifyRecord';

type LedgerFunctions = { readonly [name in LedgerFunction]: BaseContractMethod };

export interface LedgerContract extends BaseContract, LedgerFunctions {
  connect(runner: ContractRunner): LedgerContract;
}
