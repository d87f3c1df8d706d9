// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IProvenanceLedger} from "../../contracts/IProvenanceLedger.sol";
import {CHEATS, ICheats} from "./Cheats.sol";
import {LedgerModel} from "./LedgerModel.sol";

/// @title The calls that forge makes at random
/// @notice Each call is sent to the ledger and to the model: both must succeed or revert with the same error, and the
/// ledger must log exactly the records that the model appended. There are few accounts, tenants, streams and ids, so
/// that repetitions, conflicts and attempts on other tenants are frequent.
contract LedgerCalls {
    /// @notice The ledger and its model disagree on the outcome of a call.
    error Disagreement(bytes call, bytes ofLedger, bytes ofModel);

    /// @notice The ledger's log differs from the record that the model appended.
    error WrongLog(uint256 index);

    /// @notice Number of tenants that the calls name; two of them are admitted at the start.
    uint256 public constant TENANTS = 3;
    /// @notice Number of streams that the calls name.
    uint256 public constant STREAMS = 3;
    /// @notice Number of record ids that the calls name.
    uint256 public constant IDS = 24;
    /// @notice Number of accounts that the calls name. Account 0 is the ledger's administrator.
    uint256 public constant ACCOUNTS = 6;
    uint256 private constant RECORDS_MAX = 5;
    uint256 private constant PAYLOAD_BYTES_MAX = 65_536;

    IProvenanceLedger private immutable _LEDGER;
    LedgerModel private immutable _MODEL;
    // Derived once: a derivation takes longer than most calls.
    address[] private _accounts;

    /// @notice Number of `RecordAppended` logs of the ledger.
    uint256 public logs;

    /// @notice Admits two tenants with an administrator and two writers each; one account is a writer of both.
    constructor(IProvenanceLedger ledger, LedgerModel model) {
        _LEDGER = ledger;
        _MODEL = model;
        CHEATS.recordLogs();
        for (uint256 i = 0; i < ACCOUNTS; ++i) _accounts.push(CHEATS.addr(i + 1));
        for (uint256 tenant = 0; tenant < 2; ++tenant) {
            _admitTenant(accountAt(0), tenantAt(tenant), accountAt(tenant + 1));
            _addWriter(accountAt(tenant + 1), tenantAt(tenant), accountAt(tenant + 3));
            _addWriter(accountAt(tenant + 1), tenantAt(tenant), accountAt(5));
        }
    }

    /// @notice A batch of one author, sent by the author.
    function append(uint256 seed) external {
        bytes32 tenant = _pickTenant(seed);
        _append(_pickAuthor(seed, tenant), tenant, _pickRecords(seed));
    }

    /// @notice Up to three batches, relayed by any account. Some batches have another account's signature.
    function appendSigned(uint256 seed) external {
        uint256 length = _pick(seed, "batches", 4);
        IProvenanceLedger.SignedBatch[] memory batches = new IProvenanceLedger.SignedBatch[](length);
        bool[] memory isSigned = new bool[](length);
        for (uint256 i = 0; i < length; ++i) {
            (batches[i], isSigned[i]) = _pickBatch(uint256(keccak256(abi.encode(seed, i))));
        }
        _compare(
            accountAt(_pick(seed, "relayer", ACCOUNTS)),
            abi.encodeCall(IProvenanceLedger.appendSigned, (batches)),
            abi.encodeCall(LedgerModel.appendSigned, (batches, isSigned))
        );
    }

    /// @notice A record that was appended before, unchanged or with one part changed, also for another tenant.
    function appendAgain(uint256 seed) external {
        if (_MODEL.count() == 0) return;
        LedgerModel.Entry memory entry = _MODEL.entryAt(_pick(seed, "entry", _MODEL.count()));
        uint256 change = _pick(seed, "change", 8);
        if (change == 0) entry.stream = streamAt(_pick(seed, "stream", STREAMS));
        if (change == 1) entry.author = accountAt(_pick(seed, "author", ACCOUNTS));
        if (change == 2) entry.payload = bytes.concat(entry.payload, hex"00");
        if (change == 3) entry.tenant = _pickTenant(seed);
        IProvenanceLedger.Record[] memory records = new IProvenanceLedger.Record[](1);
        records[0] = IProvenanceLedger.Record(entry.stream, entry.id, entry.payload);
        _append(entry.author, entry.tenant, records);
    }

    /// @notice A tenant is admitted, mostly by the ledger's administrator.
    function admitTenant(uint256 seed) external {
        address caller = accountAt(_pick(seed, "rightful", 2) == 0 ? 0 : _pick(seed, "caller", ACCOUNTS));
        _admitTenant(caller, _pickTenant(seed), _pickAccountOrZero(seed));
    }

    /// @notice A hand-over begins or is cancelled, mostly by the tenant's administrator.
    function transferTenantAdministration(uint256 seed) external {
        bytes32 tenant = _pickTenant(seed);
        address caller = _pickAdministrator(seed, tenant);
        address successor = _pickAccountOrZero(seed);
        _compare(
            caller,
            abi.encodeCall(IProvenanceLedger.transferTenantAdministration, (tenant, successor)),
            abi.encodeCall(LedgerModel.transferTenantAdministration, (caller, tenant, successor))
        );
    }

    /// @notice A hand-over is completed, mostly by the named successor.
    function acceptTenantAdministration(uint256 seed) external {
        bytes32 tenant = _pickTenant(seed);
        address successor = _MODEL.successorOf(tenant);
        bool isRightful = successor != address(0) && _pick(seed, "rightful", 4) != 0;
        address caller = isRightful ? successor : accountAt(_pick(seed, "caller", ACCOUNTS));
        _compare(
            caller,
            abi.encodeCall(IProvenanceLedger.acceptTenantAdministration, (tenant)),
            abi.encodeCall(LedgerModel.acceptTenantAdministration, (caller, tenant))
        );
    }

    /// @notice A writer is added, mostly by the tenant's administrator.
    function addWriter(uint256 seed) external {
        bytes32 tenant = _pickTenant(seed);
        _addWriter(_pickAdministrator(seed, tenant), tenant, _pickAccountOrZero(seed));
    }

    /// @notice A writer is removed, mostly by the tenant's administrator.
    function removeWriter(uint256 seed) external {
        bytes32 tenant = _pickTenant(seed);
        address caller = _pickAdministrator(seed, tenant);
        address writer = _pickAccountOrZero(seed);
        _compare(
            caller,
            abi.encodeCall(IProvenanceLedger.removeWriter, (tenant, writer)),
            abi.encodeCall(LedgerModel.removeWriter, (caller, tenant, writer))
        );
    }

    /// @notice Blocks and seconds pass.
    function passTime(uint256 seed) external {
        CHEATS.roll(block.number + _pick(seed, "blocks", 1 << 20));
        CHEATS.warp(block.timestamp + _pick(seed, "seconds", 1 << 24));
    }

    /// @notice Private keys are 1 to `ACCOUNTS`.
    function accountAt(uint256 index) public view returns (address) {
        return _accounts[index];
    }

    /// @notice Key of a tenant.
    function tenantAt(uint256 index) public pure returns (bytes32) {
        return keccak256(abi.encode("tenant", index));
    }

    /// @notice Key of a stream; every tenant uses the same keys.
    function streamAt(uint256 index) public pure returns (bytes32) {
        return keccak256(abi.encode("assets", index));
    }

    /// @notice Key of a record; every tenant uses the same keys.
    function idAt(uint256 index) public pure returns (bytes32) {
        return keccak256(abi.encode("events", index));
    }

    function _append(address caller, bytes32 tenant, IProvenanceLedger.Record[] memory records) private {
        _compare(
            caller,
            abi.encodeCall(IProvenanceLedger.append, (tenant, records)),
            abi.encodeCall(LedgerModel.append, (caller, tenant, records))
        );
    }

    function _admitTenant(address caller, bytes32 tenant, address administrator) private {
        _compare(
            caller,
            abi.encodeCall(IProvenanceLedger.admitTenant, (tenant, administrator)),
            abi.encodeCall(LedgerModel.admitTenant, (caller, tenant, administrator))
        );
    }

    function _addWriter(address caller, bytes32 tenant, address writer) private {
        _compare(
            caller,
            abi.encodeCall(IProvenanceLedger.addWriter, (tenant, writer)),
            abi.encodeCall(LedgerModel.addWriter, (caller, tenant, writer))
        );
    }

    /// @dev Calls the ledger and the model, and compares outcome, error and logs.
    function _compare(address caller, bytes memory call, bytes memory modelCall) private {
        uint256 first = _MODEL.count();
        CHEATS.getRecordedLogs();
        CHEATS.prank(caller);
        // solhint-disable-next-line avoid-low-level-calls
        (bool isDone, bytes memory answer) = address(_LEDGER).call(call);
        ICheats.Log[] memory recorded = CHEATS.getRecordedLogs();
        // solhint-disable-next-line avoid-low-level-calls
        (bool isExpected, bytes memory expected) = address(_MODEL).call(modelCall);
        if (isDone != isExpected || keccak256(answer) != keccak256(expected))
            revert Disagreement(call, answer, expected);
        if (isDone) _compareLogs(recorded, first);
    }

    function _compareLogs(ICheats.Log[] memory recorded, uint256 first) private {
        uint256 next = first;
        for (uint256 i = 0; i < recorded.length; ++i) {
            if (recorded[i].topics[0] != IProvenanceLedger.RecordAppended.selector) continue;
            if (next == _MODEL.count() || !_isLogOf(recorded[i], next)) revert WrongLog(i);
            ++next;
        }
        if (next != _MODEL.count()) revert WrongLog(recorded.length);
        logs += next - first;
    }

    function _isLogOf(ICheats.Log memory log, uint256 index) private view returns (bool) {
        LedgerModel.Entry memory entry = _MODEL.entryAt(index);
        bytes28 head = _MODEL.headOf(_MODEL.digestsOf(entry.tenant, entry.stream), entry.sequence);
        bytes memory data = abi.encode(entry.author, entry.sequence, entry.digest, head, entry.payload);
        bool isIndexed = log.topics[1] == entry.tenant && log.topics[2] == entry.stream && log.topics[3] == entry.id;
        return log.emitter == address(_LEDGER) && isIndexed && keccak256(log.data) == keccak256(data);
    }

    function _pickBatch(uint256 seed) private view returns (IProvenanceLedger.SignedBatch memory batch, bool isSigned) {
        bytes32 tenant = _pickTenant(seed);
        address author = _pickAuthor(seed, tenant);
        IProvenanceLedger.Record[] memory records = _pickRecords(seed);
        uint256 signer = _pick(seed, "forged", 8) == 0 ? _pick(seed, "signer", ACCOUNTS) : _indexOf(author);
        (uint8 v, bytes32 r, bytes32 s) = CHEATS.sign(signer + 1, _MODEL.batchDigestOf(tenant, author, records));
        batch = IProvenanceLedger.SignedBatch(tenant, author, records, abi.encodePacked(r, s, v));
        isSigned = accountAt(signer) == author;
    }

    function _pickTenant(uint256 seed) private pure returns (bytes32) {
        return tenantAt(_pick(seed, "tenant", TENANTS));
    }

    /// @dev Mostly a writer of the tenant.
    function _pickAuthor(uint256 seed, bytes32 tenant) private view returns (address) {
        uint256 first = _pick(seed, "author", ACCOUNTS);
        if (_pick(seed, "rightful", 8) == 0) return accountAt(first);
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            address account = accountAt((first + i) % ACCOUNTS);
            if (_MODEL.isWriter(tenant, account)) return account;
        }
        return accountAt(first);
    }

    /// @dev Mostly the administrator of the tenant.
    function _pickAdministrator(uint256 seed, bytes32 tenant) private view returns (address) {
        address administrator = _MODEL.administratorOf(tenant);
        bool isRightful = administrator != address(0) && _pick(seed, "rightful", 4) != 0;
        return isRightful ? administrator : accountAt(_pick(seed, "caller", ACCOUNTS));
    }

    function _pickAccountOrZero(uint256 seed) private view returns (address) {
        return _pick(seed, "zero", 8) == 0 ? address(0) : accountAt(_pick(seed, "account", ACCOUNTS));
    }

    function _pickRecords(uint256 seed) private pure returns (IProvenanceLedger.Record[] memory records) {
        records = new IProvenanceLedger.Record[](_pick(seed, "records", RECORDS_MAX + 1));
        for (uint256 i = 0; i < records.length; ++i) {
            records[i] = _pickRecord(uint256(keccak256(abi.encode(seed, "record", i))));
        }
    }

    /// @dev An id mostly has one stream and one payload, so that appending it again is mostly a repetition.
    function _pickRecord(uint256 seed) private pure returns (IProvenanceLedger.Record memory) {
        uint256 index = _pick(seed, "id", IDS);
        uint256 stream = _pick(seed, "moved", 32) == 0 ? _pick(seed, "stream", STREAMS) : index % STREAMS;
        return IProvenanceLedger.Record(streamAt(stream), idAt(index), _pickPayload(seed, index));
    }

    function _pickPayload(uint256 seed, uint256 index) private pure returns (bytes memory) {
        uint256 kind = _pick(seed, "payload", 64);
        if (kind == 0) return "";
        if (kind == 1) return new bytes(PAYLOAD_BYTES_MAX + 1);
        if (kind == 2) return abi.encode(seed);
        return abi.encode(index);
    }

    function _indexOf(address account) private view returns (uint256 index) {
        while (accountAt(index) != account) ++index;
    }

    function _pick(uint256 seed, string memory what, uint256 length) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, what))) % length;
    }
}
