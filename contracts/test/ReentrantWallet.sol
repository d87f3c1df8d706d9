// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Re-entrant wallet
/// @notice For tests: a wallet that accepts every signature and calls its caller back during the check.
/// @dev Not an {IERC1271} by inheritance, because that function is `view` and this one attempts a state change.
contract ReentrantWallet {
    /// @dev A state change in a static call burns all the gas of the call; the rest remains for the response.
    uint256 private constant GAS_OF_ATTACK = 500_000;

    bytes private _attack;

    /// @notice Sets the data with which the wallet calls its caller back.
    function prepare(bytes calldata attack) external {
        _attack = attack;
    }

    /// @notice Calls the caller back and accepts the signature. The caller's state shows the effect of the call.
    function isValidSignature(bytes32, bytes calldata) external returns (bytes4) {
        // solhint-disable-next-line avoid-low-level-calls
        (bool succeeded, ) = msg.sender.call{gas: GAS_OF_ATTACK}(_attack);
        succeeded;
        return IERC1271.isValidSignature.selector;
    }
}
