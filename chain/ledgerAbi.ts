// The contract's functions, events and errors for set-up, tools and third-party checks, where speed doesn't matter.
// A test compares it with the compiled contract.
import { Interface } from 'ethers';

/** Complete human-readable ABI of the ledger contract. */
export const LEDGER_ABI = [
  'function append(bytes32 tenant, (bytes32 stream, bytes32 id, bytes payload)[] records)',
  'function appendSigned((bytes32 tenant, address author, (bytes32 stream, bytes32 id, bytes payload)[] records, bytes signature)[] batches)',
  'function attest((bytes32 tenant, bytes32[] streams, bytes32[] ids, address[] accounts)[] attestations)',
  'function admitTenant(bytes32 tenant, address administrator)',
  'function transferTenantAdministration(bytes32 tenant, address successor)',
  'function acceptTenantAdministration(bytes32 tenant)',
  'function addWriter(bytes32 tenant, address writer)',
  'function removeWriter(bytes32 tenant, address writer)',
  'function MAX_PAYLOAD_BYTES() view returns (uint256)',
  'function administratorOf(bytes32 tenant) view returns (address)',
  'function successorOf(bytes32 tenant) view returns (address)',
  'function isWriter(bytes32 tenant, address account) view returns (bool)',
  'function recordOf(bytes32 tenant, bytes32 id) view returns (bytes28 hash, uint32 sequence)',
  'function streamOf(bytes32 tenant, bytes32 stream) view returns (bytes28 head, uint32 count)',
  'function treeOf(bytes32 tenant) view returns (uint64 size, bytes32 root)',
  'function digestOf(bytes32 tenant, bytes32 stream, bytes32 id, address author, bytes payload) view returns (bytes32)',
  'function verifyRecord(bytes32 tenant, bytes32 stream, bytes32 id, address author, uint32 sequence, bytes payload) view returns (bool)',
  'function verifyHistory(bytes32 tenant, bytes32 stream, bytes32[] digests) view returns (bool)',
  'event RecordAppended(bytes32 indexed tenant, bytes32 indexed stream, bytes32 indexed id, address author, uint32 sequence, bytes32 digest, bytes28 head, bytes payload)',
  'event TenantAttested(bytes32 indexed tenant, uint64 size, bytes32 root)',
  'event StreamAttested(bytes32 indexed tenant, bytes32 indexed stream, bytes28 head, uint32 count)',
  'event RecordAttested(bytes32 indexed tenant, bytes32 indexed id, bytes28 hash, uint32 sequence)',
  'event WriterAttested(bytes32 indexed tenant, address indexed account, bool isWriter)',
  'event TenantAdmitted(bytes32 indexed tenant, address indexed administrator)',
  'event TenantAdministrationTransferStarted(bytes32 indexed tenant, address indexed administrator, address indexed successor)',
  'event TenantAdministrationTransferred(bytes32 indexed tenant, address indexed administrator, address indexed successor)',
  'event WriterAdded(bytes32 indexed tenant, address indexed writer)',
  'event WriterRemoved(bytes32 indexed tenant, address indexed writer)',
  'error LedgerNoSha256()',
  'error LedgerNoRecords()',
  'error LedgerNoAttestations()',
  'error LedgerNotWriter(bytes32 tenant, address author)',
  'error LedgerInvalidSignature(bytes32 tenant, address author)',
  'error LedgerRecordConflict(bytes32 tenant, bytes32 id)',
  'error LedgerPayloadEmpty(bytes32 id)',
  'error LedgerPayloadTooLarge(bytes32 id, uint256 length, uint256 maximum)',
  'error LedgerStreamFull(bytes32 tenant, bytes32 stream)',
  'error LedgerTenantExists(bytes32 tenant)',
  'error LedgerNotTenantAdministrator(bytes32 tenant, address account)',
  'error LedgerNotTenantSuccessor(bytes32 tenant, address account)',
  'error LedgerInvalidAccount(address account)',
] as const;

/** ethers' ABI coder for the ledger contract. */
export const ledgerInterface = new Interface(LEDGER_ABI);
