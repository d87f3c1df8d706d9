// Forgeries of what an anchor and a proof of the account say: time stamps of other texts, records elsewhere of another
// checkpoint, and other code.
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { stampedTextOf, toElsewhere, toUnreadableFile } from './anchoredOriginals.ts';
import { both, type Forge, type Forgery, put, trusting } from './forge.ts';
import { blockHashOf, blockOf, type Original, toAnchor } from './originals.ts';

const CODE = 'event in the tree, with its code';
const STAMPED = 'event in the tree, stamped 0';
const RECORDED = 'event in the tree, recorded elsewhere';
const ANCHOR = 'blocks/0/anchors/0';

const accounts =
  (change: (proofs: EvidenceFile[]) => Json): Forge =>
  (original, known) =>
    put('proofs', change(original.file.proofs as EvidenceFile[]))(original, known);

const nodes = (change: (list: Json[]) => Json): Forge =>
  accounts((proofs) => proofs.with(-1, { ...proofs.at(-1)!, nodes: change(proofs.at(-1)!.nodes as Json[]) }));

const CODES: Readonly<Record<string, Forgery>> = {
  'another code': [CODE, trusting('code_hash', `0x${'ab'.repeat(32)}`)],
  'a code that is no hash': [CODE, trusting('code_hash', '0xab')],
  'an account without its nodes': [CODE, nodes(() => [])],
  'an account without its last node': [CODE, nodes((list) => list.slice(0, -1))],
  'an account with a node twice': [CODE, nodes((list) => [...list, list.at(-1)!])],
  'an account before the other proofs': [CODE, accounts((proofs) => proofs.toReversed())],
  'two accounts': [CODE, accounts((proofs) => [...proofs, proofs.at(-1)!])],
  'an account of another block': [CODE, accounts((proofs) => proofs.with(-1, { ...proofs.at(-1)!, block: 1 }))],
  'the receipt as an account': [
    CODE,
    accounts((proofs) => proofs.with(-1, { ...proofs.at(-1)!, nodes: proofs[0]!.nodes! })),
  ],
};

const tokenOf = ({ file }: Original): string => (blockOf(file).anchors as [{ rfc3161: [string] }])[0].rfc3161[0];

const authorities =
  (kind: Parameters<typeof toUnreadableFile>[1]): Forge =>
  (original, known) =>
    trusting('tsa_ca_file', toUnreadableFile(original.trust.tsa_ca_file as string, kind))(original, known);

const STAMPS: Readonly<Record<string, Forgery>> = {
  'the time stamp of another checkpoint': [
    STAMPED,
    (original, known) => {
      const [anchor] = blockOf(original.file).anchors as [EvidenceFile];
      const { proof } = toAnchor(blockHashOf(original.file), ['other']) as EvidenceFile;
      return put(ANCHOR, { ...anchor, proof: proof! })(original, known);
    },
  ],
  'nine time stamps': [
    STAMPED,
    (original, known) => put(`${ANCHOR}/rfc3161`, new Array(9).fill(tokenOf(original)))(original, known),
  ],
  'a time stamp that is too long': [STAMPED, put(`${ANCHOR}/rfc3161`, ['A'.repeat(87_384)])],
  'a time stamp that is no text': [STAMPED, put(`${ANCHOR}/rfc3161`, [1])],
  'no file of the authorities': [STAMPED, trusting('tsa_ca_file', 'gone.pem')],
  'a file of the authorities in Latin-1': [STAMPED, authorities('latin1')],
  'a file of the authorities in UTF-16': [STAMPED, authorities('utf16')],
  'a file of the authorities that is too long in bytes': [STAMPED, authorities('long')],
  'an empty name of the file of the authorities': [STAMPED, trusting('tsa_ca_file', '')],
};

const elsewhere =
  (change: (record: EvidenceFile) => Json): Forge =>
  (original, known) => {
    const [{ elsewhere: records }] = blockOf(original.file).anchors as [{ elsewhere: [EvidenceFile] }];
    return put(`${ANCHOR}/elsewhere`, change(records[0]))(original, known);
  };

const recording =
  (toText: (original: Original) => string): Forge =>
  (original, known) => {
    const { record, roots } = toElsewhere(known('event in the tree'), toText(original));
    return both(put(`${ANCHOR}/elsewhere`, [record]), trusting('elsewhere', [roots]))(original, known);
  };

const RECORDS: Readonly<Record<string, Forgery>> = {
  'a record without the hash': [RECORDED, recording(() => 'nothing')],
  'a record of the hash in upper case': [RECORDED, recording(() => 'AB'.repeat(32))],
  'a record of the text itself': [RECORDED, recording((original) => Buffer.from(stampedTextOf(original)).toString())],
  'a record on the ledger itself': [
    RECORDED,
    (original, known) => elsewhere((record) => [{ ...record, ledger: original.file.ledger! }])(original, known),
  ],
  'a record of another contract': [
    RECORDED,
    elsewhere((record) => [{ ...record, ledger: { chain_id: 5, contract: `0x${'ab'.repeat(20)}` } }]),
  ],
  'a record under another block': [
    RECORDED,
    (original, known) =>
      elsewhere((record) => [{ ...record, block: blockOf(known('history').file) as unknown as Json }])(original, known),
  ],
  'a record by another kind of proof': [
    RECORDED,
    elsewhere((record) => [{ ...record, proof: { ...(record.proof as EvidenceFile), kind: 'account' } }]),
  ],
  'a record in another block': [
    RECORDED,
    elsewhere((record) => [{ ...record, proof: { ...(record.proof as EvidenceFile), block: 1 } }]),
  ],
  'three records': [RECORDED, elsewhere((record) => [record, record, record])],
  'a record two levels deep': [
    RECORDED,
    (original, known) => {
      const { anchors } = blockOf(original.file);
      return elsewhere((record) => [{ ...record, block: { ...(record.block as EvidenceFile), anchors } }])(
        original,
        known,
      );
    },
  ],
  'roots of another ledger with further roots': [RECORDED, trusting('elsewhere/1/elsewhere', [])],
  'roots of another ledger that are null': [RECORDED, trusting('elsewhere', null)],
};

export const ANCHOR_FORGERIES: Readonly<Record<string, Forgery>> = { ...CODES, ...STAMPS, ...RECORDS };
