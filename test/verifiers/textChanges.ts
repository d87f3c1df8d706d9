import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { below, type Change, changeValue, flipByte, isBase64, pick, type Random, toCase } from './change.ts';
import { withLeaves } from './complianceOriginals.ts';
import { type Path, pathsOf, readAt, writeAt } from './jsonPaths.ts';

const CHARACTERS = [
  '0',
  '1',
  '9',
  'a',
  'F',
  '"',
  ',',
  '{',
  ']',
  ' ',
  '\n',
  '=',
  '-',
  '.',
  '\\',
  'e',
  '\u00e9',
  '\u0000',
];

const changeText = (text: string, random: Random): string => {
  const at = below(random, text.length);
  const insert = pick(random, [pick(random, CHARACTERS), '', text[below(random, text.length)]!]);
  return text.slice(0, at) + insert + text.slice(at + pick(random, [0, 1, 1]));
};

/** One character of the file or of the roots. */
export const changeCharacter: Change = ({ file, trust }, random) => {
  const [text, other] = [JSON.stringify(file), JSON.stringify(trust)];
  return below(random, 8) === 0
    ? { file: text, trust: changeText(other, random) }
    : { file: changeText(text, random), trust: other };
};

/** A byte order mark before the file or the roots. */
export const markByteOrder: Change = ({ file, trust }, random) => {
  const [text, other] = [JSON.stringify(file), JSON.stringify(trust)];
  return below(random, 2) === 0 ? { file: `\ufeff${text}`, trust: other } : { file: text, trust: `\ufeff${other}` };
};

/** The beginning of the file. */
export const truncate: Change = ({ file, trust }, random) => {
  const text = JSON.stringify(file);
  return { file: text.slice(0, below(random, text.length)), trust: JSON.stringify(trust) };
};

const NUMBERS = [0, -1, 1, 2, 0.5, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, '1', null, true];
/** Another number. */
export const changeNumber: Change = (original, random) =>
  changeValue(
    original,
    random,
    (value) => typeof value === 'number',
    (value) => pick<Json>(random, [Number(value) + 1, Number(value) - 1, String(value), ...NUMBERS]),
  );

const NUMBER_FORMS = ['$.0', '$e0', '-$', '0$', '$.', '+$', '$0e-1', '$.0000000000000000000001', '9007199254740993'];
/** Another text of a number. */
export const changeNumberForm: Change = ({ file, trust }, random) => {
  const text = JSON.stringify(file);
  const numbers = [...text.matchAll(/(?<=[:,[])\d+(?=[,\]}])/g)];
  const { 0: digits, index } = pick(random, numbers);
  const changed =
    text.slice(0, index) + pick(random, NUMBER_FORMS).replace('$', digits) + text.slice(index + digits.length);
  return { file: changed, trust: JSON.stringify(trust) };
};

/** Other bytes, or another text of bytes. */
export const changeBase64: Change = (original, random) =>
  changeValue(original, random, isBase64, (value) => {
    const [text, bytes] = [value as string, fromBase64(value as string)];
    return pick<Json>(random, [
      toBase64(flipByte(bytes, random)),
      toBase64(flipByte(bytes, random)),
      toBase64(bytes.subarray(0, below(random, bytes.length))),
      toBase64(concatBytes([bytes, new Uint8Array(pick(random, [1, 32, 80]))])),
      text.replace(/=+$/, ''),
      `${text}=`,
      text.replaceAll('+', '-').replaceAll('/', '_'),
      ` ${text}`,
      `${text.slice(0, 8)}\n${text.slice(8)}`,
      text.replace(/.(=*)$/, 'B$1'),
      `0x${Buffer.from(bytes).toString('hex')}`,
      '',
    ]);
  });

const isHex = (value: Json): boolean => typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value);
/** Another hexadecimal text. */
export const changeHex: Change = (original, random) =>
  changeValue(original, random, isHex, (value) => {
    const text = value as string;
    return pick<Json>(random, [
      `0x${text.slice(2).toUpperCase()}`,
      `0x${text.slice(2).toLowerCase()}`,
      text.replace('0x', '0X'),
      text.slice(2),
      text.slice(0, -1),
      text.slice(0, -2),
      `${text}00`,
      `0x00${text.slice(4)}`,
      `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`,
      `${text}\n`,
    ]);
  });

const VALUES: Json[] = [null, true, 0, '', 'x', [], {}, [[]], [null], { kind: 'log' }];
/** A member or element that is gone, or of another type. */
export const changeMember: Change = (original, random) =>
  changeValue(
    original,
    random,
    () => true,
    (value) => pick<Json | undefined>(random, [undefined, undefined, pick(random, VALUES), [value], [value, value]]),
  );

/** A further member. */
export const addMember: Change = ({ file, trust }, random) => {
  const objects = pathsOf(file).filter(
    (path) => !Array.isArray(readAt(file, path)) && typeof readAt(file, path) === 'object',
  );
  const name = pick(random, ['id', 'added', '__proto__', 'records', 'digests', 'leaves', 'kind', '\ud800', 'toString']);
  const changed = writeAt(file, [...pick(random, objects), name], pick(random, VALUES)) as EvidenceFile;
  return toCase({ file: changed, trust });
};

