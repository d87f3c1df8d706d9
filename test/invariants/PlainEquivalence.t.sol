// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// forge recognises a fuzz test by its prefix.
// solhint-disable func-name-mixedcase

import {IProvenanceLedger} from "../../contracts/IProvenanceLedger.sol";
import {ProvenanceLedger} from "../../contracts/ProvenanceLedger.sol";
import {PlainProvenanceLedger} from "../../contracts/test/PlainProvenanceLedger.sol";
import {CHEATS, ICheats} from "./Cheats.sol";
import {LedgerModel} from "./LedgerModel.sol";

/// @title Equivalence of the ledger and its plain form
/// @notice forge sends sequences of random calls to one address, each first with the plain contract's code, then, from
/// the same state, with the ledger's. Both must succeed, or revert with the same bytes; log the same; and write
/// the same storage words. Batches are mostly well formed; others have words changed or are cut off.
contract PlainEquivalence {
    /// @notice One contract succeeds and the other reverts, or they return different bytes.
    error DifferentAnswer(bytes input, bytes plain, bytes ledger);

    /// @notice The contracts write different logs.
    error DifferentLogs(bytes input);

    /// @notice The contracts leave different words in the storage.
    error DifferentStorage(bytes input, bytes32 slot);

    /// @notice The calls of a sequence produced less variety than the test relies on.
    error TooLittleVariety(uint256 appended, uint256 refused);

    struct Outcome {
        bool isDone;
        bytes answer;
        ICheats.Log[] logs;
        bytes32[] slots;
        bytes32[] words;
    }

    uint256 private constant CALLS = 12;
    uint256 private constant RECORDS_MAX = 6;
    uint256 private constant STREAMS = 3;
    uint256 private constant IDS = 16;
    uint256 private constant WRITER_KEY = 2;
    /// @dev Slot of the tenants: after the two words of the ownership and the two of EIP-712.
    uint256 private constant TENANTS_SLOT = 4;
    /// @dev Places of the streams and the peaks in what is stored of a tenant.
    uint256 private constant STREAMS_OFFSET = 4;
    uint256 private constant PEAKS_OFFSET = 5;
    bytes32 private constant TENANT = keccak256("tenant");

    address private _ledger;
    address private _writer;
    LedgerModel private _model;
    bytes private _plainCode;
    bytes private _ledgerCode;

    /// @notice Runs before each sequence.
    function setUp() external {
        address owner = CHEATS.addr(1);
        _writer = CHEATS.addr(WRITER_KEY);
        ProvenanceLedger ledger = new ProvenanceLedger(owner);
        _ledger = address(ledger);
        _ledgerCode = _ledger.code;
        _plainCode = address(new PlainProvenanceLedger(owner)).code;
        _model = new LedgerModel(_ledger, owner);
        CHEATS.prank(owner);
        ledger.admitTenant(TENANT, _writer);
        CHEATS.prank(_writer);
        ledger.addWriter(TENANT, _writer);
        CHEATS.recordLogs();
        CHEATS.record();
    }

    /// @notice A sequence of calls, of which each sees what those before it wrote, from a tree of any size on.
    function testFuzz_ledgerEqualsPlain(uint256 seed) external {
        _setTree(seed);
        for (uint256 i = 0; i < CALLS; ++i) {
            _compare(_pickCaller(seed), _pickCall(seed));
            seed = uint256(keccak256(abi.encode(seed)));
        }
    }

    /// @notice A batch that nothing is wrong with is appended by both, and repeated without an effect.
    /// forge-config: default.fuzz.runs = 16
    function testFuzz_appendsWhatIsWellFormed(uint256 seed) external {
        IProvenanceLedger.Record[] memory records = new IProvenanceLedger.Record[](1 + _pick(seed, "length", 200));
        for (uint256 i = 0; i < records.length; ++i) {
            bytes32 id = keccak256(abi.encode(seed, i));
            bytes memory payload = new bytes(1 + (uint256(id) % 700));
            records[i] = IProvenanceLedger.Record(_streamAt(uint256(id) % STREAMS), id, payload);
        }
        bytes memory input = abi.encodeCall(IProvenanceLedger.append, (TENANT, records));
        uint256 appended = _compare(_writer, input);
        uint256 repeated = _compare(_writer, input);
        if (appended != records.length || repeated != 0) revert TooLittleVariety(appended, repeated);
    }

    /// @notice The last record of a stream, and the one after it.
    /// forge-config: default.fuzz.runs = 16
    function testFuzz_fullStream(uint256 seed) external {
        bytes32 tenantSlot = keccak256(abi.encode(TENANT, TENANTS_SLOT));
        bytes32 slot = keccak256(abi.encode(_streamAt(0), uint256(tenantSlot) + STREAMS_OFFSET));
        // The count before the last, above any head.
        uint256 last = (uint256(type(uint32).max - 1) << 224) | (seed >> 32);
        CHEATS.store(_ledger, slot, bytes32(last));
        IProvenanceLedger.Record[] memory records = new IProvenanceLedger.Record[](1);
        uint256 appended = 0;
        for (uint256 i = 0; i < 3; ++i) {
            records[0] = IProvenanceLedger.Record(_streamAt(0), keccak256(abi.encode(seed, i)), hex"01");
            appended += _compare(_writer, abi.encodeCall(IProvenanceLedger.append, (TENANT, records)));
        }
        if (appended != 1) revert TooLittleVariety(appended, 3 - appended);
    }

    /// @dev Gives the tenant a tree of a random size, with a random word for each level: often just below
    /// a power of two, so that a record changes many levels.
    function _setTree(uint256 seed) private {
        uint256 slot = uint256(keccak256(abi.encode(TENANT, TENANTS_SLOT)));
        uint256 size = (uint256(1) << (2 + _pick(seed, "power", 61))) - 1 - _pick(seed, "below", 3);
        if (_pick(seed, "any", 2) == 0) size = _pick(seed, "size", 1 << 40);
        bytes32 word = CHEATS.load(_ledger, bytes32(slot));
        CHEATS.store(_ledger, bytes32(slot), bytes32((size << 160) | uint160(uint256(word))));
        for (uint256 level = 0; level < 64; ++level) {
            CHEATS.store(_ledger, bytes32(slot + PEAKS_OFFSET + level), keccak256(abi.encode(seed, "peak", level)));
        }
    }

    /// @dev Sends a call to both and compares. Keeps what the ledger wrote. Returns the number of logs.
    function _compare(address caller, bytes memory input) private returns (uint256 logs) {
        uint256 snapshot = CHEATS.snapshotState();
        Outcome memory plain = _run(_plainCode, caller, input);
        CHEATS.revertToState(snapshot);
        Outcome memory ours = _run(_ledgerCode, caller, input);
        if (plain.isDone != ours.isDone || keccak256(plain.answer) != keccak256(ours.answer))
            revert DifferentAnswer(input, plain.answer, ours.answer);
        if (keccak256(abi.encode(plain.logs)) != keccak256(abi.encode(ours.logs))) revert DifferentLogs(input);
        _compareWords(input, plain, ours);
        _compareWords(input, ours, plain);
        return ours.logs.length;
    }

    function _run(bytes memory code, address caller, bytes memory input) private returns (Outcome memory outcome) {
        CHEATS.etch(_ledger, code);
        CHEATS.getRecordedLogs();
        CHEATS.record();
        CHEATS.prank(caller);
        // solhint-disable-next-line avoid-low-level-calls
        (outcome.isDone, outcome.answer) = _ledger.call(input);
        outcome.logs = CHEATS.getRecordedLogs();
        (, outcome.slots) = CHEATS.accesses(_ledger);
        outcome.words = new bytes32[](outcome.slots.length);
        for (uint256 i = 0; i < outcome.slots.length; ++i) {
            outcome.words[i] = CHEATS.load(_ledger, outcome.slots[i]);
        }
    }

    /// @dev What one contract wrote, the other wrote, too. What a reverted call wrote is undone.
    function _compareWords(bytes memory input, Outcome memory one, Outcome memory other) private pure {
        if (!one.isDone) return;
        for (uint256 i = 0; i < one.slots.length; ++i) {
            uint256 j = 0;
            while (j < other.slots.length && other.slots[j] != one.slots[i]) ++j;
            bool isSame = j < other.slots.length && other.words[j] == one.words[i];
            if (!isSame) revert DifferentStorage(input, one.slots[i]);
        }
    }

    function _pickCaller(uint256 seed) private view returns (address) {
        return _pick(seed, "outsider", 16) == 0 ? address(this) : _writer;
    }

    function _pickCall(uint256 seed) private view returns (bytes memory input) {
        IProvenanceLedger.Record[] memory records = _pickRecords(seed);
        input =
            _pick(seed, "signed", 3) == 0
                ? abi.encodeCall(IProvenanceLedger.appendSigned, (_signBatches(seed, records)))
                : abi.encodeCall(IProvenanceLedger.append, (TENANT, records));
        uint256 changes = _pick(seed, "malformed", 2) == 0 ? 0 : 1 + _pick(seed, "changes", 2);
        for (uint256 i = 0; i < changes; ++i) {
            _changeWord(input, uint256(keccak256(abi.encode(seed, "change", i))));
        }
        if (_pick(seed, "cut", 8) == 0) input = _cut(input, _pick(seed, "length", input.length));
    }

    /// @dev One or two batches. Some have another account's signature.
    function _signBatches(
        uint256 seed,
        IProvenanceLedger.Record[] memory records
    ) private view returns (IProvenanceLedger.SignedBatch[] memory batches) {
        batches = new IProvenanceLedger.SignedBatch[](1 + _pick(seed, "batches", 2));
        for (uint256 i = 0; i < batches.length; ++i) {
            uint256 key = _pick(seed, "forged", 8) == 0 ? WRITER_KEY + 1 : WRITER_KEY;
            (uint8 v, bytes32 r, bytes32 s) = CHEATS.sign(key, _model.batchDigestOf(TENANT, _writer, records));
            batches[i] = IProvenanceLedger.SignedBatch(TENANT, _writer, records, abi.encodePacked(r, s, v));
        }
    }

    /// @dev Replaces one word of the arguments, most of which are offsets and lengths, by a word near what they may be.
    function _changeWord(bytes memory input, uint256 seed) private pure {
        uint256 place = 0x24 + 0x20 * _pick(seed, "word", (input.length - 4) / 0x20);
        uint256 kind = _pick(seed, "kind", 7);
        uint256 word = 0;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            word := mload(add(input, place))
        }
        if (kind == 0) word = _pick(seed, "small", input.length + 0x40);
        if (kind == 1) word = 0x20 * _pick(seed, "place", input.length / 0x20 + 2);
        if (kind == 2) word = uint256(-int256(0x20 * _pick(seed, "back", 12)));
        if (kind == 3) word ^= 1 << _pick(seed, "bit", 256);
        if (kind == 4) word = uint256(1) << (63 + _pick(seed, "power", 193));
        unchecked {
            if (kind == 5) word = word + _pick(seed, "more", 0x41) - 0x20;
            if (kind == 6) word = input.length - _pick(seed, "end", 0x60);
        }
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(add(input, place), word)
        }
    }

    function _cut(bytes memory input, uint256 length) private pure returns (bytes memory) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(input, length)
        }
        return input;
    }

    function _pickRecords(uint256 seed) private pure returns (IProvenanceLedger.Record[] memory records) {
        records = new IProvenanceLedger.Record[](_pick(seed, "records", RECORDS_MAX + 1));
        for (uint256 i = 0; i < records.length; ++i) {
            uint256 chosen = uint256(keccak256(abi.encode(seed, "record", i)));
            uint256 index = _pick(chosen, "id", IDS);
            bytes32 id = keccak256(abi.encode("events", index));
            uint256 stream = _pick(chosen, "moved", 32) == 0 ? _pick(chosen, "stream", STREAMS) : index % STREAMS;
            records[i] = IProvenanceLedger.Record(_streamAt(stream), id, _pickPayload(chosen, index));
        }
    }

    /// @dev Mostly one payload for each id, so that repetitions are frequent. Its length is any, also of whole words.
    function _pickPayload(uint256 seed, uint256 index) private pure returns (bytes memory) {
        uint256 kind = _pick(seed, "payload", 48);
        if (kind == 0) return "";
        if (kind == 1) return new bytes(65_536 + _pick(seed, "over", 2));
        bytes32 first = keccak256(abi.encode(index, kind == 2 ? seed : 0));
        return _cut(abi.encode(first, first, first, first), 1 + ((index * 37) % 128));
    }

    function _streamAt(uint256 index) private pure returns (bytes32) {
        return keccak256(abi.encode("assets", index));
    }

    function _pick(uint256 seed, string memory what, uint256 length) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, what))) % length;
    }
}
