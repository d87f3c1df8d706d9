// Texts that no ledger makes: each is unreadable, with the reason, before anything large is built.
import { expect } from 'chai';
import { keccak256 } from '../../../../ledger/encoding/keccak.ts';
import { decodeBlockHeader, encodeBlockHeader } from '../../../../ledger/evidence/blockHeader.ts';
import { parseBundle } from '../../../../ledger/evidence/bundle/bundle.ts';
import { parseTrust } from '../../../../ledger/evidence/bundle/trust.ts';
import { verifyBundle } from '../../../../ledger/evidence/bundle/verifyBundle.ts';
import { UnreadableEvidence } from '../../../../ledger/evidence/unreadableEvidence.ts';
import { readTrieVectors } from '../../../support/receiptTries.ts';
import { ALPHA, assetOf } from '../../../support/records.ts';
import { isUnreadable } from '../../../support/unreadable.ts';

const [block] = readTrieVectors().blocks;
const HEADER = Buffer.from(block!.header.slice(2), 'hex').toString('base64');

const ASSET = assetOf(1);
const FILE = {
  format: 'provenance-ledger/evidence/1',
  ledger: { chain_id: 1, contract: `0x${'ab'.repeat(20)}` },
  claim: { kind: 'history', tenant_identity: ALPHA, asset_identity: ASSET, count: 0 },
  blocks: [{ rule: 'ethereum', header: HEADER, anchors: [] }],
  proofs: [{ kind: 'log', block: 0, transaction: 0, nodes: [], log: 0 }],
} as const;
const LEAF = { kind: 'leaf', root: 0, index: 0, path: [], sequence: 1, head: `0x${'ab'.repeat(28)}` };
const HASH = Buffer.alloc(32).toString('base64');

const TENANT_CLAIM = { kind: 'tenant', tenant_identity: ALPHA, count: 1, leaves_sha256: `0x${'ab'.repeat(32)}` };

const withFile = (changes: object): string => JSON.stringify({ ...FILE, ...changes });
const withClaim = (changes: object): string => withFile({ claim: { ...FILE.claim, ...changes } });
const withProof = (changes: object): string => withFile({ proofs: [{ ...FILE.proofs[0], ...changes }] });
const withLeaf = (changes: object): string => withFile({ proofs: [{ ...LEAF, ...changes }] });
const withRecord = (payload: string): string =>
  withFile({
    records: [{ author: `0x${'ab'.repeat(20)}`, payload: Buffer.from(payload, 'latin1').toString('base64') }],
  });
const many = (count: number, value: unknown): unknown[] => new Array(count).fill(value);

