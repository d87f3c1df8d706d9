// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IProvenanceLedger} from "../../contracts/IProvenanceLedger.sol";

/// @title Naive model of the ledger
/// @notice Keeps plain lists and searches them from their beginning. Every function that changes the ledger has a
/// counterpart here, whose first argument is the caller and which reverts with the same error.
contract LedgerModel {
    /// @notice A record that was appended, with its position in its stream from 1 and its digest.
    struct Entry {
        bytes32 tenant;
        bytes32 stream;
        bytes32 id;
        address author;
        uint32 sequence;
        bytes payload;
        bytes32 digest;
    }

    /// @notice The roles of a tenant.
    struct Roles {
        address administrator;
        address successor;
        address[] writers;
    }

    uint256 private constant PAYLOAD_BYTES_MAX = 65_536;
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    string private constant RECORD_TYPE =
        "Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)";

    address private immutable _LEDGER;
    address private immutable _OWNER;
    Entry[] private _entries;
    mapping(bytes32 tenant => mapping(bytes32 stream => bytes32[] digests)) private _digests;
    mapping(bytes32 tenant => bytes32[] leaves) private _leaves;
    mapping(bytes32 tenant => Roles roles) private _roles;

    /// @notice The model of an empty ledger.
    constructor(address ledger, address owner) {
        _LEDGER = ledger;
        _OWNER = owner;
    }

    /// @notice See {IProvenanceLedger-append}.
    function append(address caller, bytes32 tenant, IProvenanceLedger.Record[] calldata records) external {
        _requireWriter(tenant, caller);
        _append(tenant, caller, records);
    }

    /// @notice See {IProvenanceLedger-appendSigned}. `isSigned` lists which batches have the signature of their author.
    function appendSigned(IProvenanceLedger.SignedBatch[] calldata batches, bool[] calldata isSigned) external {
        if (batches.length == 0) revert IProvenanceLedger.LedgerNoRecords();
        for (uint256 i = 0; i < batches.length; ++i) {
            IProvenanceLedger.SignedBatch calldata batch = batches[i];
            _requireWriter(batch.tenant, batch.author);
            if (!isSigned[i]) revert IProvenanceLedger.LedgerInvalidSignature(batch.tenant, batch.author);
            _append(batch.tenant, batch.author, batch.records);
        }
    }

    /// @notice See {IProvenanceLedger-admitTenant}.
    function admitTenant(address caller, bytes32 tenant, address administrator) external {
        if (caller != _OWNER) revert Ownable.OwnableUnauthorizedAccount(caller);
        if (administrator == address(0)) revert IProvenanceLedger.LedgerInvalidAccount(administrator);
        if (_roles[tenant].administrator != address(0)) revert IProvenanceLedger.LedgerTenantExists(tenant);
        _roles[tenant].administrator = administrator;
    }

    /// @notice See {IProvenanceLedger-transferTenantAdministration}.
    function transferTenantAdministration(address caller, bytes32 tenant, address successor) external {
        _requireAdministrator(tenant, caller);
        _roles[tenant].successor = successor;
    }

    /// @notice See {IProvenanceLedger-acceptTenantAdministration}.
    function acceptTenantAdministration(address caller, bytes32 tenant) external {
        Roles storage roles = _roles[tenant];
        if (caller != roles.successor) revert IProvenanceLedger.LedgerNotTenantSuccessor(tenant, caller);
        roles.administrator = caller;
        roles.successor = address(0);
    }

    /// @notice See {IProvenanceLedger-addWriter}.
    function addWriter(address caller, bytes32 tenant, address writer) external {
        _requireAdministrator(tenant, caller);
        if (writer == address(0)) revert IProvenanceLedger.LedgerInvalidAccount(writer);
        if (!isWriter(tenant, writer)) _roles[tenant].writers.push(writer);
    }

    /// @notice See {IProvenanceLedger-removeWriter}.
    function removeWriter(address caller, bytes32 tenant, address writer) external {
        _requireAdministrator(tenant, caller);
        address[] storage writers = _roles[tenant].writers;
        for (uint256 i = 0; i < writers.length; ++i) {
            if (writers[i] != writer) continue;
            writers[i] = writers[writers.length - 1];
            writers.pop();
            return;
        }
    }

    /// @notice Number of records that were ever appended.
    function count() external view returns (uint256) {
        return _entries.length;
    }

    /// @notice The record with this position in the order of appending, from 0.
    function entryAt(uint256 index) external view returns (Entry memory) {
        return _entries[index];
    }

    /// @notice See {IProvenanceLedger-administratorOf}.
    function administratorOf(bytes32 tenant) external view returns (address) {
        return _roles[tenant].administrator;
    }

    /// @notice See {IProvenanceLedger-successorOf}.
    function successorOf(bytes32 tenant) external view returns (address) {
        return _roles[tenant].successor;
    }

    /// @notice The words that the ledger stores for that record, and their key.
    function recordAt(
        uint256 index
    ) external view returns (bytes32 tenant, bytes32 id, bytes32 digest, uint32 sequence) {
        Entry storage entry = _entries[index];
        return (entry.tenant, entry.id, entry.digest, entry.sequence);
    }

    /// @notice The digests of a stream's records, in order.
    function digestsOf(bytes32 tenant, bytes32 stream) external view returns (bytes32[] memory) {
        return _digests[tenant][stream];
    }

    /// @notice See {IProvenanceLedger-treeOf}.
    function treeOf(bytes32 tenant) external view returns (uint64 size, bytes32 root) {
        bytes32[] memory leaves = _leaves[tenant];
        return (uint64(leaves.length), leaves.length == 0 ? sha256("") : _rootOf(leaves, 0, leaves.length));
    }

    /// @notice The digest that an author signs for a batch.
    function batchDigestOf(
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record[] calldata records
    ) external view returns (bytes32) {
        bytes memory hashes = "";
        for (uint256 i = 0; i < records.length; ++i) {
            hashes = bytes.concat(hashes, _structHashOf(tenant, author, records[i]));
        }
        bytes32 typehash = keccak256(bytes(string.concat("Append(Record[] records)", RECORD_TYPE)));
        return _typedDataHash(keccak256(abi.encode(typehash, keccak256(hashes))));
    }

    /// @notice See {IProvenanceLedger-isWriter}.
    function isWriter(bytes32 tenant, address account) public view returns (bool) {
        address[] storage writers = _roles[tenant].writers;
        for (uint256 i = 0; i < writers.length; ++i) {
            if (writers[i] == account) return true;
        }
        return false;
    }

    /// @notice The head of a stream after the first `length` of these digests, as {IProvenanceLedger} specifies it.
    function headOf(bytes32[] memory digests, uint256 length) public pure returns (bytes28 head) {
        for (uint256 i = 0; i < length; ++i) {
            head = bytes28(keccak256(abi.encode(head, digests[i])));
        }
    }

    function _append(bytes32 tenant, address author, IProvenanceLedger.Record[] calldata records) private {
        if (records.length == 0) revert IProvenanceLedger.LedgerNoRecords();
        for (uint256 i = 0; i < records.length; ++i) {
            IProvenanceLedger.Record calldata record = records[i];
            uint256 length = record.payload.length;
            if (length == 0) revert IProvenanceLedger.LedgerPayloadEmpty(record.id);
            if (length > PAYLOAD_BYTES_MAX) {
                revert IProvenanceLedger.LedgerPayloadTooLarge(record.id, length, PAYLOAD_BYTES_MAX);
            }
            bytes32 digest = _typedDataHash(_structHashOf(tenant, author, record));
            if (_isRecorded(tenant, record.id, digest)) continue;
            _digests[tenant][record.stream].push(digest);
            uint32 sequence = uint32(_digests[tenant][record.stream].length);
            _leaves[tenant].push(_leafOf(digest, headOf(_digests[tenant][record.stream], sequence), sequence));
            _entries.push(Entry(tenant, record.stream, record.id, author, sequence, record.payload, digest));
        }
    }

    function _isRecorded(bytes32 tenant, bytes32 id, bytes32 digest) private view returns (bool) {
        for (uint256 i = 0; i < _entries.length; ++i) {
            Entry storage known = _entries[i];
            if (known.tenant != tenant || known.id != id) continue;
            if (known.digest == digest) return true;
            revert IProvenanceLedger.LedgerRecordConflict(tenant, id);
        }
        return false;
    }

    function _requireWriter(bytes32 tenant, address account) private view {
        if (!isWriter(tenant, account)) revert IProvenanceLedger.LedgerNotWriter(tenant, account);
    }

    function _requireAdministrator(bytes32 tenant, address account) private view {
        if (_roles[tenant].administrator == account) return;
        revert IProvenanceLedger.LedgerNotTenantAdministrator(tenant, account);
    }

    function _typedDataHash(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("ProvenanceLedger"), keccak256("1"), block.chainid, _LEDGER)
        );
        return keccak256(bytes.concat(hex"1901", domain, structHash));
    }

    /// @dev As {IProvenanceLedger} specifies it.
    function _leafOf(bytes32 digest, bytes28 head, uint32 sequence) private view returns (bytes32) {
        bytes16 place = bytes16((uint128(block.number) << 64) | uint128(block.timestamp));
        return sha256(bytes.concat(hex"00", digest, head, bytes4(sequence), place));
    }

    /// @dev The definition of RFC 9162, section 2.1.1: split at the largest power of two below the number of leaves.
    function _rootOf(bytes32[] memory leaves, uint256 from, uint256 to) private pure returns (bytes32) {
        if (to - from == 1) return leaves[from];
        uint256 half = 1;
        while (2 * half < to - from) half *= 2;
        bytes32 left = _rootOf(leaves, from, from + half);
        return sha256(bytes.concat(hex"01", left, _rootOf(leaves, from + half, to)));
    }

    /// @dev As EIP-712 specifies it.
    function _structHashOf(
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record memory record
    ) private pure returns (bytes32) {
        bytes32 typehash = keccak256(bytes(RECORD_TYPE));
        bytes32 payloadHash = keccak256(record.payload);
        return keccak256(abi.encode(typehash, tenant, record.stream, record.id, author, payloadHash));
    }
}
