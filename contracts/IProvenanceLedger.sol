// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Provenance ledger
/// @notice An append-only ledger of records, each appended to a stream of one tenant, signed by an author who is a
/// registered writer of that tenant. Anyone can relay a signed record to the chain.
///
/// Keys: a tenant, a stream and a record are named by `keccak256` of the UTF-8 bytes of their API identity
/// (`tenant/<uuid>`, `assets/<uuid>`, `assets/<uuid>/events/<uuid>`). Streams and record ids are scoped by tenant: two
/// tenants that use the same key have two unrelated streams, so that no tenant can occupy or extend another's.
///
/// Digest of a record: its EIP-712 typed-data hash in this contract's domain (name `ProvenanceLedger`, version `1`,
/// chain id, contract address; readable by `eip712Domain()`, ERC-5267), of the type
/// `Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)`.
/// An author signs one batch: `Append(Record[] records)` in the same domain.
///
/// Head of a stream: a hash chain over the digests of its records in order, `bytes28` wide:
/// `head(0) = 0`, `head(n) = bytes28(keccak256(abi.encode(head(n - 1), digest(n))))`.
///
/// Tree of a tenant: an RFC 9162 Merkle tree with SHA-256 over all records of the tenant, in the order of the chain.
/// Leaf of a record, with the head of its stream after it, big-endian integers, and the time in seconds:
/// `SHA-256(0x00 ‖ digest ‖ head ‖ uint32 sequence ‖ uint64 block number ‖ uint64 block time)`.
/// The root of an empty tree is the SHA-256 of nothing. {attest} logs root and size, so that one receipt proves every
/// record before it.
///
/// Roles: the ledger's administrator (the contract's owner) admits tenants and can do nothing else. A tenant's
/// administrator registers that tenant's writers. A writer appends to that tenant's streams. A relayer, who may be
/// anyone, submits what writers signed and pays for it.
interface IProvenanceLedger {
    /// @notice One record as its author submits it.
    /// @param stream Key of the stream that the record extends.
    /// @param id Key of the record, unique within the tenant.
    /// @param payload Opaque bytes, 1 to `MAX_PAYLOAD_BYTES`; the first byte is the format version.
    struct Record {
        bytes32 stream;
        bytes32 id;
        bytes payload;
    }

    /// @notice The records of one author for one tenant, in order, with the author's signature over all of them.
    /// @dev The signature proves that the author made these records, in this order. It does not expire, and it does not
    /// determine their positions in their streams: these follow from the order in which batches reach the chain.
    /// Relaying a batch again changes nothing, because a record is appended exactly once. A signature that was handed
    /// to a relayer can be revoked only by removing the writer.
    /// @param tenant Key of the tenant.
    /// @param author Account that signed: an externally owned one, or an ERC-1271 wallet.
    /// @param records Records in the order in which they are appended.
    /// @param signature Signature of the EIP-712 digest of `Append(Record[] records)`: 65 bytes `r, s, v` with the
    /// lower `s` of the author's own key, or else, if the author has code, whatever it accepts as an ERC-1271 wallet.
    struct SignedBatch {
        bytes32 tenant;
        address author;
        Record[] records;
        bytes signature;
    }

    /// @notice What {attest} is asked to log of one tenant, besides its tree.
    /// @param tenant Key of the tenant.
    /// @param streams Keys of streams.
    /// @param ids Keys of records.
    /// @param accounts Accounts that may be writers.
    struct Attestation {
        bytes32 tenant;
        bytes32[] streams;
        bytes32[] ids;
        address[] accounts;
    }

    /// @notice A record was appended. Exactly one of these is emitted per record, ever.
    /// @param tenant Key of the tenant.
    /// @param stream Key of the stream.
    /// @param id Key of the record.
    /// @param author Author of the record, regardless of the relayer.
    /// @param sequence Position of the record in its stream, counted from 1.
    /// @param digest EIP-712 digest of the record.
    /// @param head Head of the stream after this record.
    /// @param payload The record's bytes.
    event RecordAppended(
        bytes32 indexed tenant,
        bytes32 indexed stream,
        bytes32 indexed id,
        address author,
        uint32 sequence,
        bytes32 digest,
        bytes28 head,
        bytes payload
    );

    /// @notice A tenant was admitted, with its first administrator.
    event TenantAdmitted(bytes32 indexed tenant, address indexed administrator);

    /// @notice The hand-over of a tenant's administration began, or was cancelled if `successor` is zero.
    event TenantAdministrationTransferStarted(
        bytes32 indexed tenant,
        address indexed administrator,
        address indexed successor
    );

    /// @notice The tenant's administration passed from `administrator` to `successor`.
    event TenantAdministrationTransferred(
        bytes32 indexed tenant,
        address indexed administrator,
        address indexed successor
    );

    /// @notice An account became a writer of the tenant.
    event WriterAdded(bytes32 indexed tenant, address indexed writer);

    /// @notice An account ceased to be a writer of the tenant.
    event WriterRemoved(bytes32 indexed tenant, address indexed writer);

    /// @notice The tenant's tree at this position of the chain. Size 0, and the root of an empty tree, when the tenant
    /// has no records or does not exist.
    /// @param tenant Key of the tenant.
    /// @param size Number of records of the tenant.
    /// @param root Root of its tree.
    event TenantAttested(bytes32 indexed tenant, uint64 size, bytes32 root);

    /// @notice Head and count of a stream at this position of the chain; zeros when there is no such stream.
    event StreamAttested(bytes32 indexed tenant, bytes32 indexed stream, bytes28 head, uint32 count);

    /// @notice Hash and sequence of a record at this position of the chain; zeros when there is no such record.
    event RecordAttested(bytes32 indexed tenant, bytes32 indexed id, bytes28 hash, uint32 sequence);

