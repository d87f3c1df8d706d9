// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Merkle tree
/// @notice The tree of RFC 9162 (and RFC 6962) with SHA-256: a node's hash is `SHA-256(0x01 ‖ left ‖ right)`, and the
/// root of an empty tree is the hash of nothing.
/// @dev Of a tree, only the peaks are stored: the roots of the complete subtrees that its size is the sum of. Level n
/// has a peak when bit n of the size is set; the word of another level means nothing.
library MerkleTree {
    /// @dev Peaks by level, the level of the leaves first. No tree has more levels: sizes have 64 bits.
    struct Peaks {
        bytes32[64] levels;
    }

    /// @dev Appends leaf hashes to a tree of `size` leaves. Destroys `leaves`. Writes each peak once, and only those
    /// that the new tree has.
    function extend(Peaks storage peaks, uint256 size, bytes32[] memory leaves) internal {
        // In Solidity, each hash is a copy to fresh memory and a check of each index.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            let first := add(leaves, 0x20)
            let count := mload(leaves)
            let peak := peaks.slot
            // What is hashed: 0x01 ‖ left ‖ right, after the 31 bytes of padding of the first.
            let pair := mload(0x40)
            mstore(pair, 1)
            // From level to level: the nodes that the leaves add to the level become those of the next one, in place.
            for {} count {
                size := shr(1, size)
                peak := add(peak, 1)
            } {
                let from := first
                // The peak of the level is the left neighbour of the first node.
                if and(size, 1) {
                    mstore(leaves, sload(peak))
                    from := leaves
                    count := add(count, 1)
                }
                // The last of an odd number is the new peak.
                if and(count, 1) {
                    sstore(peak, mload(add(from, shl(5, sub(count, 1)))))
                }
                count := shr(1, count)
                let end := add(first, shl(5, count))
                for {
                    let to := first
                } lt(to, end) {
                    to := add(to, 0x20)
                    from := add(from, 0x40)
                } {
                    mstore(add(pair, 0x20), mload(from))
                    mstore(add(pair, 0x40), mload(add(from, 0x20)))
                    // SHA-256 is there (the constructor checks it), so it fails only when the gas runs out.
                    if iszero(staticcall(gas(), 2, add(pair, 0x1f), 0x41, to, 0x20)) {
                        invalid()
                    }
                }
            }
        }
    }

    /// @dev Root of a tree of `size` leaves.
    function root(Peaks storage peaks, uint256 size) internal view returns (bytes32 node) {
        if (size == 0) return sha256("");
        uint256 level = 0;
        while ((size >> level) & 1 == 0) ++level;
        node = peaks.levels[level];
        for (++level; size >> level != 0; ++level) {
            if ((size >> level) & 1 == 1) node = sha256(abi.encodePacked(bytes1(0x01), peaks.levels[level], node));
        }
    }
}
