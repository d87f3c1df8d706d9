// The contract's view functions. Each returns its result as words of the ABI.
import { advanceHead, EMPTY_HEAD, toRecordDigest } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { PAYLOAD_BYTES_MAX } from '../../../ledger/records/record.ts';
import { WORD } from './calldata.ts';
import {
  isWriter as holdsWriterRole,
  type LedgerCall,
  type LinkKind,
  readLink,
  readRole,
  toAddressWord,
  toNumberWord,
} from './ledgerCall.ts';
import { ROLE } from './ledgerRoles.ts';

/** Result of a view. */
export type View = (call: LedgerCall) => Hex;

const toBool = (value: boolean): Hex => toNumberWord(value ? 1 : 0);

const readKey = ({ calldata }: LedgerCall, index: number): Hex =>
  toHex(calldata.bytes32(calldata.start + index * WORD));

const viewRole =
  (role: string): View =>
  (call) => {
    call.calldata.requireWords(1);
    return toAddressWord(readRole(call, readKey(call, 0), role));
  };

const viewLink =
  (kind: LinkKind): View =>
  (call) => {
    call.calldata.requireWords(2);
    const { hash, sequence } = readLink(call, kind, readKey(call, 0), readKey(call, 1)) ?? {
      hash: EMPTY_HEAD,
      sequence: 0,
    };
    return `${toHex(hash)}00000000${toNumberWord(sequence).slice(2)}`;
  };

/** `owner()` */
export const owner: View = (call) => toAddressWord(readRole(call, '', ROLE.OWNER));
/** `MAX_PAYLOAD_BYTES()` */
export const maxPayloadBytes: View = () => toNumberWord(PAYLOAD_BYTES_MAX);
/** `administratorOf(bytes32 tenant)` */
export const administratorOf = viewRole(ROLE.ADMINISTRATOR);
/** `successorOf(bytes32 tenant)` */
export const successorOf = viewRole(ROLE.SUCCESSOR);
/** `recordOf(bytes32 tenant, bytes32 id)` */
export const recordOf = viewLink('record');
/** `streamOf(bytes32 tenant, bytes32 stream)` */
export const streamOf = viewLink('stream');

/** `isWriter(bytes32 tenant, address account)` */
export const isWriter: View = (call) => {
  const { calldata } = call;
  calldata.requireWords(2);
  return toBool(holdsWriterRole(call, readKey(call, 0), calldata.address(calldata.start + WORD)));
};

// Arguments 0 to 3 are tenant, stream, id and author; `payloadAt` is the index of the payload.
const readDigest = (call: LedgerCall, payloadAt: number): Uint8Array => {
  const { calldata, domainSeparator } = call;
  const [tenantKey, streamKey, recordKey] = [0, 1, 2].map((index) => calldata.bytes32(calldata.start + index * WORD));
  return toRecordDigest(domainSeparator, {
    tenantKey: tenantKey!,
    streamKey: streamKey!,
    recordKey: recordKey!,
    author: fromHex(calldata.address(calldata.start + 3 * WORD)),
    payload: calldata.bytes(calldata.start, calldata.start + payloadAt * WORD),
  });
};

/** `digestOf(bytes32 tenant, bytes32 stream, bytes32 id, address author, bytes payload)` */
export const digestOf: View = (call) => {
  call.calldata.requireWords(5);
  return toHex(readDigest(call, 4));
};

/** `verifyRecord(bytes32 tenant, bytes32 stream, bytes32 id, address author, uint32 sequence, bytes payload)` */
export const verifyRecord: View = (call) => {
  const { calldata } = call;
  calldata.requireWords(6);
  const digest = readDigest(call, 5);
  const sequence = calldata.uint32(calldata.start + 4 * WORD);
  const link = readLink(call, 'record', readKey(call, 0), readKey(call, 2));
  if (link === undefined || link.sequence !== sequence) return toBool(false);
  return toBool(Buffer.compare(link.hash, digest.subarray(0, link.hash.length)) === 0);
};

/** `verifyHistory(bytes32 tenant, bytes32 stream, bytes32[] digests)` */
export const verifyHistory: View = (call) => {
  const { calldata } = call;
  calldata.requireWords(3);
  const digests = calldata.words(calldata.start, calldata.start + 2 * WORD);
  const last = readLink(call, 'stream', readKey(call, 0), readKey(call, 1)) ?? { hash: EMPTY_HEAD, sequence: 0 };
  if (digests.length !== last.sequence) return toBool(false);
  return toBool(Buffer.compare(digests.reduce(advanceHead, EMPTY_HEAD), last.hash) === 0);
};
