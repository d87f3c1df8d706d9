// fast-check generators of what records consist of, hostile values first: names of members that all JavaScript objects
// have, empty and unusual strings.
import fc from 'fast-check';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { Alternatives } from '../../ledger/records/policy.ts';
import { codePoints } from './codePoints.ts';

export const HOSTILE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', 'length', '0', ''];

export const uuids: fc.Arbitrary<string> = fc.uuid();
/** Bytes of exactly this length. */
export const bytesOf = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });
/** Times that the ledger writes: years 0000 to 9999, in milliseconds since the epoch. */
export const times: fc.Arbitrary<number> = fc.integer({
  min: Date.parse('0000-01-01T00:00:00.000Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
});
export const timestamps: fc.Arbitrary<string> = times.map(toTimestamp);

/** Texts, often hostile ones. */
export const texts = fc.oneof(
  fc.string({ unit: codePoints }),
  fc.constantFrom(...HOSTILE_NAMES, '*', '\u0000', '😀', '\ufb33'),
);

/** Principals. */
export const principals: fc.Arbitrary<Principal> = fc.record(
  { issuer: texts, subject: texts, display_name: texts, email: texts },
  { noNullPrototype: true },
);

/** When and by whom a record was accepted. */
export const stamps = fc.record(
  { timestamp_accepted: timestamps, principal_accepted: principals },
  { noNullPrototype: true },
);

/** UUIDs of something and of a version of it, the content of the version, and when and by whom it was accepted. */
export const versionsOf = <T>(content: { [Field in keyof T]: fc.Arbitrary<T[Field]> }) =>
  fc.tuple(uuids, uuids, fc.record(content, { noNullPrototype: true }), stamps);

/** Lists of alternatives, of which each must have one that holds. */
export const alternatives: fc.Arbitrary<Alternatives[]> = fc.array(
  fc.record({ or: fc.array(texts, { maxLength: 3 }) }, { noNullPrototype: true }),
  { maxLength: 3 },
);