/** A name twice. */
export const repeatMember: Change = ({ file, trust }, random) => {
  const text = JSON.stringify(file);
  const { 0: found, index } = pick(random, [...text.matchAll(/"([a-z_]+)":/g)]);
  const name = pick(random, [found, found.replace(/[a-z]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)]);
  return { file: `${text.slice(0, index)}${name}null,${text.slice(index)}`, trust: JSON.stringify(trust) };
};

/** A part of another file, whose block the caller knows as well. */
export const swapParts: Change = ({ file, trust }, random, others) => {
  const other = pick(random, others);
  const paths = pathsOf(file).filter((path) => path.length > 0 && readAt(other.file, path) !== undefined);
  const path = pick(random, paths);
  const changed = writeAt(file, path, readAt(other.file, path)) as EvidenceFile;
  const both = [...((trust.blocks as Json[]) ?? []), ...((other.trust.blocks as Json[]) ?? [])];
  return {
    name: `${path.join('/')} of ${other.name}`,
    ...toCase({ file: changed, trust: { ...trust, blocks: both } }),
  };
};

/** Roots of another file. */
export const swapTrust: Change = ({ file }, random, others) => toCase({ file, trust: pick(random, others).trust });

const isTreePart = (path: Path): boolean =>
  ['index', 'path', 'sequence', 'count', 'from', 'to', 'root', 'nodes', 'transaction', 'log'].some((name) =>
    path.includes(name),
  );
/** Other places in a trie or tree. */
export const changeTree: Change = (original, random) =>
  changeValue(
    original,
    random,
    (_, path) => isTreePart(path) && path[0] !== 'blocks' && !path.includes('event'),
    (value) => {
      if (typeof value === 'number') return value + pick(random, [-2, -1, 1, 2, 256]);
      if (!Array.isArray(value)) return pick<Json | undefined>(random, [undefined, value]);
      const swapped = value.toReversed();
      const more = toBase64(new Uint8Array(32));
      return pick<Json[]>(random, [
        value.slice(1),
        value.slice(0, -1),
        [...value, ...value],
        swapped,
        [...value, more],
        [],
      ]);
    },
  );

const changeAnchorText = (text: string, random: Random): string => {
  const lines = text.split('\n');
  const at = below(random, lines.length);
  const line = lines[at]!;
  const encoded = line.split(' ').at(-1)!;
  const flipped = isBase64(encoded)
    ? line.replace(encoded, toBase64(flipByte(fromBase64(encoded), random)))
    : `${line}0`;
  const changes = [
    lines.toSpliced(at, 1),
    lines.toSpliced(at, 0, line),
    lines.toSpliced(at, 0, ''),
    lines.toSpliced(at, 1, flipped),
    lines.toSpliced(at, 1, flipped),
    lines.toSpliced(
      at,
      1,
      line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    ),
    lines.toSpliced(at, 1, `${line} `),
    lines.toSpliced(at, 1, line.replace('example', 'else')),
    lines.toSpliced(1, 0, pick(random, ['extra YWI=', 'extra ', 'extra YWI', 'extra'])),
    lines.toSpliced(at, 2, lines[at + 1] ?? '', line),
  ];
  return pick(random, changes).join('\n');
};

/** Another line of a proof of a log. */
export const changeAnchor: Change = (original, random) =>
  changeValue(
    original,
    random,
    (value, path) => path.at(-1) === 'proof' && typeof value === 'string',
    (value) => changeAnchorText(value as string, random),
  );

/** Another time stamp. */
export const changeStamp: Change = (original, random) =>
  changeValue(
    original,
    random,
    (value, path) => path.includes('rfc3161') && typeof value === 'string',
    (value) => {
      const bytes = fromBase64(value as string);
      const at = below(random, bytes.length);
      return toBase64(
        pick(random, [
          flipByte(bytes, random),
          flipByte(bytes, random),
          bytes.with(at, pick(random, [0, 1, 0x30, 0x80, 0xff])),
          concatBytes([bytes.subarray(0, at), bytes.subarray(at + 1)]),
          concatBytes([bytes, Uint8Array.of(0)]),
        ]),
      );
    },
  );

/** A second file with other leaves, which the claim may name as its own. */
export const changeLeaves: Change = ({ file, trust, leaves }, random) => {
  if (leaves === undefined) return undefined;
  const bytes = fromBase64(leaves);
  const changed = pick(random, [
    flipByte(bytes, random),
    bytes.subarray(0, below(random, bytes.length)),
    bytes.subarray(0, -80),
    bytes.subarray(80),
    concatBytes([bytes, new Uint8Array(pick(random, [1, 79, 80, 160]))]),
    concatBytes([bytes.subarray(80, 160), bytes.subarray(0, 80), bytes.subarray(160)]),
    new Uint8Array(),
  ]);
  if (below(random, 8) === 0) return { ...toCase({ file, trust }), leaves: undefined };
  if (below(random, 2) === 0) return { ...toCase({ file, trust }), leaves: toBase64(changed) };
  const own = withLeaves(file, changed);
  const count = pick(random, [Math.floor(changed.length / 80), changed.length / 80]);
  const claim = { ...(own.file.claim as EvidenceFile), ...(below(random, 2) === 0 ? {} : { count }) };
  return { ...toCase({ file: { ...file, claim }, trust }), leaves: own.leaves };
};
