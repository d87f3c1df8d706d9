// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Re-entrant wallet
/// @notice For tests: a wallet that takes every signature and, while it is asked, calls its asker back.
/// @dev Not an {IERC1271} by inheritance, because that function is `view` and this one tries to do harm.
contract ReentrantWallet {
    /// @dev A state change in a static call burns all the gas it is given; the rest is for the answer.
    uint256 private constant GAS_OF_ATTACK = 500_000;

    bytes private _attack;

    /// @notice Sets what the wallet calls its asker with.
    function prepare(bytes calldata attack) external {
        _attack = attack;
    }

    /// @notice Calls the asker back and takes the signature. What became of the call is to be seen in the asker's state.
    function isValidSignature(bytes32, bytes calldata) external returns (bytes4) {
        // solhint-disable-next-line avoid-low-level-calls
        (bool succeeded, ) = msg.sender.call{gas: GAS_OF_ATTACK}(_attack);
        succeeded;
        return IERC1271.isValidSignature.selector;
    }
}
