// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Stub wallet
/// @notice For tests: answers every call with the same bytes.
contract StubWallet {
    bytes private _answer;

    /// @notice Creates a wallet with this response.
    constructor(bytes memory answer) {
        _answer = answer;
    }

    /// @notice Returns the response.
    fallback(bytes calldata) external returns (bytes memory) /* solhint-disable-line no-complex-fallback */ {
        return _answer;
    }
}
