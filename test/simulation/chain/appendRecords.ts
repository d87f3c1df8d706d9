// The contract's `append` and `appendSigned`, decoded and encoded by hand: they are most of what a simulation executes.
// Authors are externally owned accounts: an author with code (an ERC-1271 wallet) has no valid signature here.
import { advanceHead, EMPTY_HEAD, type RecordContent, toRecordStructHash } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { PAYLOAD_BYTES_MAX } from '../../../ledger/records/record.ts';
import { type CalldataElement, WORD } from './calldata.ts';
import { readAccount } from './chainState.ts';
import {
  emit,
  GAS,
  isWriter,
  type LedgerCall,
  readLink,
  revertWith,
  TOPICS,
  toAddressWord,
  toNumberWord,
  writeLink,
} from './ledgerCall.ts';
import { recoverSigner } from './recovery.ts';

const RECORD_WORDS = 3;
const BATCH_WORDS = 4;
const SIGNATURE_BYTES = 65;
const V_OFFSET = 27;
const LINK_HASH_BYTES = 28;
const SEQUENCE_MAX = 2 ** 32 - 1;

const APPEND_TYPEHASH = keccak256(
  Buffer.from(
    'Append(Record[] records)Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)',
    'ascii',
  ),
);
const EIP712_PREFIX = Uint8Array.of(0x19, 0x01);

interface HashedRecord extends RecordContent {
  /** EIP-712 struct hash. */
  readonly structHash: Uint8Array;
}

interface Batch {
  readonly tenant: Hex;
  readonly author: Hex;
  readonly records: readonly HashedRecord[];
}

const hashTypedData = ({ domainSeparator }: LedgerCall, structHash: Uint8Array): Uint8Array =>
  keccak256(EIP712_PREFIX, domainSeparator, structHash);

const requireWriter = (call: LedgerCall, tenant: Hex, author: Hex): void => {
  call.spend(GAS.CALL);
  if (!isWriter(call, tenant, author)) throw revertWith('LedgerNotWriter', tenant, toAddressWord(author));
};

// The contract hashes every record before it checks anything else of them.
const readRecords = (
  { calldata, spend }: LedgerCall,
  { tenant, author }: Omit<Batch, 'records'>,
  elements: readonly CalldataElement[],
): HashedRecord[] => {
  const tenantKey = fromHex(tenant);
  const authorBytes = fromHex(author);
  return elements.map((element) => {
    const at = element(RECORD_WORDS);
    const payload = calldata.bytes(at, at + 2 * WORD);
    spend(GAS.RECORD + Math.ceil(payload.length / WORD) * GAS.PAYLOAD_WORD);
    const [streamKey, recordKey] = [calldata.bytes32(at), calldata.bytes32(at + WORD)];
    const record = { tenantKey, streamKey, recordKey, author: authorBytes, payload };
    return { ...record, structHash: toRecordStructHash(record) };
  });
};

const requirePayload = ({ recordKey, payload }: RecordContent): void => {
  if (payload.length === 0) throw revertWith('LedgerPayloadEmpty', toHex(recordKey));
  if (payload.length <= PAYLOAD_BYTES_MAX) return;
  const words = [toHex(recordKey), toNumberWord(payload.length), toNumberWord(PAYLOAD_BYTES_MAX)];
  throw revertWith('LedgerPayloadTooLarge', ...words);
};

const isRecorded = (call: LedgerCall, tenant: Hex, record: RecordContent, hash: Uint8Array): boolean => {
  const recordKey = toHex(record.recordKey);
  const known = readLink(call, 'record', tenant, recordKey);
  if (known === undefined) return false;
  if (Buffer.compare(known.hash, hash) !== 0) throw revertWith('LedgerRecordConflict', tenant, recordKey);
  return true;
};

/** The data of a `RecordAppended` log. */
const encodeData = (
  author: Uint8Array,
  link: { sequence: number; head: Uint8Array },
  digest: Uint8Array,
  payload: Uint8Array,
): Hex => {
  const data = Buffer.alloc(6 * WORD + Math.ceil(payload.length / WORD) * WORD);
  data.set(author, WORD - author.length);
  data.writeUInt32BE(link.sequence, 2 * WORD - 4);
  data.set(digest, 2 * WORD);
  data.set(link.head, 3 * WORD);
  data.writeUInt32BE(5 * WORD, 5 * WORD - 4);
  data.writeUInt32BE(payload.length, 6 * WORD - 4);
  data.set(payload, 6 * WORD);
  return toHex(data);
};

