// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Owned wallet
/// @notice For tests: a plain ERC-1271 wallet that signs and acts for its owner.
contract OwnedWallet is IERC1271, Ownable {
    /// @notice Creates a wallet of the owner.
    constructor(address owner) Ownable(owner) {}

    /// @notice Makes the wallet call a contract.
    function execute(address target, bytes calldata data) external onlyOwner {
        Address.functionCall(target, data);
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bool isOwners = SignatureChecker.isValidSignatureNow(owner(), hash, signature);
        return isOwners ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
