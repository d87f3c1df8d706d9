// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IProvenanceLedger} from "../IProvenanceLedger.sol";

/// @title Plain provenance ledger
/// @notice For tests, never deployed: the functions of {ProvenanceLedger} that append, in plain Solidity, for the same
/// storage. test/invariants/PlainEquivalence.t.sol compares both, npm run bench:contract measures both.
contract PlainProvenanceLedger is EIP712, Ownable2Step {
    /// @dev See {RecordStore}.
    struct Link {
        bytes28 hash;
        uint32 sequence;
    }

    /// @dev See {RecordStore}.
    struct Tenant {
        address administrator;
        uint64 treeSize;
        address successor;
        mapping(address account => bool isWriter) writers;
        mapping(bytes32 id => Link record) records;
        mapping(bytes32 stream => Link last) streams;
        bytes32[64] peaks;
    }

    /// @dev The tree of a tenant while a batch is appended: the size, and the peaks that the batch changed.
    struct Tree {
        uint256 size;
        bytes32[64] peaks;
        bool[64] isChanged;
    }

    uint256 private constant MAX_PAYLOAD_BYTES = 65_536;

    bytes32 private constant RECORD_TYPEHASH = keccak256(
        "Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
    );
    bytes32 private constant APPEND_TYPEHASH = keccak256(
        "Append(Record[] records)Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
    );

    mapping(bytes32 tenant => Tenant content) private _tenants;

    /// @notice Creates an empty ledger.
    /// @param administrator The ledger's administrator.
    constructor(address administrator) EIP712("ProvenanceLedger", "1") Ownable(administrator) {}

    /// @notice See {IProvenanceLedger-append}.
    function append(bytes32 tenant, IProvenanceLedger.Record[] calldata records) external {
        _requireWriter(tenant, msg.sender);
        _append(tenant, msg.sender, records, _hashRecords(tenant, msg.sender, records));
    }

    /// @notice See {IProvenanceLedger-appendSigned}.
    function appendSigned(IProvenanceLedger.SignedBatch[] calldata batches) external {
        if (batches.length == 0) revert IProvenanceLedger.LedgerNoRecords();
        for (uint256 i = 0; i < batches.length; ++i) {
            _appendSigned(batches[i]);
        }
    }

    /// @notice See {IProvenanceLedger-admitTenant}.
    function admitTenant(bytes32 tenant, address administrator) external onlyOwner {
        _tenants[tenant].administrator = administrator;
    }

    /// @notice See {IProvenanceLedger-addWriter}.
    function addWriter(bytes32 tenant, address writer) external {
        if (_tenants[tenant].administrator != msg.sender)
            revert IProvenanceLedger.LedgerNotTenantAdministrator(tenant, msg.sender);
        _tenants[tenant].writers[writer] = true;
    }

    /// @dev Appends one author's batch after checking that the author may write and did sign.
    function _appendSigned(IProvenanceLedger.SignedBatch calldata batch) private {
        _requireWriter(batch.tenant, batch.author);
        bytes32[] memory hashes = _hashRecords(batch.tenant, batch.author, batch.records);
        bytes32 digest = _hashTypedDataV4(_hashAppend(hashes));
        if (!_isSignedBy(batch.author, digest, batch.signature)) {
            revert IProvenanceLedger.LedgerInvalidSignature(batch.tenant, batch.author);
        }
        _append(batch.tenant, batch.author, batch.records, hashes);
    }

    /// @dev Appends records whose author has been checked. `hashes` are their EIP-712 struct hashes.
    function _append(
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record[] calldata records,
        bytes32[] memory hashes
    ) private {
        if (records.length == 0) revert IProvenanceLedger.LedgerNoRecords();
        Tree memory tree;
        tree.size = _tenants[tenant].treeSize;
        for (uint256 i = 0; i < records.length; ++i) {
            _appendRecord(tree, tenant, author, records[i], _hashTypedDataV4(hashes[i]));
        }
        _storeTree(tree, tenant);
    }

    /// @dev Appends one record, exactly once: two storage words, one log, one leaf of the tenant's tree.
    function _appendRecord(
        Tree memory tree,
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record calldata record,
        bytes32 digest
    ) private {
        _requirePayload(record);
        Link storage entry = _tenants[tenant].records[record.id];
        if (_isRecorded(entry, tenant, record.id, digest)) return;
        (bytes28 head, uint32 sequence) = _extendStream(tenant, record.stream, digest);
        entry.hash = bytes28(digest);
        entry.sequence = sequence;
        emit IProvenanceLedger.RecordAppended(
            tenant,
            record.stream,
            record.id,
            author,
            sequence,
            digest,
            head,
            record.payload
        );
        bytes memory leaf = abi.encodePacked(digest, head, sequence, uint64(block.number), uint64(block.timestamp));
        _addLeaf(tree, tenant, sha256(abi.encodePacked(bytes1(0x00), leaf)));
    }

    /// @dev Joins the leaf with the peaks on its left, from level to level, until a level has no peak.
    function _addLeaf(Tree memory tree, bytes32 tenant, bytes32 node) private view {
        uint256 level = 0;
        for (uint256 rest = tree.size; rest % 2 == 1; rest /= 2) {
            bytes32 peak = tree.isChanged[level] ? tree.peaks[level] : _tenants[tenant].peaks[level];
            node = sha256(abi.encodePacked(bytes1(0x01), peak, node));
            ++level;
        }
        tree.peaks[level] = node;
        tree.isChanged[level] = true;
        ++tree.size;
    }

    /// @dev Writes the size, and the changed peaks that a tree of this size has.
    function _storeTree(Tree memory tree, bytes32 tenant) private {
        Tenant storage content = _tenants[tenant];
        if (tree.size == content.treeSize) return;
        content.treeSize = uint64(tree.size);
        for (uint256 level = 0; level < 64; ++level) {
            bool hasPeak = (tree.size >> level) % 2 == 1;
            if (hasPeak && tree.isChanged[level]) content.peaks[level] = tree.peaks[level];
        }
    }

    /// @dev Moves a stream's head and count on by one record.
    function _extendStream(
        bytes32 tenant,
        bytes32 stream,
        bytes32 digest
    ) private returns (bytes28 head, uint32 sequence) {
        Link storage last = _tenants[tenant].streams[stream];
        (head, sequence) = (last.hash, last.sequence);
        if (sequence == type(uint32).max) revert IProvenanceLedger.LedgerStreamFull(tenant, stream);
        head = _extendHead(head, digest);
        ++sequence;
        (last.hash, last.sequence) = (head, sequence);
    }

    /// @dev Whether the record is there already. Reverts when the id is there with other content.
    function _isRecorded(Link storage entry, bytes32 tenant, bytes32 id, bytes32 digest) private view returns (bool) {
        if (entry.sequence == 0) return false;
        if (entry.hash != bytes28(digest)) revert IProvenanceLedger.LedgerRecordConflict(tenant, id);
        return true;
    }

    function _requireWriter(bytes32 tenant, address author) private view {
        if (!_tenants[tenant].writers[author]) revert IProvenanceLedger.LedgerNotWriter(tenant, author);
    }

    /// @dev Whether the account signed the digest with its own key, or accepts the signature as an ERC-1271 wallet.
    function _isSignedBy(address account, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, , ) = ECDSA.tryRecover(digest, signature);
        if (signer != address(0) && signer == account) return true;
        return account.code.length > 0 && SignatureChecker.isValidERC1271SignatureNow(account, digest, signature);
    }

    function _requirePayload(IProvenanceLedger.Record calldata record) private pure {
        uint256 length = record.payload.length;
        if (length == 0) revert IProvenanceLedger.LedgerPayloadEmpty(record.id);
        if (length > MAX_PAYLOAD_BYTES)
            revert IProvenanceLedger.LedgerPayloadTooLarge(record.id, length, MAX_PAYLOAD_BYTES);
    }

    /// @dev EIP-712 struct hashes of a batch's records.
    function _hashRecords(
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record[] calldata records
    ) private pure returns (bytes32[] memory hashes) {
        hashes = new bytes32[](records.length);
        for (uint256 i = 0; i < records.length; ++i) {
            IProvenanceLedger.Record calldata record = records[i];
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
        return keccak256(abi.encode(APPEND_TYPEHASH, keccak256(abi.encodePacked(hashes))));
    }

    /// @dev Head of a stream after one more record.
    function _extendHead(bytes28 head, bytes32 digest) private pure returns (bytes28) {
        return bytes28(keccak256(abi.encode(head, digest)));
    }
}
