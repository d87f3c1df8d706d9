// Forgeries of what vouches for a block: checkpoints, signatures and seals that say something else, and roots that the
// caller didn't name.
import { toHex } from '../../ledger/encoding/hex.ts';
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { type BlockHeader, encodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { decodeRlp, encodeRlp, fromRlpNumber, type RlpItem, toRlpNumber } from '../../ledger/evidence/rlp.ts';
import { encodeVerifierKey, SIGNATURE_TYPE, toVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { publicKeyOf } from '../support/ed25519Keys.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { validator } from '../support/sealedHeaders.ts';
import { both, type Forge, type Forgery, put, take, trusting } from './forge.ts';
import { blockHashOf, blockOf, headerOf, toAnchor, withBlock } from './originals.ts';

const LOGGED = 'event in its log, in a log';
const SEALED = 'event in its log, qbft round 0';
const LATE = 'event in the tree, qbft round 3';
const IBFT = 'event in its log, ibft2 round 2';

const proof =
  (change: (text: string) => string): Forge =>
  (original, known) => {
    const [{ proof: text }] = blockOf(original.file).anchors as [{ proof: string }];
    return put('blocks/0/anchors/0/proof', change(text))(original, known);
  };

const line = (start: string, change: (line: string) => string): Forge =>
  proof((text) =>
    text
      .split('\n')
      .map((one) => (one.startsWith(start) ? change(one) : one))
      .join('\n'),
  );

const LOG = '\u2014 log.example';
const WITNESS = '\u2014 witness2';

const flipSignature = (one: string): string => {
  const [dash, name, encoded] = one.split(' ') as [string, string, string];
  const bytes = fromBase64(encoded);
  return [dash, name, toBase64(bytes.with(20, bytes[20]! ^ 1))].join(' ');
};

// A log of another name, of whose key the forger has the private half.
const otherLog = encodeVerifierKey(toVerifierKey('other.example', SIGNATURE_TYPE.note, publicKeyOf(9)));

const extra =
  (change: (items: RlpItem[]) => RlpItem): Forge =>
  ({ file, trust }) => {
    const header = headerOf(file);
    const extraData = encodeRlp(change(decodeRlp(header.extraData) as RlpItem[]));
    return { file: withBlock(file, { header: toBase64(encodeBlockHeader({ ...header, extraData })) }), trust };
  };

const seals = (change: (list: Uint8Array[]) => Uint8Array[]): Forge =>
  extra((items) => items.with(4, change(items[4] as Uint8Array[])));

const VALIDATORS = [1, 2, 3, 4, 5, 6, 7].map((n) => validator(n).address);

/** Of checkpoints. */
const CHECKPOINTS: Readonly<Record<string, Forgery>> = {
  'a checkpoint of another block': [LOGGED, put('blocks/0/anchors', [toAnchor(new Uint8Array(32))])],
  'a checkpoint of another size': [LOGGED, proof((text) => text.replace('\n5\n', '\n6\n'))],
  'another index in the log': [LOGGED, line('index ', () => 'index 1')],
  'an index beyond the log': [LOGGED, line('index ', () => 'index 5')],
  'an index with a zero before it': [LOGGED, line('index ', () => 'index 02')],
  'a checkpoint of another origin': [LOGGED, line('log.example', () => 'log.example/2/0xab')],
  'a wrong signature of the log': [LOGGED, line(LOG, flipSignature)],
  'a wrong signature of a witness': [LOGGED, line(WITNESS, flipSignature)],
  'a cosignature of another time': [
    LOGGED,
    line(WITNESS, (one) => {
      const [dash, name, encoded] = one.split(' ') as [string, string, string];
      return [dash, name, toBase64(fromBase64(encoded).with(11, 1))].join(' ');
    }),
  ],
  'the signature of a witness as that of the log': [
    LOGGED,
    both(
      line(LOG, () => ''),
      line(WITNESS, (one) => one.replace('witness2.example', 'log.example/1/0xab')),
    ),
  ],
  'a checkpoint without the log': [
    LOGGED,
    proof((text) =>
      text
        .split('\n')
        .filter((one) => !one.startsWith(LOG))
        .join('\n'),
    ),
  ],
  'a checkpoint that nobody signed': [LOGGED, proof((text) => text.slice(0, text.indexOf(LOG)))],
  'a checkpoint with a further line': [LOGGED, proof((text) => text.replace('\n\n\u2014', '\nforged\n\n\u2014'))],
  'a checkpoint with lines of Windows': [LOGGED, proof((text) => text.replaceAll('\n', '\r\n'))],
  'a checkpoint without its last newline': [LOGGED, proof((text) => text.slice(0, -1))],
  'another format of the proof': [LOGGED, line('c2sp.org', () => 'c2sp.org/tlog-proof@v2')],
  'a log that the caller did not name': [LOGGED, trusting('logs', [otherLog])],
  'a log that is named as a witness': [LOGGED, trusting('logs', [])],
  'no anchor': [LOGGED, put('blocks/0/anchors', [])],
  'nine anchors': [LOGGED, put('blocks/0/anchors', new Array(9).fill(toAnchor(new Uint8Array(32))))],
};

/** Of seals. */
const SEALS: Readonly<Record<string, Forgery>> = {
  'two seals of four validators': [SEALED, seals((list) => list.slice(0, 2))],
  'one seal four times': [SEALED, seals((list) => list.map(() => list[0]!))],
  'no seals': [IBFT, seals(() => [])],
  'seals of other validators': [SEALED, trusting('validators', VALIDATORS.slice(3))],
  'too few seals for seven validators': [SEALED, trusting('validators', VALIDATORS)],
  'validators that the caller did not name': [SEALED, trusting('validators', [])],
  'seals of another round': [LATE, extra((items) => items.with(3, Uint8Array.of(4)))],
  'seals of another round of IBFT 2.0': [IBFT, extra((items) => items.with(3, Uint8Array.of(0, 0, 0, 4)))],
  'seals over another vote': [SEALED, extra((items) => items.with(2, [new Uint8Array(20), Uint8Array.of(0xff)]))],
  'seals with another recovery id': [SEALED, seals((list) => list.map((one) => one.with(64, one[64]! ^ 1)))],
  'short seals': [SEALED, seals((list) => list.map((one) => one.subarray(1)))],
  'seals of another engine': [SEALED, put('blocks/0/rule', 'ibft2')],
  'seals that no rule has': [SEALED, put('blocks/0/rule', 'ethereum')],
  'seals of another header': [SEALED, take(LATE, 'proofs')],
  'a seal of clique as finality': ['event in the tree, clique round 0', trusting('blocks', [])],
};

// The second log of a verdict in another block with the same receipts, which the caller notes, too.
const inOther =
  (change: (header: BlockHeader) => Partial<BlockHeader>): Forge =>
  ({ file, trust }) => {
    const header = headerOf(file);
    const other = withBlock(file, {
      header: toBase64(encodeBlockHeader({ ...header, ...change(header) })),
      anchors: [],
    });
    const [first, second, ...proofs] = file.proofs as EvidenceFile[];
    const blocks = [...(file.blocks as Json[]), ...(other.blocks as Json[])];
    const noted = [...(trust.blocks as Json[]), toHex(blockHashOf(other))];
    return {
      file: { ...file, blocks, proofs: [first!, { ...second!, block: 1 }, ...proofs] },
      trust: { ...trust, blocks: noted },
    };
  };

/** Of blocks that no chain has both. */
const FORKS: Readonly<Record<string, Forgery>> = {
  'two blocks of one number': ['verdict: since', inOther(() => ({ extraData: Uint8Array.of(1) }))],
  'a block that is earlier than the one before it': [
    'verdict: since',
    inOther(({ number, timestamp }) => ({
      number: toRlpNumber(fromRlpNumber(number) - 1),
      timestamp: toRlpNumber(fromRlpNumber(timestamp) + 1),
    })),
  ],
};

/** Of the ledger and the format. */
const FRAMES: Readonly<Record<string, Forgery>> = {
  'another chain': ['history', put('ledger/chain_id', 1)],
  'another contract': ['history', put('ledger/contract', `0x${'ab'.repeat(20)}`)],
  'a chain that the caller did not name': ['history', trusting('chain_id', 1)],
  'a contract that the caller did not name': ['history', trusting('contract', `0x${'ab'.repeat(20)}`)],
  'a block that the caller did not note': ['history', trusting('blocks', [`0x${'ab'.repeat(32)}`])],
  'roots that are null': ['history', trusting('logs', null)],
  'roots with a further member': ['history', trusting('trusted', true)],
  'a newer format': ['history', put('format', 'provenance-ledger/evidence/2')],
  'a block that nothing names': [
    'history',
    (original, known) =>
      put('blocks', [blockOf(original.file) as never, blockOf(known('range').file) as never])(original, known),
  ],
  'the verdict in the file': ['history', put('verdict', 'proved')],
};

export const ROOT_FORGERIES: Readonly<Record<string, Forgery>> = { ...CHECKPOINTS, ...SEALS, ...FORKS, ...FRAMES };
