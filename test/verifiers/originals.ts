// Evidence files of a running ledger with the roots of trust that prove them: each kind of claim, with noted blocks,
// with the checkpoint of a log, and under headers that validators sealed.
import { sign } from 'node:crypto';
import { decodeHeader } from '../../chain/nodeReport/consensus/reportedHeader.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import type { HashRule } from '../../ledger/evidence/blockHash.ts';
import { toBlockHash } from '../../ledger/evidence/blockHash.ts';
import { type BlockHeader, decodeBlockHeader, encodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { encodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { encodeCosignature, toCosignedMessage } from '../../ledger/evidence/cosignature.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, toFrontierRoot } from '../../ledger/evidence/merkleTree.ts';
import { encodeSignedNote, type NoteSignature } from '../../ledger/evidence/signedNote.ts';
import { encodeTlogProof } from '../../ledger/evidence/tlogProof.ts';
import { encodeVerifierKey, SIGNATURE_TYPE, toVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { privateKey, publicKeyOf } from '../support/ed25519Keys.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import type { FixtureTenant } from '../support/fixtureTenant.ts';
import type { Json } from '../support/mutations.ts';
import { sealBft, sealClique, validator } from '../support/sealedHeaders.ts';

/** A file with roots under which it is proved. */
export interface Original {
  readonly name: string;
  readonly file: EvidenceFile;
  readonly trust: EvidenceFile;
  /** The second file, with leaves, as base64. */
  readonly leaves?: string;
}

/** A block of an evidence file. */
export interface FileBlock {
  readonly rule: HashRule;
  readonly header: string;
  readonly anchors: Json[];
}

export const blockOf = (file: EvidenceFile): FileBlock => (file.blocks as unknown as FileBlock[])[0]!;

export const headerOf = (file: EvidenceFile): BlockHeader => decodeBlockHeader(fromBase64(blockOf(file).header));

/** The same file with another block. */
export const withBlock = (file: EvidenceFile, changes: Partial<FileBlock>): EvidenceFile => ({
  ...file,
  blocks: [{ ...blockOf(file), ...changes } as unknown as Json],
});

/** Hash of a file's first block. */
export const blockHashOf = (file: EvidenceFile): Uint8Array => toBlockHash(headerOf(file), blockOf(file).rule)!;

/** A `trust.json` that names the file's block. */
export const noting = (file: EvidenceFile): EvidenceFile => ({
  ...(file.ledger as EvidenceFile),
  blocks: [toHex(blockHashOf(file))],
});

const ORIGIN = 'log.example/1/0xab';
const LOG = toVerifierKey(ORIGIN, SIGNATURE_TYPE.note, publicKeyOf(1));
const WITNESSES = [2, 3].map((n) => toVerifierKey(`witness${n}.example`, SIGNATURE_TYPE.cosignature, publicKeyOf(n)));
const COSIGNED_SECONDS = 1_800_000_000;

/** The log of `toAnchor` and its witnesses, as a `trust.json` names them. */
export const LOG_ROOTS: EvidenceFile = {
  logs: [encodeVerifierKey(LOG)],
  witnesses: WITNESSES.map(encodeVerifierKey),
};

const toSignatures = (text: string): NoteSignature[] => [
  { name: ORIGIN, id: LOG.id, signature: sign(null, Buffer.from(text), privateKey(1)) },
  ...WITNESSES.map(({ name, id }, at) => {
    const signature = sign(null, toCosignedMessage(text, COSIGNED_SECONDS), privateKey(at + 2));
    return { name, id, signature: encodeCosignature(COSIGNED_SECONDS, signature) };
  }),
];

/** The anchor of a block in a log of five blocks with these extension lines. */
export const toAnchor = (blockHash: Uint8Array, extensions: readonly string[] = []): Json => {
  const leaves = [1, 2, 3, 4].map((n) => Buffer.alloc(32, n));
  const hashes = [...leaves.slice(0, 2), blockHash, ...leaves.slice(2)].map((leaf) => hashLeaf(leaf));
  const rootOf = (from: number, to: number): Uint8Array =>
    toFrontierRoot(extendFrontier(EMPTY_FRONTIER, hashes.slice(from, to)));
  const text = encodeCheckpoint({ origin: ORIGIN, size: hashes.length, root: rootOf(0, hashes.length), extensions });
  const path = [hashes[3]!, rootOf(0, 2), hashes[4]!];
  const checkpoint = encodeSignedNote({ text, signatures: toSignatures(text) });
  return { kind: 'tlog-proof', proof: encodeTlogProof({ index: 2, path, checkpoint }) };
};

/** The same file in a log that two witnesses saw. */
export const toLogged = ({ name, file, ...others }: Original): Original => ({
  ...others,
  name: `${name}, in a log`,
  file: withBlock(file, { anchors: [toAnchor(blockHashOf(file))] }),
  trust: { ...(file.ledger as EvidenceFile), ...LOG_ROOTS, quorum: 1 },
});

const toQuantity = (bytes: Uint8Array): string => (bytes.length === 0 ? '0x0' : toHex(bytes));

/** The same proof below a header that validators 1 to 4 sealed. */
export const toSealed = ({ name, file }: Original, rule: 'qbft' | 'ibft2' | 'clique', round = 0): Original => {
  const { receiptsRoot, number, timestamp } = headerOf(file);
  const fields = {
    receiptsRoot: toHex(receiptsRoot),
    number: toQuantity(number),
    timestamp: toQuantity(timestamp),
  };
  const header = rule === 'clique' ? sealClique({ sealer: 1, fields }) : sealBft(rule, { round, fields });
  const sealed = withBlock(file, { rule, header: toBase64(encodeBlockHeader(decodeHeader(header)!.header)) });
  const validators = [1, 2, 3, 4].map((n) => validator(n).address);
  const noted = rule === 'clique' ? noting(sealed) : (file.ledger as EvidenceFile);
  return { name: `${name}, ${rule} round ${round}`, file: sealed, trust: { ...noted, validators } };
};

const recordEvents = async (url: string, tenant: FixtureTenant, asset: string): Promise<EventResource[]> => {
  const post = async (event: object): Promise<EventResource> => {
    const { status, body } = await tenant.post<EventResource>(`${asset}/events`, event);
    if (status !== 200) throw new Error(`an event is refused: ${JSON.stringify(body)}`);
    return body;
  };
  const form = new FormData();
  form.append('file', new Blob(['photo']), 'photo.txt');
  const headers = { authorization: `Bearer ${tenant.token}` };
  const uploaded = await fetch(`${url}/archivist/v1/blobs`, { method: 'POST', headers, body: form });
  const { identity, hash } = (await uploaded.json()) as { identity: string; hash: { value: string } };
  const attachment = {
    arc_attachment_identity: identity,
    arc_display_name: 'photo',
    arc_hash_value: hash.value,
    arc_hash_alg: 'SHA256',
  };
  const events = [];
  for (const name of ['plain', 'h\u00e9llo \ud83d\ude00 "quoted"', 'third', 'fourth', 'fifth']) {
    const event_attributes = { name, nested: { b: '1', a: '2' }, list: [{ x: 'y' }] };
    events.push(await post({ behaviour: 'RecordEvidence', operation: 'Record', event_attributes }));
  }
  const event_attributes = { arc_append_attachments: [attachment] };
  events.push(await post({ behaviour: 'Attachments', operation: 'Attach', event_attributes }));
  return events;
};

const withRecords = (history: EvidenceFile, records: Json): EvidenceFile => {
  const { digests: _, ...others } = history;
  return { ...others, records };
};

/** Records events of a tenant through the server at a URL, and makes the originals of their ledger. */
export const makeOriginals = async (ledger: Ledger, url: string, tenant: FixtureTenant): Promise<Original[]> => {
  const maker = createEvidenceMaker(ledger);
  const { identity } = tenant;
  const creation = { behaviours: ['RecordEvidence', 'Attachments'], attributes: { weight: '10' } };
  const { identity: asset } = (await tenant.post<{ identity: string }>('assets', creation)).body;
  const events = await recordEvents(url, tenant, asset);
  const attested = await maker.attest(identity, [asset]);
  const absent = `${asset}/events/00000000-0000-4000-8000-000000000000`;
  const absentAsset = 'assets/00000000-0000-4000-8000-000000000000';
  const withRecord = await maker.attest(identity, [], [absent]);
  const withStream = await maker.attest(identity, [absentAsset]);
  const history = await maker.history(identity, asset, attested);
  const all = await maker.range(identity, asset, [1, events.length + 1], attested);
  const files: Record<string, EvidenceFile> = {
    'event in its log': await maker.event(events[1]!),
    'event in the tree': await maker.event(events[1]!, attested),
    'attach in its log': await maker.event(events[5]!),
    history,
    'history with records': withRecords(history, all.records!),
    range: await maker.range(identity, asset, [3, 5], attested),
    'range from the start': all,
    'absence of a record': await maker.absence(identity, absent, withRecord),
    'absence of a stream': await maker.absence(identity, absentAsset, withStream),
  };
  const noted = Object.entries(files).map(([name, file]): Original => ({ name, file, trust: noting(file) }));
  const [logged, inTree, , full] = noted as [Original, Original, Original, Original];
  return [
    ...noted,
    toLogged(logged),
    toLogged(inTree),
    toLogged(full),
    toSealed(logged, 'qbft'),
    toSealed(inTree, 'qbft', 3),
    toSealed(logged, 'ibft2', 2),
    toSealed(inTree, 'clique'),
  ];
};
