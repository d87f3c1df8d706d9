// The fields of a block header as JSON-RPC encodes them.
import { fromHex } from '../../ledger/encoding/hex.ts';
import {
  type BlockHeader,
  HEADER_FIELDS,
  type HeaderFieldKind,
  type HeaderFieldName,
  toBlockHeader,
} from '../../ledger/evidence/blockHeader.ts';

/** The bytes of a quantity in RLP; undefined when the text is none. */
export const toQuantityBytes = (text: unknown): Uint8Array | undefined => {
  if (typeof text !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(text)) return undefined;
  const digits = text.slice(2).replace(/^0+/, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
};

/** The bytes of a `0x` text; undefined when it is none. */
export const toBytes = (text: unknown): Uint8Array | undefined =>
  typeof text === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(text) ? fromHex(text) : undefined;

const toFieldBytes = (value: unknown, kind: HeaderFieldKind): Uint8Array | undefined =>
  kind === 'quantity' ? toQuantityBytes(value) : toBytes(value);

/** The header of a block; the name of what is missing or malformed where it has none. Doesn't check the hash. */
export const readHeader = (block: Readonly<Record<string, unknown>>): BlockHeader | string => {
  const fields = new Map<HeaderFieldName, Uint8Array>();
  for (const [name, kind] of HEADER_FIELDS) {
    if (block[name] == null) continue;
    const bytes = toFieldBytes(block[name], kind);
    if (bytes === undefined) return `a block's ${name}`;
    fields.set(name, bytes);
  }
  return toBlockHeader(fields) ?? 'a block header';
};
