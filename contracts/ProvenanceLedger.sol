// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IProvenanceLedger} from "./IProvenanceLedger.sol";

/// @title Provenance ledger
/// @notice See {IProvenanceLedger}. No proxy, no delete, no pause: no account can change or remove a record.
/// @dev The owner is the ledger's administrator. The only foreign code that runs is the ERC-1271 check of an author who
/// is a registered writer: a static call, made before anything of that author's batch is written.
contract ProvenanceLedger is IProvenanceLedger, EIP712, Ownable2Step {
    /// @dev A hash and a counter in one storage word: a record's hash and sequence, or a stream's head and count.
    struct Link {
        bytes28 hash;
        uint32 sequence;
    }

    /// @dev Everything of one tenant. A tenant exists when it has an administrator, and then always has one.
    struct Tenant {
        address administrator;
        address successor;
        mapping(address account => bool isWriter) writers;
        mapping(bytes32 id => Link record) records;
        mapping(bytes32 stream => Link last) streams;
    }

    /// @inheritdoc IProvenanceLedger
    uint256 public constant override MAX_PAYLOAD_BYTES = 65_536;

    bytes32 private constant RECORD_TYPEHASH = keccak256(
        "Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
    );
    bytes32 private constant APPEND_TYPEHASH = keccak256(
        "Append(Record[] records)Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
    );

    mapping(bytes32 tenant => Tenant content) private _tenants;

    /// @dev Restricts a function to the administrator of the tenant.
    modifier onlyTenantAdministrator(bytes32 tenant) {
        if (_tenants[tenant].administrator != msg.sender) revert LedgerNotTenantAdministrator(tenant, msg.sender);
        _;
    }

    /// @notice Creates an empty ledger.
    /// @param administrator The ledger's administrator.
    constructor(address administrator) EIP712("ProvenanceLedger", "1") Ownable(administrator) {}

    /// @inheritdoc IProvenanceLedger
    function append(bytes32 tenant, Record[] calldata records) external {
        _requireWriter(tenant, msg.sender);
        _append(tenant, msg.sender, records, _hashRecords(tenant, msg.sender, records));
    }

    /// @inheritdoc IProvenanceLedger
    function appendSigned(SignedBatch[] calldata batches) external {
        if (batches.length == 0) revert LedgerNoRecords();
        for (uint256 i = 0; i < batches.length; ++i) {
            _appendSigned(batches[i]);
        }
    }

    /// @inheritdoc IProvenanceLedger
    function admitTenant(bytes32 tenant, address administrator) external onlyOwner {
        _requireAccount(administrator);
        if (_tenants[tenant].administrator != address(0)) revert LedgerTenantExists(tenant);
        _tenants[tenant].administrator = administrator;
        emit TenantAdmitted(tenant, administrator);
    }

    /// @inheritdoc IProvenanceLedger
    function transferTenantAdministration(bytes32 tenant, address successor) external onlyTenantAdministrator(tenant) {
        _tenants[tenant].successor = successor;
        emit TenantAdministrationTransferStarted(tenant, msg.sender, successor);
    }

    /// @inheritdoc IProvenanceLedger
    function acceptTenantAdministration(bytes32 tenant) external {
        Tenant storage content = _tenants[tenant];
        if (content.successor != msg.sender) revert LedgerNotTenantSuccessor(tenant, msg.sender);
        address predecessor = content.administrator;
        content.administrator = msg.sender;
        delete content.successor;
        emit TenantAdministrationTransferred(tenant, predecessor, msg.sender);
    }

    /// @inheritdoc IProvenanceLedger
    function addWriter(bytes32 tenant, address writer) external onlyTenantAdministrator(tenant) {
        _requireAccount(writer);
        if (_tenants[tenant].writers[writer]) return;
        _tenants[tenant].writers[writer] = true;
        emit WriterAdded(tenant, writer);
    }

    /// @inheritdoc IProvenanceLedger
    function removeWriter(bytes32 tenant, address writer) external onlyTenantAdministrator(tenant) {
        if (!_tenants[tenant].writers[writer]) return;
        delete _tenants[tenant].writers[writer];
        emit WriterRemoved(tenant, writer);
    }

    /// @inheritdoc IProvenanceLedger
    function administratorOf(bytes32 tenant) external view returns (address) {
        return _tenants[tenant].administrator;
    }

    /// @inheritdoc IProvenanceLedger
    function successorOf(bytes32 tenant) external view returns (address) {
        return _tenants[tenant].successor;
    }

    /// @inheritdoc IProvenanceLedger
    function isWriter(bytes32 tenant, address account) external view returns (bool) {
        return _tenants[tenant].writers[account];
    }

    /// @inheritdoc IProvenanceLedger
    function recordOf(bytes32 tenant, bytes32 id) external view returns (bytes28 hash, uint32 sequence) {
        Link memory record = _tenants[tenant].records[id];
        return (record.hash, record.sequence);
    }

    /// @inheritdoc IProvenanceLedger
    function streamOf(bytes32 tenant, bytes32 stream) external view returns (bytes28 head, uint32 count) {
        Link memory last = _tenants[tenant].streams[stream];
        return (last.hash, last.sequence);
    }

    /// @inheritdoc IProvenanceLedger
    function digestOf(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        bytes calldata payload
    ) external view returns (bytes32) {
        return _hashTypedDataV4(_hashRecord(tenant, stream, id, author, payload));
    }

    /// @inheritdoc IProvenanceLedger
    function verifyRecord(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        uint32 sequence,
        bytes calldata payload
    ) external view returns (bool) {
        Link memory record = _tenants[tenant].records[id];
        if (record.sequence == 0 || record.sequence != sequence) return false;
        return record.hash == bytes28(_hashTypedDataV4(_hashRecord(tenant, stream, id, author, payload)));
    }

    /// @inheritdoc IProvenanceLedger
    function verifyHistory(bytes32 tenant, bytes32 stream, bytes32[] calldata digests) external view returns (bool) {
        Link memory last = _tenants[tenant].streams[stream];
        if (digests.length != last.sequence) return false;
        bytes28 head;
        for (uint256 i = 0; i < digests.length; ++i) {
            head = _extendHead(head, digests[i]);
        }
        return head == last.hash;
    }

    /// @dev Appends one author's batch after checking that the author may write and did sign.
    function _appendSigned(SignedBatch calldata batch) private {
        _requireWriter(batch.tenant, batch.author);
        bytes32[] memory hashes = _hashRecords(batch.tenant, batch.author, batch.records);
        bytes32 digest = _hashTypedDataV4(_hashAppend(hashes));
        if (!SignatureChecker.isValidSignatureNow(batch.author, digest, batch.signature)) {
            revert LedgerInvalidSignature(batch.tenant, batch.author);
        }
        _append(batch.tenant, batch.author, batch.records, hashes);
    }

    /// @dev Appends records whose author has been checked. `hashes` are their EIP-712 struct hashes.
    function _append(bytes32 tenant, address author, Record[] calldata records, bytes32[] memory hashes) private {
        if (records.length == 0) revert LedgerNoRecords();
        for (uint256 i = 0; i < records.length; ++i) {
            _appendRecord(tenant, author, records[i], _hashTypedDataV4(hashes[i]));
        }
    }

    /// @dev Appends one record, exactly once: two storage words, one log.
    function _appendRecord(bytes32 tenant, address author, Record calldata record, bytes32 digest) private {
        _requirePayload(record);
        Link storage entry = _tenants[tenant].records[record.id];
        if (_isRecorded(entry, tenant, record.id, digest)) return;
        (bytes28 head, uint32 sequence) = _extendStream(tenant, record.stream, digest);
        entry.hash = bytes28(digest);
        entry.sequence = sequence;
        emit RecordAppended(tenant, record.stream, record.id, author, sequence, digest, head, record.payload);
    }

    /// @dev Moves a stream's head and count on by one record.
    function _extendStream(
        bytes32 tenant,
        bytes32 stream,
        bytes32 digest
    ) private returns (bytes28 head, uint32 sequence) {
        Link storage last = _tenants[tenant].streams[stream];
        (head, sequence) = (last.hash, last.sequence);
        if (sequence == type(uint32).max) revert LedgerStreamFull(tenant, stream);
        head = _extendHead(head, digest);
        ++sequence;
        (last.hash, last.sequence) = (head, sequence);
    }

    /// @dev Whether the record is there already. Reverts when the id is there with other content.
    function _isRecorded(Link storage entry, bytes32 tenant, bytes32 id, bytes32 digest) private view returns (bool) {
        if (entry.sequence == 0) return false;
        if (entry.hash != bytes28(digest)) revert LedgerRecordConflict(tenant, id);
        return true;
    }

    function _requireWriter(bytes32 tenant, address author) private view {
        if (!_tenants[tenant].writers[author]) revert LedgerNotWriter(tenant, author);
    }

    function _requireAccount(address account) private pure {
        if (account == address(0)) revert LedgerInvalidAccount(account);
    }

    function _requirePayload(Record calldata record) private pure {
        uint256 length = record.payload.length;
        if (length == 0) revert LedgerPayloadEmpty(record.id);
        if (length > MAX_PAYLOAD_BYTES) revert LedgerPayloadTooLarge(record.id, length, MAX_PAYLOAD_BYTES);
    }

    /// @dev EIP-712 struct hashes of a batch's records.
    function _hashRecords(
        bytes32 tenant,
        address author,
        Record[] calldata records
    ) private pure returns (bytes32[] memory hashes) {
        hashes = new bytes32[](records.length);
        for (uint256 i = 0; i < records.length; ++i) {
            Record calldata record = records[i];
            hashes[i] = _hashRecord(tenant, record.stream, record.id, author, record.payload);
        }
    }

    /// @dev EIP-712 struct hash of a `Record`.
    function _hashRecord(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        bytes calldata payload
    ) private pure returns (bytes32) {
        return keccak256(abi.encode(RECORD_TYPEHASH, tenant, stream, id, author, keccak256(payload)));
    }

    /// @dev EIP-712 struct hash of an `Append`. The array is encoded as the hash of its elements' struct hashes, in
    /// order.
    function _hashAppend(bytes32[] memory hashes) private pure returns (bytes32) {
        bytes32 recordsHash;
        // Solidity can hash an array's elements only by way of `encodePacked`, which copies them first.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            recordsHash := keccak256(add(hashes, 0x20), mul(mload(hashes), 0x20))
        }
        return Hashes.efficientKeccak256(APPEND_TYPEHASH, recordsHash);
    }

    /// @dev `bytes28(keccak256(abi.encode(head, digest)))`.
    function _extendHead(bytes28 head, bytes32 digest) private pure returns (bytes28) {
        return bytes28(Hashes.efficientKeccak256(head, digest));
    }
}
