// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Stub wallet
/// @notice For tests: answers every call with the same bytes.
contract StubWallet {
    bytes private _answer;

    /// @notice Creates a wallet that answers so.
    constructor(bytes memory answer) {
        _answer = answer;
    }

    /// @notice Answers.
    fallback(bytes calldata) external returns (bytes memory) /* solhint-disable-line no-complex-fallback */ {
        return _answer;
    }
}
