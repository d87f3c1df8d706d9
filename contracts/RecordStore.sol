// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IProvenanceLedger} from "./IProvenanceLedger.sol";
import {MerkleTree} from "./MerkleTree.sol";

/// @title Record store
/// @notice What the ledger stores of each tenant, and the loop that appends records.
/// @dev The loop is in assembly, and so are those of {RecordHashes} and {MerkleTree}. It stops at a record that the
/// ledger refuses; Solidity then finds the reason, so assembly never encodes an error. The plain Solidity of all three
/// is contracts/test/PlainProvenanceLedger.sol, and test/invariants/PlainEquivalence.t.sol compares them.
abstract contract RecordStore {
    using MerkleTree for MerkleTree.Peaks;

    /// @dev A hash and a counter in one storage word: a record's hash and sequence, or a stream's head and count. The
    /// loop writes the word: the 28 bytes in its lower bits, as Solidity places the first member.
    struct Link {
        bytes28 hash;
        uint32 sequence;
    }

    /// @dev Everything of one tenant. A tenant exists when it has an administrator, and then always has one. The loop
    /// expects `streams` in the slot after `records`.
    struct Tenant {
        address administrator;
        uint64 treeSize;
        address successor;
        mapping(address account => bool isWriter) writers;
        mapping(bytes32 id => Link record) records;
        mapping(bytes32 stream => Link last) streams;
        MerkleTree.Peaks peaks;
    }

    uint256 internal constant PAYLOAD_BYTES_MAX = 65_536;

    mapping(bytes32 tenant => Tenant content) internal _tenants;

    /// @dev Appends records whose author has been checked, each exactly once: two storage words, one log, and one leaf
    /// of the tenant's tree. `hashes` are their EIP-712 struct hashes, which this destroys.
    function _append(
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record[] calldata records,
        bytes32[] memory hashes,
        bytes32 domainSeparator
    ) internal {
        if (records.length == 0) revert IProvenanceLedger.LedgerNoRecords();
        Tenant storage content = _tenants[tenant];
        uint256 scratch = _prepare(tenant, author, domainSeparator);
        uint256 processed = _appendRecords(content.records, records, hashes, scratch);
        if (processed < records.length) _refuse(tenant, records[processed]);
        uint256 added = hashes.length;
        if (added == 0) return;
        uint64 size = content.treeSize;
        content.treeSize = size + uint64(added);
        content.peaks.extend(size, hashes);
    }

    /// @dev Appends one record after another. Returns how many were processed before one that must be refused, and
    /// leaves in `hashes` the leaves of those that were new. `links` are the tenant's records, `scratch` is what
    /// {_prepare} returned.
    // solhint-disable-next-line function-max-lines
    function _appendRecords(
        mapping(bytes32 id => Link record) storage links,
        IProvenanceLedger.Record[] calldata records,
        bytes32[] memory hashes,
        uint256 scratch
    ) private returns (uint256 processed) {
        // In Solidity, the compiler checks each offset of the calldata again ({RecordHashes-hashRecords} did), and
        // copies what it hashes and logs to fresh memory. That is more than half of the steps.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            let from := records.offset
            let leaf := add(hashes, 0x20)
            for {} lt(processed, records.length) {
                from := add(from, 0x20)
                processed := add(processed, 1)
            } {
                let entry := add(records.offset, calldataload(from))
                let payload := add(entry, calldataload(add(entry, 0x40)))
                let length := calldataload(payload)
                // The length 0 wraps around to the greatest number.
                if gt(sub(length, 1), 65535) {
                    break
                }

                mstore(add(scratch, 0x40), mload(add(add(hashes, 0x20), shl(5, processed))))
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
                {
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

                    mstore(add(scratch, 0x80), shr(224, link))
                    mstore(add(scratch, 0xa0), digest)
                    mstore(add(scratch, 0xc0), shl(32, head))
                    mstore(sub(scratch, 0xa0), digest)
                    mstore(sub(scratch, 0x80), or(shl(32, head), shr(224, link)))
                }
                // SHA-256 is there (the constructor checks it), so it fails only when the gas runs out.
                if iszero(staticcall(gas(), 2, sub(scratch, 0xa1), 0x51, leaf, 0x20)) {
                    invalid()
                }
                leaf := add(leaf, 0x20)

                // The payload with its length, after its padding: the last word is cleared, then partly written.
                let padded := and(add(length, 0x1f), not(0x1f))
                mstore(add(add(scratch, 0x100), padded), 0)
                calldatacopy(add(scratch, 0x100), payload, add(length, 0x20))
                mstore(0x00, calldataload(add(entry, 0x20)))
                mstore(0x20, calldataload(entry))
                log4(
                    add(scratch, 0x60),
                    add(0xc0, padded),
                    mload(sub(scratch, 0x20)),
                    mload(sub(scratch, 0x40)),
                    mload(0x20),
                    mload(0x00)
                )
            }
            mstore(hashes, shr(5, sub(sub(leaf, hashes), 0x20)))
        }
    }

    /// @dev Reverts with the reason for which a record cannot be appended.
    function _refuse(bytes32 tenant, IProvenanceLedger.Record calldata record) private view {
        uint256 length = record.payload.length;
        if (length == 0) revert IProvenanceLedger.LedgerPayloadEmpty(record.id);
        if (length > PAYLOAD_BYTES_MAX) {
            revert IProvenanceLedger.LedgerPayloadTooLarge(record.id, length, PAYLOAD_BYTES_MAX);
        }
        if (_tenants[tenant].records[record.id].sequence != 0) {
            revert IProvenanceLedger.LedgerRecordConflict(tenant, record.id);
        }
        revert IProvenanceLedger.LedgerStreamFull(tenant, record.stream);
    }

    /// @dev Memory for {_appendRecords}. Before the returned address: the input of a leaf's hash (the byte 0 at the end
    /// of a word; digest; head and sequence; block number and time, 8 bytes each), then tenant and the log's first
    /// topic. From there: the input of a digest (prefix, domain separator, struct hash), then the log's data (author,
    /// sequence, digest, head, offset of the payload, its length and bytes). Nothing may allocate memory until the last
    /// record is appended.
    function _prepare(bytes32 tenant, address author, bytes32 domainSeparator) private view returns (uint256 scratch) {
        bytes32 topic = IProvenanceLedger.RecordAppended.selector;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            scratch := add(mload(0x40), 0xc0)
            mstore(sub(scratch, 0xc0), 0)
            mstore(sub(scratch, 0x60), or(shl(192, number()), shl(128, timestamp())))
            mstore(sub(scratch, 0x40), tenant)
            mstore(sub(scratch, 0x20), topic)
            mstore(scratch, 0x1901)
            mstore(add(scratch, 0x20), domainSeparator)
            mstore(add(scratch, 0x60), author)
            mstore(add(scratch, 0xe0), 0xa0)
        }
    }
}
