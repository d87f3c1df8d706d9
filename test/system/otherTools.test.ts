// Tools of others read the standard parts of evidence files: the verifier of Sigstore checks the signed checkpoint and
// the RFC 9162 proofs, ethers decodes the receipt. (OpenSSL checks time stamps in timeEvidence.test.ts.)
import { createPublicKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Checkpoints from '@sigstore/verify/dist/tlog/checkpoint.js';
import type * as Merkle from '@sigstore/verify/dist/tlog/merkle.js';
import { expect } from 'chai';
import { AbiCoder, decodeRlp, getBytes, id, keccak256 } from 'ethers';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, serveTestLedger } from '../support/testLedger.ts';

const require = createRequire(import.meta.url);
const { LogCheckpoint, verifyCheckpoint } = require('@sigstore/verify/dist/tlog/checkpoint.js') as typeof Checkpoints;
const { verifyMerkleInclusion } = require('@sigstore/verify/dist/tlog/merkle.js') as typeof Merkle;

type Entry = Parameters<typeof verifyMerkleInclusion>[0];
interface LogProof {
  readonly nodes: readonly string[];
  readonly log: number;
}
interface LeafProof {
  readonly index: number;
  readonly path: readonly string[];
}
interface ServedFile extends EvidenceFile {
  readonly leaves: string;
  readonly blocks: [{ header: string; anchors: [{ proof: string }] }];
  readonly proofs: [LogProof & EvidenceFile, LeafProof & EvidenceFile, LeafProof & EvidenceFile];
}

const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const LEAF_BYTES = 80;
const ORIGIN = 'log.example/tools';
const fromText = (text: string): Buffer => Buffer.from(text, 'base64');

// A verifier key as c2sp.org/signed-note has it: name, id, and a type byte with the public key.
const toAuthority = (verifierKey: string): { logID: Buffer; publicKey: KeyObject; baseURL: string } => {
  const [, baseURL, keyId, key] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(verifierKey) as unknown as string[];
  const der = Buffer.concat([ED25519_SPKI, fromText(key!).subarray(1)]);
  return {
    baseURL: baseURL!,
    logID: Buffer.from(keyId!, 'hex'),
    publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }),
  };
};

const toEntry = (index: number, path: readonly string[], leaf: Uint8Array, checkpoint = ''): Entry =>
  ({
    logIndex: String(index),
    canonicalizedBody: leaf,
    inclusionProof: { logIndex: String(index), hashes: path.map(fromText), checkpoint: { envelope: checkpoint } },
  }) as unknown as Entry;

// The text of c2sp.org/tlog-proof: a line for the version, the index, the path, an empty line, the checkpoint.
const parseProof = (proof: string) => {
  const [head, ...rest] = proof.split('\n\n') as [string, ...string[]];
  const [, index, ...path] = head.split('\n') as [string, string, ...string[]];
  return { index: Number(index.replace('index ', '')), path, checkpoint: rest.join('\n\n') };
};

describe('tools of others', () => {
  const shared = useSharedLedger();
  const closing: (() => Promise<void>)[] = [];
  let server: ListeningServer;
  let tenant: FixtureTenant;
  let asset: AssetResource;
  let logKey: string;
  let file: ServedFile;

  before(async () => {
    const { ledger } = shared();
    const settings = { checkpointSeconds: 3_600, logOrigin: ORIGIN };
    const checkpoints = (await openCheckpoints(ledger, settings, () => undefined))!;
    closing.push(checkpoints.close);
    ({ logKey } = checkpoints);
    server = await serveTestLedger(ledger, { evidence: openEvidence({ ledger, checkpoints, waitMs: 30_000 }) });
    closing.push(server.close);
    tenant = await createFixtureTenant(ledger, server, 'tools');
    asset = await tenant.createAsset();
    for (const name of ['first', 'second', 'third', 'fourth']) await tenant.record(asset, name);
    // A checkpoint that covers it all, then a range, whose leaves are in the file.
    const headers = { authorization: `Bearer ${tenant.token}` };
    const fetchFile = async (path: string) =>
      (await (await fetch(`${server.url}/archivist/${path}`, { headers })).json()) as ServedFile;
    await fetchFile(`v2/${asset.identity}:evidence`);
    file = await fetchFile(`v2/${asset.identity}:evidence?from=3&to=4`);
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  it('verify the signed checkpoint, and the block in the log', () => {
    const [{ header, anchors }] = file.blocks;
    const { index, path, checkpoint } = parseProof(anchors[0].proof);
    const entry = toEntry(index, path, getBytes(keccak256(fromText(header))), checkpoint);
    const verified = verifyCheckpoint(entry, [toAuthority(logKey) as never]);
    expect(verified.origin).to.equal(ORIGIN);
    expect(() => verifyMerkleInclusion(entry, verified)).to.not.throw();
    const other = toEntry(index, path, Buffer.alloc(32), checkpoint);
    expect(() => verifyMerkleInclusion(other, verified)).to.throw();
  });

  it('refuse a checkpoint of which a character was changed', () => {
    const { checkpoint } = parseProof(file.blocks[0].anchors[0].proof);
    const authorities = [toAuthority(logKey) as never];
    const changed = checkpoint.replace(/\n(\d+)\n/, (_, size: string) => `\n${Number(size) + 1}\n`);
    expect(changed).to.not.equal(checkpoint);
    expect(() => verifyCheckpoint(toEntry(0, [], Buffer.alloc(0), changed), authorities)).to.throw();
  });

  it('decode the receipt, and verify leaves in the tree that it states', () => {
    const [log, ...leafProofs] = file.proofs;
    // The transaction was alone in its block, so the only node of the trie is the leaf with the receipt.
    expect(log.nodes).to.have.length(1);
    const [, value] = decodeRlp(fromText(log.nodes[0]!)) as [string, string];
    const [, , , logs] = decodeRlp(`0x${value.slice(4)}`) as [string, string, string, [string, string[], string][]];
    const [, topics, data] = logs[log.log]!;
    expect(topics[0]).to.equal(id('TenantAttested(bytes32,uint64,bytes32)'));
    const [size, root] = AbiCoder.defaultAbiCoder().decode(['uint64', 'bytes32'], data) as unknown as [bigint, string];
    const tree = new LogCheckpoint('', size, Buffer.from(getBytes(root)), []);
    const leaves = fromText(file.leaves);
    expect(leafProofs).to.have.length(2);
    for (const [at, { index, path }] of leafProofs.entries()) {
      const leaf = leaves.subarray(at * LEAF_BYTES, (at + 1) * LEAF_BYTES);
      expect(() => verifyMerkleInclusion(toEntry(index, path, leaf), tree)).to.not.throw();
      expect(() => verifyMerkleInclusion(toEntry(index + 1, path, leaf), tree)).to.throw();
    }
  });
});
