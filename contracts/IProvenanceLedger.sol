// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Provenance ledger
/// @notice An append-only ledger of records, each appended to a stream of one tenant, signed by an author who is a
/// registered writer of that tenant, and carried to the chain by anyone.
///
/// Keys: a tenant, a stream and a record are named by `keccak256` of the UTF-8 bytes of their API identity
/// (`tenant/<uuid>`, `assets/<uuid>`, `assets/<uuid>/events/<uuid>`). Streams and record ids are scoped by tenant: two
/// tenants that use the same key have two unrelated streams, so that nobody can occupy or extend another's.
///
/// Digest of a record: its EIP-712 typed-data hash in this contract's domain (name `ProvenanceLedger`, version `1`,
/// chain id, contract address), of the type
/// `Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)`.
/// What an author signs is one batch: `Append(Record[] records)` in the same domain.
///
/// Head of a stream: a hash chain over the digests of its records in order, `bytes28` wide:
/// `head(0) = 0`, `head(n) = bytes28(keccak256(abi.encode(head(n - 1), digest(n))))`.
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
    /// @param tenant Key of the tenant.
    /// @param author Account that signed: an externally owned one, or an ERC-1271 wallet.
    /// @param records Records in the order in which they are appended.
    /// @param signature Signature of the EIP-712 digest of `Append(Record[] records)`.
    struct SignedBatch {
        bytes32 tenant;
        address author;
        Record[] records;
        bytes signature;
    }

    /// @notice A record was appended. Exactly one of these is emitted per record, ever.
    /// @param sequence Position of the record in its stream, counted from 1.
    /// @param digest EIP-712 digest of the record.
    /// @param head Head of the stream after this record.
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
    event TenantAdmitted(bytes32 indexed tenant, address indexed administrator);
    event TenantAdministrationTransferStarted(bytes32 indexed tenant, address indexed administrator, address indexed successor);
    event TenantAdministrationTransferred(bytes32 indexed tenant, address indexed administrator, address indexed successor);
    event WriterAdded(bytes32 indexed tenant, address indexed writer);
    event WriterRemoved(bytes32 indexed tenant, address indexed writer);

    error LedgerNoRecords();
    error LedgerNotWriter(bytes32 tenant, address author);
    error LedgerInvalidSignature(bytes32 tenant, address author);
    /// @notice The id is taken by a record with other content (another stream, author or payload).
    error LedgerRecordConflict(bytes32 tenant, bytes32 id);
    error LedgerPayloadEmpty(bytes32 id);
    error LedgerPayloadTooLarge(bytes32 id, uint256 length, uint256 maximum);
    error LedgerStreamFull(bytes32 tenant, bytes32 stream);
    error LedgerTenantExists(bytes32 tenant);
    error LedgerNotTenantAdministrator(bytes32 tenant, address account);
    error LedgerNotTenantSuccessor(bytes32 tenant, address account);
    error LedgerInvalidAccount(address account);

    /// @notice Appends records of the caller, who must be a writer of the tenant. No signature: the transaction is one.
    /// A record whose id is already there with the same content is passed over in silence.
    /// Emits a {RecordAppended} event for each record that is new.
    function append(bytes32 tenant, Record[] calldata records) external;

    /// @notice Appends batches that their authors signed; the caller is only the relayer.
    /// Each author must be a writer of the batch's tenant. All batches are appended, or none.
    /// Emits a {RecordAppended} event for each record that is new.
    function appendSigned(SignedBatch[] calldata batches) external;

    /// @notice Admits a tenant. Only the ledger's administrator (the contract's owner), who can do nothing else.
    function admitTenant(bytes32 tenant, address administrator) external;

    /// @notice Begins the hand-over of a tenant's administration; the zero address calls a begun one off.
    function transferTenantAdministration(bytes32 tenant, address successor) external;

    /// @notice Completes the hand-over. Only the named successor.
    function acceptTenantAdministration(bytes32 tenant) external;

    /// @notice Registers a writer of the tenant. Only the tenant's administrator. Adding a writer again changes nothing.
    function addWriter(bytes32 tenant, address writer) external;

    /// @notice Removes a writer of the tenant; what it wrote stays. Only the tenant's administrator.
    function removeWriter(bytes32 tenant, address writer) external;

    /// @notice Largest payload in bytes.
    function MAX_PAYLOAD_BYTES() external view returns (uint256);

    function administratorOf(bytes32 tenant) external view returns (address);

    /// @notice The named successor of the tenant's administrator, or zero.
    function successorOf(bytes32 tenant) external view returns (address);

    function isWriter(bytes32 tenant, address account) external view returns (bool);

    /// @notice The stored hash of a record (its digest's first 28 bytes) and its position in its stream, from 1.
    /// Zeros when there is no such record.
    function recordOf(bytes32 tenant, bytes32 id) external view returns (bytes28 hash, uint32 sequence);

    /// @notice Head and number of records of a stream. Zeros when there is no such stream.
    function streamOf(bytes32 tenant, bytes32 stream) external view returns (bytes28 head, uint32 count);

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

    /// @notice Whether these digests, in this order, are the complete history of the stream: none missing, added or moved.
    function verifyHistory(bytes32 tenant, bytes32 stream, bytes32[] calldata digests) external view returns (bool);
}
