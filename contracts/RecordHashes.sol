// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {IProvenanceLedger} from "./IProvenanceLedger.sol";

/// @title Record hashes
/// @notice The EIP-712 struct hashes of records and batches, and the hash chain of a stream.
library RecordHashes {
    bytes32 private constant RECORD_TYPEHASH = keccak256(
        "Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
    );
    bytes32 private constant APPEND_TYPEHASH = keccak256(
        "Append(Record[] records)Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
    );

    /// @dev Struct hash of a `Record`.
    function hashRecord(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        bytes calldata payload
    ) internal pure returns (bytes32) {
        return keccak256(abi.encode(RECORD_TYPEHASH, tenant, stream, id, author, keccak256(payload)));
    }

    /// @dev Struct hashes of a batch's records. Reverts where a record or its payload is not within the calldata.
    function hashRecords(
        bytes32 tenant,
        address author,
        IProvenanceLedger.Record[] calldata records
    ) internal pure returns (bytes32[] memory hashes) {
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

    /// @dev Struct hash of an `Append`. The array is encoded as the hash of its elements' struct hashes, in order.
    function hashAppend(bytes32[] memory hashes) internal pure returns (bytes32) {
        bytes32 recordsHash;
        // Solidity can hash an array's elements only by way of `encodePacked`, which copies them first.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            recordsHash := keccak256(add(hashes, 0x20), mul(mload(hashes), 0x20))
        }
        return Hashes.efficientKeccak256(APPEND_TYPEHASH, recordsHash);
    }

    /// @dev Head of a stream after one more record: `bytes28(keccak256(abi.encode(head, digest)))`.
    function extendHead(bytes28 head, bytes32 digest) internal pure returns (bytes28) {
        return bytes28(Hashes.efficientKeccak256(head, digest));
    }
}
