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

    /// @notice The account of a private key.
    function addr(uint256 privateKey) external pure returns (address account);

    /// @notice Signs a digest.
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
}

/// @dev The address of forge's cheat codes.
ICheats constant CHEATS = ICheats(address(uint160(uint256(keccak256("hevm cheat code")))));
