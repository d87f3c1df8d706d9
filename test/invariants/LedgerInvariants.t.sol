// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// forge recognises an invariant by its prefix.
// solhint-disable func-name-mixedcase

import {IProvenanceLedger} from "../../contracts/IProvenanceLedger.sol";
import {ProvenanceLedger} from "../../contracts/ProvenanceLedger.sol";
import {CHEATS, ICheats} from "./Cheats.sol";
import {LedgerCalls} from "./LedgerCalls.sol";
import {LedgerModel} from "./LedgerModel.sol";

/// @title Invariants of the ledger
/// @notice forge checks the invariant after each of its random calls (see {LedgerCalls}).
contract LedgerInvariants {
    /// @notice Head, count or history of a stream differ from the model's.
    error WrongStream(bytes32 tenant, bytes32 stream);

    /// @notice A record is missing, or is not what it was when it was appended.
    error WrongRecord(bytes32 tenant, bytes32 id);

    /// @notice The ledger has records that were never appended.
    error WrongRecordCount(uint256 ofLedger, uint256 ofModel);

    /// @notice Administrator, successor or writers of a tenant differ from the model's.
    error WrongRoles(bytes32 tenant);

    /// @notice Size or root of a tenant's tree differ from the model's.
    error WrongTree(bytes32 tenant);

    /// @notice A log of {IProvenanceLedger-attest} is not what the ledger's functions return.
    error WrongAttestation(bytes32 tenant);

    /// @notice An attestation changed the storage.
    error AttestationWrites();

    /// @notice The number of logged records differs from the sum of the streams' counts.
    error WrongLogCount(uint256 logs, uint256 records);

    ProvenanceLedger private _ledger;
    LedgerModel private _model;
    LedgerCalls private _calls;

    /// @notice Runs before each sequence of calls.
    function setUp() external {
        address owner = CHEATS.addr(1);
        _ledger = new ProvenanceLedger(owner);
        _model = new LedgerModel(address(_ledger), owner);
        _calls = new LedgerCalls(_ledger, _model);
    }

    /// @notice The only contract that forge calls.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_calls);
    }

    /// @notice The ledger equals its model: streams, records, roles and logs.
    function invariant_ledgerEqualsModel() external view {
        uint256 counted = 0;
        uint256 ids = 0;
        for (uint256 i = 0; i < _calls.TENANTS(); ++i) {
            bytes32 tenant = _calls.tenantAt(i);
            counted += _checkStreams(tenant);
            ids += _countIds(tenant);
            _checkRoles(tenant);
            _checkTree(tenant);
        }
        _checkEntries();
        if (ids != _model.count()) revert WrongRecordCount(ids, _model.count());
        if (counted != _model.count() || counted != _calls.logs()) revert WrongLogCount(_calls.logs(), counted);
    }

    /// @notice An attestation of everything logs what the ledger stores, in its order, and writes nothing.
    function invariant_attestationEqualsStorage() external {
        IProvenanceLedger.Attestation[] memory all = new IProvenanceLedger.Attestation[](_calls.TENANTS());
        for (uint256 i = 0; i < all.length; ++i) all[i] = _attestAll(_calls.tenantAt(i));
        CHEATS.getRecordedLogs();
        CHEATS.record();
        _ledger.attest(all);
        (, bytes32[] memory written) = CHEATS.accesses(address(_ledger));
        if (written.length > 0) revert AttestationWrites();
        ICheats.Log[] memory recorded = CHEATS.getRecordedLogs();
        uint256 first = 0;
        for (uint256 i = 0; i < all.length; ++i) first = _checkAttested(all[i], recorded, first);
        if (first != recorded.length) revert WrongAttestation(0);
    }

    /// @dev Everything that the calls name.
    function _attestAll(bytes32 tenant) private view returns (IProvenanceLedger.Attestation memory all) {
        all = IProvenanceLedger.Attestation(
            tenant,
            new bytes32[](_calls.STREAMS()),
            new bytes32[](_calls.IDS()),
            new address[](_calls.ACCOUNTS())
        );
        for (uint256 i = 0; i < all.streams.length; ++i) all.streams[i] = _calls.streamAt(i);
        for (uint256 i = 0; i < all.ids.length; ++i) all.ids[i] = _calls.idAt(i);
        for (uint256 i = 0; i < all.accounts.length; ++i) all.accounts[i] = _calls.accountAt(i);
    }

    /// @dev The logs of one tenant, from `next` on; returns the index after them.
    function _checkAttested(
        IProvenanceLedger.Attestation memory asked,
        ICheats.Log[] memory recorded,
        uint256 next
    ) private view returns (uint256) {
        bytes32 tenant = asked.tenant;
        (uint64 size, bytes32 root) = _ledger.treeOf(tenant);
        _checkLog(recorded[next], IProvenanceLedger.TenantAttested.selector, tenant, "", abi.encode(size, root));
        ++next;
        for (uint256 i = 0; i < asked.streams.length; ++i) {
            (bytes28 head, uint32 count) = _ledger.streamOf(tenant, asked.streams[i]);
            bytes32 topic = IProvenanceLedger.StreamAttested.selector;
            _checkLog(recorded[next + i], topic, tenant, bytes.concat(asked.streams[i]), abi.encode(head, count));
        }
        next += asked.streams.length;
        for (uint256 i = 0; i < asked.ids.length; ++i) {
            (bytes28 hash, uint32 sequence) = _ledger.recordOf(tenant, asked.ids[i]);
            bytes32 topic = IProvenanceLedger.RecordAttested.selector;
            _checkLog(recorded[next + i], topic, tenant, bytes.concat(asked.ids[i]), abi.encode(hash, sequence));
        }
        next += asked.ids.length;
        for (uint256 i = 0; i < asked.accounts.length; ++i) {
            bool isWriter = _ledger.isWriter(tenant, asked.accounts[i]);
            bytes32 topic = IProvenanceLedger.WriterAttested.selector;
            _checkLog(recorded[next + i], topic, tenant, abi.encode(asked.accounts[i]), abi.encode(isWriter));
        }
        return next + asked.accounts.length;
    }

    function _checkLog(
        ICheats.Log memory log,
        bytes32 topic,
        bytes32 tenant,
        bytes memory lastTopic,
        bytes memory data
    ) private pure {
        bytes memory topics = bytes.concat(topic, tenant, lastTopic);
        bool isSame = keccak256(abi.encodePacked(log.topics)) == keccak256(topics);
        if (!isSame || keccak256(log.data) != keccak256(data)) revert WrongAttestation(tenant);
    }

    function _checkTree(bytes32 tenant) private view {
        (uint64 size, bytes32 root) = _ledger.treeOf(tenant);
        (uint64 expectedSize, bytes32 expectedRoot) = _model.treeOf(tenant);
        if (size != expectedSize || root != expectedRoot) revert WrongTree(tenant);
    }

    /// @dev Head, count and complete history of each stream; returns the sum of the counts.
    function _checkStreams(bytes32 tenant) private view returns (uint256 counted) {
        for (uint256 i = 0; i < _calls.STREAMS(); ++i) {
            bytes32 stream = _calls.streamAt(i);
            bytes32[] memory digests = _model.digestsOf(tenant, stream);
            (bytes28 head, uint32 count) = _ledger.streamOf(tenant, stream);
            bool isSame = head == _model.headOf(digests, digests.length) && count == digests.length;
            if (!isSame || !_ledger.verifyHistory(tenant, stream, digests)) revert WrongStream(tenant, stream);
            counted += count;
        }
    }

    /// @dev Each record that was ever appended is unchanged.
    function _checkEntries() private view {
        uint256 count = _model.count();
        for (uint256 i = 0; i < count; ++i) {
            (bytes32 tenant, bytes32 id, bytes32 digest, uint32 expected) = _model.recordAt(i);
            (bytes28 hash, uint32 sequence) = _ledger.recordOf(tenant, id);
            if (hash != bytes28(digest) || sequence != expected) revert WrongRecord(tenant, id);
        }
    }

    /// @dev Number of ids that have a record. The model has each id of a tenant once and all of its records exist, so
    /// equal numbers mean that no record exists which the tenant's writers did not append.
    function _countIds(bytes32 tenant) private view returns (uint256 counted) {
        uint256 ids = _calls.IDS();
        for (uint256 i = 0; i < ids; ++i) {
            (, uint32 sequence) = _ledger.recordOf(tenant, _calls.idAt(i));
            if (sequence != 0) ++counted;
        }
    }

    function _checkRoles(bytes32 tenant) private view {
        bool isSame =
            _ledger.administratorOf(tenant) == _model.administratorOf(tenant) &&
                _ledger.successorOf(tenant) == _model.successorOf(tenant);
        for (uint256 i = 0; i < _calls.ACCOUNTS(); ++i) {
            address account = _calls.accountAt(i);
            isSame = isSame && _ledger.isWriter(tenant, account) == _model.isWriter(tenant, account);
        }
        if (!isSame) revert WrongRoles(tenant);
    }
}