const extendStream = (call: LedgerCall, tenant: Hex, stream: Hex, digest: Uint8Array) => {
  const last = readLink(call, 'stream', tenant, stream);
  const { hash, sequence } = last ?? { hash: EMPTY_HEAD, sequence: 0 };
  if (sequence === SEQUENCE_MAX) throw revertWith('LedgerStreamFull', tenant, stream);
  call.spend(last === undefined ? GAS.NEW_WORD : GAS.CHANGED_WORD);
  const head = advanceHead(hash, digest);
  writeLink(call, 'stream', tenant, stream, { hash: head, sequence: sequence + 1 });
  return { head, sequence: sequence + 1 };
};

const appendRecord = (call: LedgerCall, tenant: Hex, record: HashedRecord): void => {
  const digest = hashTypedData(call, record.structHash);
  requirePayload(record);
  const hash = digest.slice(0, LINK_HASH_BYTES);
  if (isRecorded(call, tenant, record, hash)) return;
  const stream = toHex(record.streamKey);
  const recordKey = toHex(record.recordKey);
  const link = extendStream(call, tenant, stream, digest);
  call.spend(GAS.NEW_WORD);
  writeLink(call, 'record', tenant, recordKey, { hash, sequence: link.sequence });
  const data = encodeData(record.author, link, digest, record.payload);
  emit(call, [TOPICS.RecordAppended, tenant, stream, recordKey], data);
};

const appendBatch = (call: LedgerCall, { tenant, records }: Batch): void => {
  if (records.length === 0) throw revertWith('LedgerNoRecords');
  for (const record of records) appendRecord(call, tenant, record);
};

const isSignatureOf = (call: LedgerCall, { author, records }: Batch, signature: Uint8Array): boolean => {
  const v = (signature[SIGNATURE_BYTES - 1] ?? 0) - V_OFFSET;
  if (signature.length !== SIGNATURE_BYTES || (v !== 0 && v !== 1)) return false;
  if (readAccount(call.state, author).code !== undefined) return false;
  const recordsHash = keccak256(...records.map(({ structHash }) => structHash));
  const digest = hashTypedData(call, keccak256(APPEND_TYPEHASH, recordsHash));
  return recoverSigner({ digest, signature: signature.subarray(0, SIGNATURE_BYTES - 1), yParity: v }) === author;
};

const requireSignature = (call: LedgerCall, batch: Batch, signature: Uint8Array): void => {
  call.spend(GAS.SIGNATURE);
  if (isSignatureOf(call, batch, signature)) return;
  throw revertWith('LedgerInvalidSignature', batch.tenant, toAddressWord(batch.author));
};

/** `append(bytes32 tenant, Record[] records)` */
export const append = (call: LedgerCall): void => {
  const { calldata, sender: author } = call;
  calldata.requireWords(2);
  const { start } = calldata;
  const elements = calldata.elements(start, start + WORD);
  const tenant = toHex(calldata.bytes32(start));
  requireWriter(call, tenant, author);
  appendBatch(call, { tenant, author, records: readRecords(call, { tenant, author }, elements) });
};

const appendSignedBatch = (call: LedgerCall, at: number): void => {
  const { calldata } = call;
  const tenant = toHex(calldata.bytes32(at));
  const author = calldata.address(at + WORD);
  requireWriter(call, tenant, author);
  const records = readRecords(call, { tenant, author }, calldata.elements(at, at + 2 * WORD));
  requireSignature(call, { tenant, author, records }, calldata.bytes(at, at + 3 * WORD));
  appendBatch(call, { tenant, author, records });
};

/** `appendSigned(SignedBatch[] batches)` */
export const appendSigned = (call: LedgerCall): void => {
  const { calldata } = call;
  calldata.requireWords(1);
  const batches = calldata.elements(calldata.start, calldata.start);
  if (batches.length === 0) throw revertWith('LedgerNoRecords');
  for (const batch of batches) appendSignedBatch(call, batch(BATCH_WORDS));
};
