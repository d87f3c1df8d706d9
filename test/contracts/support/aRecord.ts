// Builders of keys and records for contract tests.
import { hexlify, keccak256, toUtf8Bytes } from 'ethers';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { TypedRecord } from './typedData.ts';

/** Key of an identity, by the contract's documented rule. */
export const keyOf = (identity: string): Hex => keccak256(toUtf8Bytes(identity)) as Hex;

/** Payload bytes: format version 1, then the text. */
export const payloadOf = (text: string): Hex => hexlify(toUtf8Bytes(`\x01${text}`)) as Hex;

/** A record of the stream `assets/door`; `id` and `stream` are identities, `payload` is text. */
export const aRecord = ({ stream = 'assets/door', id = 'event/1', payload = '{"operation":"Record"}' } = {}) => ({
  stream: keyOf(stream),
  id: keyOf(id),
  payload: payloadOf(payload),
});

/** Records of one stream, numbered. */
export const someRecords = (count: number, stream = 'assets/door'): TypedRecord[] =>
  Array.from({ length: count }, (_, index) =>
    aRecord({ stream, id: `${stream}/event/${index}`, payload: `{"n":${index}}` }),
  );
