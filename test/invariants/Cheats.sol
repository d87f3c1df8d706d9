// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Cheat codes
/// @notice The cheat codes of forge that the invariant tests use.
interface ICheats {
    /// @notice A log of the last recording.
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    /// @notice Sets the sender of the next call.
    function prank(address account) external;

    /// @notice Starts to record logs.
    function recordLogs() external;

    /// @notice The logs since the last call of this function, in their order.
    function getRecordedLogs() external returns (Log[] memory logs);

    /// @notice Sets the code of an account.
    function etch(address account, bytes calldata code) external;

    /// @notice Sets a storage word of an account.
    function store(address account, bytes32 slot, bytes32 word) external;

    /// @notice Sets the number of the block.
    function roll(uint256 number) external;

    /// @notice Sets the time of the block, in seconds.
    function warp(uint256 timestamp) external;

    /// @notice Saves the state of all accounts, and returns its number.
    function snapshotState() external returns (uint256 snapshot);

    /// @notice Returns to a saved state.
    function revertToState(uint256 snapshot) external returns (bool isDone);

    /// @notice Starts to record which storage words are read and written.
    function record() external;

    /// @notice The storage words of an account that were read and written since {record}.
    function accesses(address account) external returns (bytes32[] memory reads, bytes32[] memory writes);

    /// @notice A storage word of an account.
    function load(address account, bytes32 slot) external view returns (bytes32 word);

    /// @notice The account of a private key.
    function addr(uint256 privateKey) external pure returns (address account);

    /// @notice Signs a digest.
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
}

/// @dev The address of forge's cheat codes.
ICheats constant CHEATS = ICheats(address(uint160(uint256(keccak256("hevm cheat code")))));
