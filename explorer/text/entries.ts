// What a person enters in a form, as the interface takes it.
import type { FieldViolation } from '../../ledger/errors.ts';
import type { UploadedBlob } from '../api/uploads.ts';
import { toPointer } from './pointers.ts';

/** Most characters of the value of an attribute, and of a description. */
export const VALUE_CHARACTERS_MAX = 4_096;
/** Most characters of the name of an attribute. */
export const NAME_CHARACTERS_MAX = 1_024;

/** An attribute as a form has it. */
export interface AttributeRow {
  readonly name: string;
  readonly value: string;
}

/** A map of attributes of a request. */
export type AttributeMapName = 'attributes' | 'event_attributes' | 'asset_attributes';

/** The name of the field for the name of the attribute of a row. */
export const toNameField = (map: AttributeMapName, row: number): string => toPointer('rows', map, row);

/**
 * The name of the field for the value of the attribute of a row: the server's, unless the row has no name, or one that
 * another field has. `taken`: names that other fields of the form have.
 */
export const toValueField = (
  map: AttributeMapName,
  rows: readonly AttributeRow[],
  row: number,
  taken: readonly string[],
): string => {
  const { name } = rows[row]!;
  const isOwn = name !== '' && !taken.includes(name) && rows.findIndex((each) => each.name === name) === row;
  return isOwn ? toPointer(map, name) : toPointer('rows', map, row, 'value');
};

const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most;

const findWrongName = (name: string, isTaken: boolean): string | undefined => {
  if (name === '') return 'is missing';
  if (isLonger(name, NAME_CHARACTERS_MAX)) return `has more than ${NAME_CHARACTERS_MAX.toLocaleString()} characters`;
  return isTaken ? 'is here already' : undefined;
};

/** The violation of a text that is longer than the server takes; none if it isn't. */
export const findLongText = (field: string, text: string, most = VALUE_CHARACTERS_MAX): FieldViolation[] =>
  isLonger(text, most) ? [{ field, description: `has more than ${most.toLocaleString()} characters` }] : [];

/** The rows that have anything. */
const toFilledRows = (rows: readonly AttributeRow[]): AttributeRow[] =>
  rows.filter(({ name, value }) => name !== '' || value !== '');

/** What is wrong with the rows of a map of attributes. `taken`: names that other fields of the form have. */
export const findWrongRows = (
  map: AttributeMapName,
  rows: readonly AttributeRow[],
  taken: readonly string[],
): FieldViolation[] => {
  const seen = new Set(taken);
  return rows.flatMap(({ name, value }, row) => {
    if (name === '' && value === '') return [];
    const description = findWrongName(name, seen.has(name));
    seen.add(name);
    const wrongName = description === undefined ? [] : [{ field: toNameField(map, row), description }];
    return [...wrongName, ...findLongText(toValueField(map, rows, row, taken), value)];
  });
};

/** Attributes of the entries that aren't empty, and of the rows. Safe for any name, including `__proto__`. */
export const toAttributeMap = (
  fixed: Readonly<Record<string, string>>,
  rows: readonly AttributeRow[],
): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(fixed).filter(([, value]) => value !== ''),
    ...toFilledRows(rows).map(({ name, value }) => [name, value] as const),
  ]);

/** The attribute that attaches a file. */
export const toAttachment = ({ identity, hash, mime_type }: UploadedBlob, name: string): Record<string, string> => ({
  arc_attribute_type: 'arc_attachment',
  arc_blob_identity: identity,
  arc_blob_hash_alg: hash.alg,
  arc_blob_hash_value: hash.value,
  arc_blob_mime_type: mime_type,
  arc_display_name: name,
  arc_file_name: name,
});

/** The item of `arc_append_attachments` that attaches a file. */
export const toAppended = ({ identity, hash }: UploadedBlob, name: string): Record<string, string> => ({
  arc_attachment_identity: identity,
  arc_display_name: name,
  arc_hash_alg: hash.alg,
  arc_hash_value: hash.value,
});

/** Names for the attributes that attach files of these names, which are free and differ. */
export const toFreeNames = (fileNames: readonly string[], taken: Iterable<string>): string[] => {
  const used = new Set(taken);
  return fileNames.map((fileName) => {
    let name = fileName;
    for (let copy = 2; used.has(name); copy += 1) name = `${fileName} ${copy}`;
    used.add(name);
    return name;
  });
};

/** A date and time of a form, which is local, as RFC 3339 in UTC; undefined: none is entered. */
export const toUtcTimestamp = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString();
