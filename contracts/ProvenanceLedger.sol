// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IProvenanceLedger} from "./IProvenanceLedger.sol";
import {MerkleTree} from "./MerkleTree.sol";
import {RecordHashes} from "./RecordHashes.sol";
import {RecordStore} from "./RecordStore.sol";

/// @title Provenance ledger
/// @notice See {IProvenanceLedger}. No proxy, no delete, no pause: no account can change or remove a record.
/// @dev The owner is the ledger's administrator. The only foreign code that runs is the ERC-1271 check of an author who
/// is a registered writer: a static call, made before anything of that author's batch is written.
contract ProvenanceLedger is IProvenanceLedger, EIP712, Ownable2Step, RecordStore {
    using MerkleTree for MerkleTree.Peaks;

    /// @inheritdoc IProvenanceLedger
    uint256 public constant override MAX_PAYLOAD_BYTES = PAYLOAD_BYTES_MAX;

    /// @dev Restricts a function to the administrator of the tenant.
    modifier onlyTenantAdministrator(bytes32 tenant) {
        if (_tenants[tenant].administrator != msg.sender) revert LedgerNotTenantAdministrator(tenant, msg.sender);
        _;
    }

    /// @notice Creates an empty ledger.
    /// @param administrator The ledger's administrator.
    constructor(address administrator) EIP712("ProvenanceLedger", "1") Ownable(administrator) {
        // Where the chain has no SHA-256, a call of it succeeds and returns nothing.
        // solhint-disable-next-line avoid-low-level-calls
        (, bytes memory hash) = address(2).staticcall("abc");
        bytes32 expected = 0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad;
        if (bytes32(hash) != expected) revert LedgerNoSha256();
    }

    /// @inheritdoc IProvenanceLedger
    function append(bytes32 tenant, Record[] calldata records) external {
        _requireWriter(tenant, msg.sender);
        bytes32[] memory hashes = RecordHashes.hashRecords(tenant, msg.sender, records);
        _append(tenant, msg.sender, records, hashes, _domainSeparatorV4());
    }

    /// @inheritdoc IProvenanceLedger
    function appendSigned(SignedBatch[] calldata batches) external {
        if (batches.length == 0) revert LedgerNoRecords();
        for (uint256 i = 0; i < batches.length; ++i) {
            _appendSigned(batches[i]);
        }
    }

    /// @inheritdoc IProvenanceLedger
    function admitTenant(bytes32 tenant, address administrator) external onlyOwner {
        _requireAccount(administrator);
        if (_tenants[tenant].administrator != address(0)) revert LedgerTenantExists(tenant);
        _tenants[tenant].administrator = administrator;
        emit TenantAdmitted(tenant, administrator);
    }

    /// @inheritdoc IProvenanceLedger
    function transferTenantAdministration(bytes32 tenant, address successor) external onlyTenantAdministrator(tenant) {
        _tenants[tenant].successor = successor;
        emit TenantAdministrationTransferStarted(tenant, msg.sender, successor);
    }

    /// @inheritdoc IProvenanceLedger
    function acceptTenantAdministration(bytes32 tenant) external {
        Tenant storage content = _tenants[tenant];
        if (content.successor != msg.sender) revert LedgerNotTenantSuccessor(tenant, msg.sender);
        address predecessor = content.administrator;
        content.administrator = msg.sender;
        delete content.successor;
        emit TenantAdministrationTransferred(tenant, predecessor, msg.sender);
    }

    /// @inheritdoc IProvenanceLedger
    function addWriter(bytes32 tenant, address writer) external onlyTenantAdministrator(tenant) {
        _requireAccount(writer);
        if (_tenants[tenant].writers[writer]) return;
        _tenants[tenant].writers[writer] = true;
        emit WriterAdded(tenant, writer);
    }

    /// @inheritdoc IProvenanceLedger
    function removeWriter(bytes32 tenant, address writer) external onlyTenantAdministrator(tenant) {
        if (!_tenants[tenant].writers[writer]) return;
        delete _tenants[tenant].writers[writer];
        emit WriterRemoved(tenant, writer);
    }

    /// @inheritdoc IProvenanceLedger
    function attest(Attestation[] calldata attestations) external {
        if (attestations.length == 0) revert LedgerNoAttestations();
        for (uint256 i = 0; i < attestations.length; ++i) {
            _attest(attestations[i]);
        }
    }

    /// @inheritdoc IProvenanceLedger
    function administratorOf(bytes32 tenant) external view returns (address) {
        return _tenants[tenant].administrator;
    }

    /// @inheritdoc IProvenanceLedger
    function successorOf(bytes32 tenant) external view returns (address) {
        return _tenants[tenant].successor;
    }

    /// @inheritdoc IProvenanceLedger
    function isWriter(bytes32 tenant, address account) external view returns (bool) {
        return _tenants[tenant].writers[account];
    }

    /// @inheritdoc IProvenanceLedger
    function recordOf(bytes32 tenant, bytes32 id) external view returns (bytes28 hash, uint32 sequence) {
        Link memory record = _tenants[tenant].records[id];
        return (record.hash, record.sequence);
    }

    /// @inheritdoc IProvenanceLedger
    function streamOf(bytes32 tenant, bytes32 stream) external view returns (bytes28 head, uint32 count) {
        Link memory last = _tenants[tenant].streams[stream];
        return (last.hash, last.sequence);
    }

    /// @inheritdoc IProvenanceLedger
    function treeOf(bytes32 tenant) external view returns (uint64 size, bytes32 root) {
        Tenant storage content = _tenants[tenant];
        size = content.treeSize;
        root = content.peaks.root(size);
    }

    /// @inheritdoc IProvenanceLedger
    function digestOf(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        bytes calldata payload
    ) external view returns (bytes32) {
        return _hashTypedDataV4(RecordHashes.hashRecord(tenant, stream, id, author, payload));
    }

    /// @inheritdoc IProvenanceLedger
    function verifyRecord(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        uint32 sequence,
        bytes calldata payload
    ) external view returns (bool) {
        Link memory record = _tenants[tenant].records[id];
        if (record.sequence == 0 || record.sequence != sequence) return false;
        return record.hash == bytes28(_hashTypedDataV4(RecordHashes.hashRecord(tenant, stream, id, author, payload)));
    }

    /// @inheritdoc IProvenanceLedger
    function verifyHistory(bytes32 tenant, bytes32 stream, bytes32[] calldata digests) external view returns (bool) {
        Link memory last = _tenants[tenant].streams[stream];
        if (digests.length != last.sequence) return false;
        bytes28 head;
        for (uint256 i = 0; i < digests.length; ++i) {
            head = RecordHashes.extendHead(head, digests[i]);
        }
        return head == last.hash;
    }

    /// @dev Logs what the ledger holds of one tenant.
    function _attest(Attestation calldata attestation) private {
        bytes32 tenant = attestation.tenant;
        Tenant storage content = _tenants[tenant];
        emit TenantAttested(tenant, content.treeSize, content.peaks.root(content.treeSize));
        for (uint256 i = 0; i < attestation.streams.length; ++i) {
            Link memory last = content.streams[attestation.streams[i]];
            emit StreamAttested(tenant, attestation.streams[i], last.hash, last.sequence);
        }
        for (uint256 i = 0; i < attestation.ids.length; ++i) {
            Link memory record = content.records[attestation.ids[i]];
            emit RecordAttested(tenant, attestation.ids[i], record.hash, record.sequence);
        }
        for (uint256 i = 0; i < attestation.accounts.length; ++i) {
            address account = attestation.accounts[i];
            emit WriterAttested(tenant, account, content.writers[account]);
        }
    }

    /// @dev Appends one author's batch after checking that the author may write and did sign.
    function _appendSigned(SignedBatch calldata batch) private {
        _requireWriter(batch.tenant, batch.author);
        bytes32[] memory hashes = RecordHashes.hashRecords(batch.tenant, batch.author, batch.records);
        bytes32 digest = _hashTypedDataV4(RecordHashes.hashAppend(hashes));
        if (!_isSignedBy(batch.author, digest, batch.signature)) {
            revert LedgerInvalidSignature(batch.tenant, batch.author);
        }
        _append(batch.tenant, batch.author, batch.records, hashes, _domainSeparatorV4());
    }

    /// @dev Whether the account signed the digest: with its own key, or else, if it has code, as an ERC-1271 wallet. An
    /// account that delegates to code (EIP-7702) still has its key, so the key comes first.
    function _isSignedBy(address account, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError problem, ) = ECDSA.tryRecover(digest, signature);
        if (problem == ECDSA.RecoverError.NoError && signer == account) return true;
        return account.code.length > 0 && SignatureChecker.isValidERC1271SignatureNow(account, digest, signature);
    }

    function _requireWriter(bytes32 tenant, address author) private view {
        if (!_tenants[tenant].writers[author]) revert LedgerNotWriter(tenant, author);
    }

    function _requireAccount(address account) private pure {
        if (account == address(0)) revert LedgerInvalidAccount(account);
    }
}