const WRONG: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['65 levels', withFile({ claim: { kind: 'event', event: JSON.parse(`${'['.repeat(63)}1${']'.repeat(63)}`) } })],
  ['no JSON', 'x'.repeat(1_000)],
  ['17 MiB', `"${'x'.repeat(17 * 2 ** 20)}"`],
  ['16 MiB of nonsense', '\u0000'.repeat(16 * 2 ** 20)],
  ['a million lists in each other', '['.repeat(1_000_000)],
  ['five million lists', `[${'[],'.repeat(5_000_000)}[]]`],
  ['eight million numbers', `[${'1,'.repeat(8_000_000)}1]`],
  ['a member twice', JSON.stringify(FILE).replace('"format"', '"format":"x","format"')],
  ['a member twice, once escaped', JSON.stringify(FILE).replace('"claim"', '"cl\\u0061im":1,"claim"')],
  ['a list', '[]'],
  ['null', 'null'],
  ['another format', withFile({ format: 'evidence/1' })],
  ['a newer format', withFile({ format: 'provenance-ledger/evidence/2' })],
  ['a format that is a number', withFile({ format: 1 })],
  ['an unknown member', withFile({ more: 1 })],
  ['no blocks', JSON.stringify({ ...FILE, blocks: undefined })],
  ['nine blocks', withFile({ blocks: many(9, FILE.blocks[0]) })],
  ['a contract in upper case', withFile({ ledger: { ...FILE.ledger, contract: `0x${'AB'.repeat(20)}` } })],
  ['a short contract', withFile({ ledger: { ...FILE.ledger, contract: `0x${'ab'.repeat(19)}` } })],
  ['chain id 0', withFile({ ledger: { ...FILE.ledger, chain_id: 0 } })],
  ['a chain id that is a text', withFile({ ledger: { ...FILE.ledger, chain_id: '1' } })],
  ['no claim', withFile({ claim: null })],
  ['a claim of an unknown kind', withClaim({ kind: 'toString' })],
  ['a negative count', withClaim({ count: -1 })],
  ['a count beyond 2^53', withClaim({ count: 2 ** 53 })],
  ['a fraction as a count', withClaim({ count: 0.5 })],
  ['a claim with an unknown member', withClaim({ more: 1 })],
  ['an identity that is no text', withClaim({ asset_identity: null })],
  ['an identity in upper case', withClaim({ asset_identity: ASSET.toUpperCase() })],
  ['an identity that the ledger never writes', withClaim({ asset_identity: 'assets/1' })],
  ['a tenant that the ledger never writes', withClaim({ tenant_identity: 'tenant/1' })],
  ['a tenant list with a short hash', withFile({ claim: { ...TENANT_CLAIM, leaves_sha256: '0xab' } })],
  [
    'a range that ends before it begins',
    withFile({ claim: { ...FILE.claim, count: undefined, kind: 'range', from: 3, to: 2 } }),
  ],
  ['an unknown rule', withFile({ blocks: [{ ...FILE.blocks[0], rule: 'aura' }] })],
  ['a header that is no RLP', withFile({ blocks: [{ ...FILE.blocks[0], header: HASH }] })],
  [
    'a header with bytes after it',
    withFile({ blocks: [{ ...FILE.blocks[0], header: `${HEADER.replace(/=+$/, '')}AAAA` }] }),
  ],
  ['a header that is not base64', withFile({ blocks: [{ ...FILE.blocks[0], header: `${HEADER}=` }] })],
  ['an anchor of an unknown kind', withFile({ blocks: [{ ...FILE.blocks[0], anchors: [{ kind: 'x', proof: '' }] }] })],
  [
    'an anchor without lines',
    withFile({ blocks: [{ ...FILE.blocks[0], anchors: [{ kind: 'tlog-proof', proof: '' }] }] }),
  ],
  ['nine anchors', withFile({ blocks: [{ ...FILE.blocks[0], anchors: many(9, { kind: 'tlog-proof', proof: '' }) }] })],
  ['17 proofs', withFile({ proofs: many(17, FILE.proofs[0]) })],
  ['a proof of an unknown kind', withProof({ kind: 'storage' })],
  ['a negative index of a block', withProof({ block: -1 })],
  ['a negative index of a transaction', withProof({ transaction: -1 })],
  ['a negative index of a log', withProof({ log: -1 })],
  ['65 nodes', withProof({ nodes: many(65, HASH) })],
  ['a path of a million', withLeaf({ path: many(1_000_000, '') })],
  ['a path of 65', withLeaf({ path: many(65, HASH) })],
  ['a negative index of a leaf', withLeaf({ index: -1 })],
  ['sequence 0', withLeaf({ sequence: 0 })],
  ['a short head', withLeaf({ head: `0x${'ab'.repeat(27)}` })],
  ['digests of 33 bytes', withFile({ digests: Buffer.alloc(33).toString('base64') })],
  ['leaves of 81 bytes', withFile({ leaves: Buffer.alloc(81).toString('base64') })],
  ['records that are no list', withFile({ records: {} })],
  ['a record whose payload names no identity', withRecord('\u0001{}')],
  ['a record whose payload has no version', withRecord('{"identity":"x"}')],
  ['a record whose payload names its identity twice', withRecord('\u0001{"identity":"x","identity":"y"}')],
  ['a record whose payload is no UTF-8', withRecord('\u0001{"identity":"\u00ff"}')],
  ['a path of short hashes', withLeaf({ path: [Buffer.alloc(31).toString('base64')] })],
  ['a record without an author', withFile({ records: [{ payload: '' }] })],
  ['a record with a short id', withFile({ records: [{ author: `0x${'ab'.repeat(20)}`, payload: '', id: '0xab' }] })],
];

const UNSIGNED = { kind: 'tlog-proof', proof: `c2sp.org/tlog-proof@v1\nindex 0\n\nlog\n1\n${HASH}\n` };
const TRUST = { chain_id: 1, contract: `0x${'ab'.repeat(20)}` };
const LOG = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';

