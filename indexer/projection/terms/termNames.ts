// How terms are written: texts of which none is a prefix of another.
import { toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import type { MemberName } from '../../../ledger/records/attributePaths.ts';
import type { Collection } from '../../keys.ts';

const PREFIX: Readonly<Record<Collection, string>> = {
  events: 'e',
  assets: 'a',
  locations: 'l',
  blobs: 'b',
  policies: 'c',
  applications: 'i',
  subjects: 's',
  accessPolicies: 'p',
};

/** Whether a term is the name of a list of events. */
export const isEventTerm = (term: string): boolean => term.startsWith(PREFIX.events);

/** Longer texts are hashed to keep keys short. */
const TERM_CHARACTERS_MAX = 200;

// A text after its length, so that no term is a prefix of another.
const toText = (text: string): string =>
  text.length <= TERM_CHARACTERS_MAX ? `${text.length}:${text}` : `#${toHex(keccak256(Buffer.from(text)))}`;

/** The term of members whose field has this value. */
export const fieldTerm = (collection: Collection, field: string, value: string): string =>
  `${PREFIX[collection]}f${toText(field)}${toText(value)}`;

/** The term of members that have this attribute with a value that is not empty. */
export const presenceTerm = (collection: Collection, map: string, name: string): string =>
  `${PREFIX[collection]}p${toText(map)}${toText(name)}`;

/** The term of members whose attribute is this text. */
export const attributeTerm = (collection: Collection, map: string, name: string, value: string): string =>
  `${PREFIX[collection]}v${toText(map)}${toText(name)}${toText(value)}`;

/** The term of members with an attribute that is a map, or a list with one, whose member isn't empty. */
export const memberPresenceTerm = (collection: Collection, map: string, { attribute, member }: MemberName): string =>
  `${PREFIX[collection]}m${toText(map)}${toText(attribute)}${toText(member)}`;

/** The term of members with an attribute that is a map, or a list with one, whose member is this text. */
export const memberTerm = (
  collection: Collection,
  map: string,
  { attribute, member }: MemberName,
  value: string,
): string => `${PREFIX[collection]}t${toText(map)}${toText(attribute)}${toText(member)}${toText(value)}`;
