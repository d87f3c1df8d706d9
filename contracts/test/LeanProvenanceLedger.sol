// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IProvenanceLedger} from "../IProvenanceLedger.sol";

/// @title Lean provenance ledger
/// @notice A prototype, never deployed: the appending functions of {ProvenanceLedger} with fewer EVM steps, for the
/// same storage. test/invariants/LeanEquivalence.t.sol compares both, npm run bench:contract measures both.
/// @dev Two loops in assembly, over the calldata: one hashes the records of a batch, one appends them. The second stops
/// at a record that the ledger refuses; Solidity then finds the reason. So assembly never encodes an error.
contract LeanProvenanceLedger is EIP712, Ownable2Step {
    /// @dev See {ProvenanceLedger}. The second loop writes the word: the hash's 28 bytes in the lower bits, as Solidity
    /// places the first member.
    struct Link {
        bytes28 hash;
        uint32 sequence;
    }

    /// @dev See {ProvenanceLedger}. The second loop expects `streams` in the slot after `records`.
    struct Tenant {
        address administrator;
        address successor;
        mapping(address account => bool isWriter) writers;
        mapping(bytes32 id => Link record) records;
        mapping(bytes32 stream => Link last) streams;
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

    function _appendSigned(IProvenanceLedger.SignedBatch calldata batch) private {
        _requireWriter(batch.tenant, batch.author);
        bytes32[] memory hashes = _hashRecords(batch.tenant, batch.author, batch.records);
        bytes32 digest = _hashTypedDataV4(_hashAppend(hashes));
        if (!SignatureChecker.isValidSignatureNow(batch.author, digest, batch.signature)) {
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
        mapping(bytes32 id => Link record) storage links = _tenants[tenant].records;
        uint256 scratch = _prepare(tenant, author, _domainSeparatorV4());
        uint256 appended = _appendRecords(links, records, hashes, scratch);
        if (appended < records.length) _refuse(tenant, records[appended]);
    }

    /// @dev Appends one record after another, each exactly once: two storage words, one log. Returns how many were
    /// processed before one that must be refused. `links` are the tenant's records, `scratch` is what {_prepare}
    /// returned.
    // solhint-disable-next-line function-max-lines
    function _appendRecords(
        mapping(bytes32 id => Link record) storage links,
        IProvenanceLedger.Record[] calldata records,
        bytes32[] memory hashes,
        uint256 scratch
    ) private returns (uint256 appended) {
        // In Solidity, the compiler checks each offset of the calldata again ({_hashRecords} did), and copies what it
        // hashes and logs to fresh memory. That is more than half of the steps.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            let from := records.offset
            let end := add(from, shl(5, records.length))
            // The place of a record's offset in the calldata plus this is the address of its hash.
            hashes := sub(add(hashes, 0x20), from)
            for {} lt(from, end) {
                from := add(from, 0x20)
            } {
                let entry := add(records.offset, calldataload(from))
                let payload := add(entry, calldataload(add(entry, 0x40)))
                let length := calldataload(payload)
                // The length 0 wraps around to the greatest number.
                if gt(sub(length, 1), 65535) {
                    break
                }

                mstore(add(scratch, 0x40), mload(add(hashes, from)))
                let digest := keccak256(add(scratch, 0x1e), 0x42)
                mstore(0x00, calldataload(add(entry, 0x20)))
                mstore(0x20, links.slot)
                let slot := keccak256(0x00, 0x40)
                let link := sload(slot)
                if link {
                    if shl(32, xor(link, shr(32, digest))) {
                        break
                    }
                    continue
                }

                mstore(0x00, calldataload(entry))
                mstore(0x20, add(links.slot, 1))
                let streamSlot := keccak256(0x00, 0x40)
                link := sload(streamSlot)
                mstore(0x00, shl(32, link))
                mstore(0x20, digest)
                // The sequence in the first 32 bits, as both words have it. After the last one it is 0.
                link := shl(224, add(shr(224, link), 1))
                if iszero(link) {
                    break
                }
                let head := shr(32, keccak256(0x00, 0x40))
                sstore(streamSlot, or(head, link))
                sstore(slot, or(shr(32, digest), link))

                let data := add(scratch, 0x60)
                mstore(add(data, 0x20), shr(224, link))
                mstore(add(data, 0x40), digest)
                mstore(add(data, 0x60), shl(32, head))
                // The payload with its length, after its padding: the last word is cleared, then partly written.
                let padded := and(add(length, 0x1f), not(0x1f))
                mstore(add(add(data, 0xa0), padded), 0)
                calldatacopy(add(data, 0xa0), payload, add(length, 0x20))
                mstore(0x00, calldataload(add(entry, 0x20)))
                mstore(0x20, calldataload(entry))
                log4(data, add(0xc0, padded), mload(sub(data, 0x80)), mload(sub(data, 0xa0)), mload(0x20), mload(0x00))
            }
            appended := shr(5, sub(from, records.offset))
        }
    }

    /// @dev Reverts with the reason for which a record cannot be appended.
    function _refuse(bytes32 tenant, IProvenanceLedger.Record calldata record) private view {
        uint256 length = record.payload.length;
        if (length == 0) revert IProvenanceLedger.LedgerPayloadEmpty(record.id);
        if (length > MAX_PAYLOAD_BYTES)
            revert IProvenanceLedger.LedgerPayloadTooLarge(record.id, length, MAX_PAYLOAD_BYTES);
        if (_tenants[tenant].records[record.id].sequence != 0)
            revert IProvenanceLedger.LedgerRecordConflict(tenant, record.id);
        revert IProvenanceLedger.LedgerStreamFull(tenant, record.stream);
    }

    function _requireWriter(bytes32 tenant, address author) private view {
        if (!_tenants[tenant].writers[author]) revert IProvenanceLedger.LedgerNotWriter(tenant, author);
    }

    /// @dev Memory for {_appendRecords}. Before the returned address: tenant and the log's first topic. From there: the
    /// input of a digest (prefix, domain separator, struct hash), then the log's data (author, sequence, digest, head,
    /// offset of the payload, its length and bytes). Nothing may allocate memory until the last record is appended.
    function _prepare(bytes32 tenant, address author, bytes32 domainSeparator) private pure returns (uint256 scratch) {
        bytes32 topic = IProvenanceLedger.RecordAppended.selector;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            scratch := add(mload(0x40), 0x40)
            mstore(sub(scratch, 0x40), tenant)
            mstore(sub(scratch, 0x20), topic)
            mstore(scratch, 0x1901)
            mstore(add(scratch, 0x20), domainSeparator)
            mstore(add(scratch, 0x60), author)
            mstore(add(scratch, 0xe0), 0xa0)
        }
    }

    /// @dev EIP-712 struct hashes of a batch's records.
    function _hashRecords(
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record[] calldata records
    ) private pure returns (bytes32[] memory hashes) {
        bytes32 typehash = RECORD_TYPEHASH;
        // In Solidity, each record and each payload is copied to fresh memory, which grows with the batch.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            hashes := mload(0x40)
            mstore(hashes, records.length)
            let hash := add(hashes, 0x20)
            // What is hashed follows the hashes: type, tenant, stream, id, author, hash of the payload.
            let fields := add(hash, shl(5, records.length))
            mstore(0x40, fields)
            mstore(fields, typehash)
            mstore(add(fields, 0x20), tenant)
            mstore(add(fields, 0x80), author)
            for {
                let from := records.offset
            } lt(hash, fields) {
                hash := add(hash, 0x20)
                from := add(from, 0x20)
            } {
                // The three checks of each record are those of the compiler: its head, then the length and the bytes of
                // its payload, lie within the calldata.
                let entry := calldataload(from)
                if iszero(slt(entry, sub(sub(calldatasize(), records.offset), 0x5f))) {
                    revert(0, 0)
                }
                entry := add(records.offset, entry)
                let payload := calldataload(add(entry, 0x40))
                if iszero(slt(payload, sub(sub(calldatasize(), entry), 0x1f))) {
                    revert(0, 0)
                }
                payload := add(entry, payload)
                let length := calldataload(payload)
                payload := add(payload, 0x20)
                if or(shr(64, length), sgt(payload, sub(calldatasize(), length))) {
                    revert(0, 0)
                }
                calldatacopy(add(fields, 0xc0), payload, length)
                // Word by word: a malformed offset may lead to the last addresses, after which calldataload begins at 0
                // again, and calldatacopy does not.
                mstore(add(fields, 0x40), calldataload(entry))
                mstore(add(fields, 0x60), calldataload(add(entry, 0x20)))
                mstore(add(fields, 0xa0), keccak256(add(fields, 0xc0), length))
                mstore(hash, keccak256(fields, 0xc0))
            }
        }
    }

    /// @dev See {ProvenanceLedger}.
    function _hashAppend(bytes32[] memory hashes) private pure returns (bytes32) {
        bytes32 recordsHash;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            recordsHash := keccak256(add(hashes, 0x20), mul(mload(hashes), 0x20))
        }
        return Hashes.efficientKeccak256(APPEND_TYPEHASH, recordsHash);
    }
}