const WRONG_TRUST: readonly (readonly [name: string, changes: object])[] = [
  ['an unknown member', { block: [] }],
  ['a block hash in upper case', { blocks: [`0x${'AB'.repeat(32)}`] }],
  ['1,025 blocks', { blocks: many(1_025, `0x${'ab'.repeat(32)}`) }],
  ['a key that is none', { logs: ['x'] }],
  ['a key whose id is wrong', { logs: [LOG.replace('033de0ae', '033de0af')] }],
  ['the key of a log among the witnesses', { witnesses: [LOG] }],
  ['a quorum without witnesses', { quorum: 1 }],
  ['a list that is null', { logs: null }],
  ['a quorum of 0', { quorum: 0 }],
  ['a validator that is no address', { validators: ['0xab'] }],
];

describe('an evidence file', () => {
  it('is readable as docs/evidence-format.md describes it', () => {
    expect(parseBundle(JSON.stringify(FILE)).claim).to.include({ kind: 'history', count: 0 });
    expect(parseBundle(withLeaf({})).proofs[0]).to.include({ kind: 'leaf', sequence: 1 });
  });

  for (const [name, text] of WRONG) {
    it(`is unreadable: ${name}`, () => {
      expect(isUnreadable(() => parseBundle(text))).to.equal(true);
    });
  }
});

const toExitCode = (error: unknown): { exitCode: number } => {
  expect(error).to.be.instanceOf(UnreadableEvidence);
  return { exitCode: 2 };
};

// Its form is right: whether the parts fit is decided before anything is proved, and nothing else is unreadable.
describe('the check of an evidence file', () => {
  const exitCodeOf = async (text: string): Promise<number> =>
    (await verifyBundle(text, JSON.stringify(TRUST)).catch(toExitCode)).exitCode;
  const withHistory = (changes: object): string =>
    withFile({ digests: HASH, ...changes }).replace('"count":0', '"count":1');

  const unfit: readonly (readonly [name: string, text: string])[] = [
    ['fewer digests than the count', withHistory({ digests: '' })],
    ['records that the claim does not need', withHistory({ leaves: Buffer.alloc(80).toString('base64') })],
    ['a proof of a leaf that the claim does not need', withHistory({ proofs: [FILE.proofs[0], LEAF] })],
    ['a block that the file lacks', withHistory({ proofs: [{ ...FILE.proofs[0], block: 1 }] })],
    ['a header of another rule', withHistory({ blocks: [{ ...FILE.blocks[0], rule: 'qbft' }] })],
    ['a tenant list without its leaves', withFile({ claim: TENANT_CLAIM })],
    ['a tenant list with leaves in it', withFile({ claim: TENANT_CLAIM, leaves: Buffer.alloc(80).toString('base64') })],
    ['an anchor without a checkpoint', withHistory({ blocks: [{ ...FILE.blocks[0], anchors: [UNSIGNED] }] })],
  ];
  for (const [name, text] of unfit) {
    it(`finds it unreadable, also for another ledger: ${name}`, async () => {
      expect(await exitCodeOf(text)).to.equal(2);
      expect(await exitCodeOf(text.replace('"chain_id":1', '"chain_id":2'))).to.equal(2);
    });
  }

  it('refutes a proof whose bytes encode nothing', async () => {
    const garbage = Buffer.alloc(40, 0xff);
    const header = decodeBlockHeader(Buffer.from(HEADER, 'base64'));
    const changed = encodeBlockHeader({ ...header, receiptsRoot: keccak256(garbage) });
    const blocks = [{ ...FILE.blocks[0], header: Buffer.from(changed).toString('base64') }];
    const proofs = [{ ...FILE.proofs[0], nodes: [garbage.toString('base64')] }];
    expect(await exitCodeOf(withHistory({ blocks, proofs }))).to.equal(1);
  });
});

describe('roots of trust', () => {
  it('are readable with any of their lists', () => {
    const trust = parseTrust(JSON.stringify({ ...TRUST, logs: [LOG], blocks: [`0x${'ab'.repeat(32)}`] }));
    expect([trust.logs.length, trust.blocks.size, trust.quorum]).to.deep.equal([1, 1, 0]);
  });

  for (const [name, changes] of WRONG_TRUST) {
    it(`are unreadable: ${name}`, () => {
      expect(isUnreadable(() => parseTrust(JSON.stringify({ ...TRUST, ...changes })))).to.equal(true);
    });
  }

  it('are unreadable without the ledger', () => {
    for (const text of ['{}', JSON.stringify({ chain_id: 1 }), JSON.stringify({ contract: TRUST.contract })]) {
      expect(isUnreadable(() => parseTrust(text))).to.equal(true);
    }
  });
});