    /// @notice Whether the account may write to the tenant's streams at this position of the chain.
    event WriterAttested(bytes32 indexed tenant, address indexed account, bool isWriter);

    /// @notice The chain has no SHA-256 (the precompiled contract 2), which the trees need.
    error LedgerNoSha256();

    /// @notice There is nothing to append: no batch, or a batch without records.
    error LedgerNoRecords();

    /// @notice There is nothing to attest.
    error LedgerNoAttestations();

    /// @notice The author is not a writer of the tenant.
    error LedgerNotWriter(bytes32 tenant, address author);

    /// @notice The signature is not the author's signature of this batch on this chain for this contract.
    error LedgerInvalidSignature(bytes32 tenant, address author);

    /// @notice The id belongs to a record with other content (another stream, author or payload).
    error LedgerRecordConflict(bytes32 tenant, bytes32 id);

    /// @notice The record has no payload.
    error LedgerPayloadEmpty(bytes32 id);

    /// @notice The record's payload is longer than `maximum` bytes.
    error LedgerPayloadTooLarge(bytes32 id, uint256 length, uint256 maximum);

    /// @notice The stream holds as many records as a sequence can count.
    error LedgerStreamFull(bytes32 tenant, bytes32 stream);

    /// @notice The tenant was admitted before.
    error LedgerTenantExists(bytes32 tenant);

    /// @notice The account is not the tenant's administrator.
    error LedgerNotTenantAdministrator(bytes32 tenant, address account);

    /// @notice The account is not the named successor of the tenant's administrator.
    error LedgerNotTenantSuccessor(bytes32 tenant, address account);

    /// @notice The account can hold no role: it is the zero address.
    error LedgerInvalidAccount(address account);

    /// @notice Appends records of the caller, who must be a writer of the tenant. No signature: the transaction is one.
    /// A record whose id is in the ledger already, with the same content, is skipped.
    /// Emits a {RecordAppended} event for each record that is new.
    function append(bytes32 tenant, Record[] calldata records) external;

    /// @notice Appends batches that their authors signed; the caller is only the relayer.
    /// Each author must be a writer of the batch's tenant. All batches are appended, or none.
    /// A record whose id is in the ledger already, with the same content, is skipped.
    /// Emits a {RecordAppended} event for each record that is new.
    function appendSigned(SignedBatch[] calldata batches) external;

    /// @notice Logs what the ledger holds of tenants, so that a receipt proves it after the state is gone. Anyone can
    /// call it; it changes nothing. For each tenant, in order: a {TenantAttested} event, then a {StreamAttested},
    /// {RecordAttested} or {WriterAttested} event for each stream, record and account that is named.
    function attest(Attestation[] calldata attestations) external;

    /// @notice Admits a tenant. Only the ledger's administrator (the contract's owner), who can do nothing else.
    /// Emits a {TenantAdmitted} event.
    function admitTenant(bytes32 tenant, address administrator) external;

    /// @notice Begins the hand-over of a tenant's administration; the zero address cancels it.
    /// Only the tenant's administrator. Emits a {TenantAdministrationTransferStarted} event.
    function transferTenantAdministration(bytes32 tenant, address successor) external;

    /// @notice Completes the hand-over. Only the named successor. Emits a {TenantAdministrationTransferred} event.
    function acceptTenantAdministration(bytes32 tenant) external;

    /// @notice Registers a writer of the tenant. Only the tenant's administrator.
    /// Emits a {WriterAdded} event; adding a writer again changes nothing and emits nothing.
    function addWriter(bytes32 tenant, address writer) external;

    /// @notice Removes a writer of the tenant; its records stay. Only the tenant's administrator.
    /// Emits a {WriterRemoved} event; removing an account that is not a writer changes nothing and emits nothing.
    function removeWriter(bytes32 tenant, address writer) external;

    /// @notice Largest payload in bytes.
    function MAX_PAYLOAD_BYTES() external view returns (uint256); // solhint-disable-line func-name-mixedcase

    /// @notice The tenant's administrator, or zero when there is no such tenant.
    function administratorOf(bytes32 tenant) external view returns (address);

    /// @notice The named successor of the tenant's administrator, or zero.
    function successorOf(bytes32 tenant) external view returns (address);

    /// @notice Whether the account may write to the tenant's streams now.
    function isWriter(bytes32 tenant, address account) external view returns (bool);

    /// @notice The stored hash of a record (its digest's first 28 bytes) and its position in its stream, from 1.
    /// Zeros when there is no such record.
    function recordOf(bytes32 tenant, bytes32 id) external view returns (bytes28 hash, uint32 sequence);

    /// @notice Head and number of records of a stream. Zeros when there is no such stream.
    function streamOf(bytes32 tenant, bytes32 stream) external view returns (bytes28 head, uint32 count);

    /// @notice Number of records of a tenant, and the root of its tree. See {TenantAttested}.
    function treeOf(bytes32 tenant) external view returns (uint64 size, bytes32 root);

    /// @notice The EIP-712 digest of a record with this content, whether it is in the ledger or not.
    function digestOf(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        bytes calldata payload
    ) external view returns (bytes32);

    /// @notice Whether exactly this record, by this author, is in the ledger at this position of its stream.
    function verifyRecord(
        bytes32 tenant,
        bytes32 stream,
        bytes32 id,
        address author,
        uint32 sequence,
        bytes calldata payload
    ) external view returns (bool);

    /// @notice Whether these digests, in this order, are the complete history of the stream: none missing, added or
    /// moved.
    /// The empty list is the complete history of a stream without records.
    function verifyHistory(bytes32 tenant, bytes32 stream, bytes32[] calldata digests) external view returns (bool);
}
