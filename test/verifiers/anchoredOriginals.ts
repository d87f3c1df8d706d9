// Originals with what says more of their block: time stamps of an authority, and a proof of the contract's account.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { ZeroAddress } from 'ethers';
import type { Ledger } from '../../host/openLedger.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { decodeTlogProof } from '../../ledger/evidence/tlogProof.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import type { TimestampAuthority } from '../support/timestampAuthority.ts';
import { withReceipt } from './encodingChanges.ts';
import { blockOf, type Original, toLogged, withBlock } from './originals.ts';
import { toLog, toReceipt } from './ownVerdicts.ts';

/** The text that a time stamp of the original's checkpoint is of. */
export const stampedTextOf = ({ file }: Pick<Original, 'file'>): Uint8Array => {
  const [{ proof }] = blockOf(file).anchors as [{ proof: string }];
  return Buffer.from(decodeSignedNote(decodeTlogProof(proof).checkpoint).text);
};

/** The same file with other time stamps. */
export const withStamps = (original: Original, tokens: readonly Uint8Array[]): Original => {
  const [anchor] = blockOf(original.file).anchors as [object];
  const anchors = [{ ...anchor, rfc3161: tokens.map(toBase64), ots: [toBase64(stampedTextOf(original))] }];
  return { ...original, file: withBlock(original.file, { anchors }) };
};

/** The path of a file like that of the authorities that is unreadable: in another encoding, or too long in bytes. */
export const toUnreadableFile = (path: string, kind: keyof typeof UNREADABLE): string => `${path}.${kind}`;

const UNREADABLE = {
  latin1: (pem: string) => Buffer.from(`Autorit\u00e9\n${pem}`, 'latin1'),
  utf16: (pem: string) => Buffer.from(`\ufeff${pem}`, 'utf16le'),
  long: (pem: string) => Buffer.from(`${pem}${'\u00e9'.repeat(128 * 1024)}\n`),
} as const;

const writeUnreadable = async (path: string): Promise<void> => {
  const pem = await readFile(path, 'utf8');
  for (const [kind, encode] of Object.entries(UNREADABLE)) await writeFile(`${path}.${kind}`, encode(pem));
};

const toStamped = async (original: Original, authority: TimestampAuthority): Promise<Original[]> => {
  const logged = toLogged(original);
  const text = stampedTextOf(logged);
  const tokens = [await authority.stamp(text), await authority.stamp(text, { withCertificates: false })];
  const naming = (at: number, file: string, trust: Original['trust']): Original => ({
    ...withStamps(logged, [tokens[at]!]),
    name: `${original.name}, stamped ${at}`,
    trust: { ...trust, tsa_ca_file: file },
  });
  return [naming(0, authority.rootFile, original.trust), naming(1, authority.allFile, logged.trust)];
};

const OTHER_LEDGER = { chain_id: 5, contract: `0x${'cd'.repeat(20)}` };

/** A record of a text on another ledger, and what proves it there. */
export const toElsewhere = (original: Original, text: string): { record: EvidenceFile; roots: EvidenceFile } => {
  const words = [1, 2, 3].map((n) => new Uint8Array(32).fill(n));
  const values = [...words, ZeroAddress, 1, new Uint8Array(32), new Uint8Array(28), Buffer.from(text)];
  const proofs = [{ kind: 'log', block: 0, transaction: 0, nodes: [], log: 0 }];
  const receipt = toReceipt([toLog(OTHER_LEDGER.contract, 'RecordAppended', values)]);
  const { file, trust } = withReceipt({ ...original.file, proofs }, receipt)!;
  const [block, proof] = [(file.blocks as Json[])[0]!, (file.proofs as Json[])[0]!];
  return { record: { ledger: OTHER_LEDGER, block, proof }, roots: { ...OTHER_LEDGER, blocks: trust.blocks! } };
};

const toRecorded = (original: Original): Original => {
  const logged = toLogged(original);
  const hash = createHash('sha256').update(stampedTextOf(logged)).digest('hex');
  const { record, roots } = toElsewhere(original, `{"checkpoint":"${hash}"}`);
  const anchors = [{ ...(blockOf(logged.file).anchors as [object])[0], elsewhere: [record] }];
  const trust = { ...original.trust, elsewhere: [{ ...OTHER_LEDGER, chain_id: 6 }, roots] };
  return { name: `${original.name}, recorded elsewhere`, file: withBlock(original.file, { anchors }), trust };
};

/** Originals made of one whose block is new. */
export const makeAnchoredOriginals = async (
  ledger: Ledger,
  original: Original,
  authority: TimestampAuthority,
): Promise<Original[]> => {
  const { file, codeHash } = await createEvidenceMaker(ledger).withAccount(original.file);
  const trust = { ...original.trust, code_hash: codeHash };
  await writeUnreadable(authority.rootFile);
  const withAccount: Original = { ...original, name: `${original.name}, with its code`, file, trust };
  return [withAccount, toRecorded(original), ...(await toStamped(original, authority))];
};
