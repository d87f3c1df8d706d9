// Changes of what an evidence file has in RLP: headers, nodes and receipts.
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { encodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { decodeRlp, encodeRlp, isRlpList, type RlpItem } from '../../ledger/evidence/rlp.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import { below, type Change, changeValue, flipByte, pick, type Random, toCase } from './change.ts';
import type { Path } from './jsonPaths.ts';
import { headerOf, noting, type Original, withBlock } from './originals.ts';

const rlpPathsOf = (item: RlpItem, at: number[] = []): number[][] =>
  isRlpList(item) ? [at, ...item.flatMap((inner, index) => rlpPathsOf(inner, [...at, index]))] : [at];

const changeItem = (item: RlpItem, random: Random): RlpItem[] => {
  if (isRlpList(item)) {
    const swapped = [...item];
    if (swapped.length > 1) [swapped[0], swapped[1]] = [swapped[1]!, swapped[0]!];
    return pick<RlpItem[]>(random, [
      [item.slice(1)],
      [item.slice(0, -1)],
      [[...item, item.at(-1) ?? []]],
      [swapped],
      [[]],
      [],
    ]);
  }
  const changes: RlpItem[][] = [
    [],
    [new Uint8Array()],
    [[item]],
    [[]],
    [item, item],
    [concatBytes([new Uint8Array(1), item])],
  ];
  return pick(random, item.length === 0 ? changes : [...changes, [flipByte(item, random)], [item.subarray(1)]]);
};

const writeItem = (item: RlpItem, path: number[], random: Random): RlpItem[] => {
  const [index, ...rest] = path;
  if (index === undefined || !isRlpList(item)) return changeItem(item, random);
  return [item.flatMap((inner, at) => (at === index ? writeItem(inner, rest, random) : [inner]))];
};

// Other encodings of the same item: a longer length, and bytes after it.
const encodeLoosely = (item: RlpItem, random: Random): Uint8Array => {
  const bytes = encodeRlp(item);
  const body = bytes[0]! < 0xf8 ? bytes.subarray(1) : bytes.subarray(1 + bytes[0]! - 0xf7);
  const length = Uint8Array.of(0xfa, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff);
  return pick(random, [concatBytes([bytes, new Uint8Array(1)]), concatBytes([length, body]), bytes.subarray(0, -1)]);
};

const changeRlp = (bytes: Uint8Array, random: Random): Uint8Array => {
  const item = decodeRlp(bytes);
  if (below(random, 6) === 0) return encodeLoosely(item, random);
  return encodeRlp(writeItem(item, pick(random, rlpPathsOf(item)), random)[0] ?? []);
};

const isRlpPart = (path: Path): boolean => path.at(-1) === 'header' || path.includes('nodes');
/** Another encoding of a header or a node. */
export const changeEncoding: Change = (original, random) =>
  changeValue(
    original,
    random,
    (value, path) => typeof value === 'string' && isRlpPart(path),
    (value) => toBase64(changeRlp(fromBase64(value as string), random)),
  );

/** The path of the trie key of transaction 0, and that it is a leaf's. */
const FIRST_KEY = Uint8Array.of(0x20, 0x80);

/** A file whose block has one receipt, which is that of the file after a change; the caller names the block. */
export const withReceipt = (file: EvidenceFile, receipt: Uint8Array): Original | undefined => {
  const leaf = encodeRlp([FIRST_KEY, receipt]);
  const header = encodeBlockHeader({ ...headerOf(file), receiptsRoot: keccak256(leaf) });
  const proofs = (file.proofs as EvidenceFile[]).map((proof) =>
    proof.kind === 'log' ? { ...proof, transaction: 0, nodes: [toBase64(leaf)] } : proof,
  );
  const changed = withBlock({ ...file, proofs }, { header: toBase64(header) });
  return { name: '', file: changed, trust: noting(changed) };
};

/** The receipt that a file proves. */
export const receiptOf = (file: EvidenceFile): Uint8Array => {
  const [{ nodes }] = file.proofs as [{ nodes: string[] }];
  const node = decodeRlp(fromBase64(nodes.at(-1)!)) as RlpItem[];
  return (node.length === 2 ? node[1] : node[16]) as Uint8Array;
};

// A caller who notes any block: the receipt decides.
/** Another receipt, in a block that the caller notes. */
export const changeReceipt: Change = ({ file }, random) => {
  const receipt = receiptOf(file);
  const typed = receipt[0]! < 0xc0 ? 1 : 0;
  const changed = concatBytes([receipt.subarray(0, typed), changeRlp(receipt.subarray(typed), random)]);
  return { ...toCase(withReceipt(file, changed)!), isOwnBlock: true };
};

/** Another header, which the caller notes. */
export const changeHeader: Change = ({ file, trust }, random) => {
  const changed = withBlock(file, { header: toBase64(changeRlp(encodeBlockHeader(headerOf(file)), random)) });
  try {
    return { ...toCase({ file: changed, trust: noting(changed) }), isOwnBlock: true };
  } catch {
    return toCase({ file: changed, trust });
  }
};
