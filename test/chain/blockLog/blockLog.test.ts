// The log of blocks: its files are those of its tree, a restart continues it, and what contradicts it is refused.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createCheckpointSigner } from '../../../chain/blockLog/checkpointSigner.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { concatBytes } from '../../../ledger/evidence/bytes.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf } from '../../../ledger/evidence/merkleTree.ts';
import { verifyCheckpoint } from '../../../ledger/evidence/signedCheckpoint.ts';
import {
  decodeTilePath,
  encodeEntryBundle,
  encodeTilePath,
  type Tile,
  toNewTiles,
  toTilePositions,
} from '../../../ledger/evidence/tiles.ts';
import {
  createNumberedChain,
  hashOfBlock,
  type NumberedChain,
  ORIGIN,
  openNumberedLog,
  SIGNER,
  toNaiveRoot,
} from '../../support/blockLogs.ts';
import { useDirectories } from '../../support/directories.ts';
import { runs } from '../../support/propertyRuns.ts';
import { rejectionOf } from '../../support/refusals.ts';

// Every file of a tree over the blocks `first` to `last`, computed from all nodes of the tree.
const toExpectedFiles = (chain: NumberedChain, first: number, last: number): Map<string, string> => {
  const blocks = Array.from({ length: last - first + 1 }, (_, at) => hashOfBlock(chain, first + at));
  const nodes = new Map<string, Uint8Array>();
  extendFrontier(
    EMPTY_FRONTIER,
    blocks.map((block) => hashLeaf(block)),
    ({ level, index }, hash) => nodes.set(`${level}/${index}`, hash),
  );
  const files = new Map<string, string>();
  for (const tile of toNewTiles(0, blocks.length)) {
    const positions = toTilePositions(tile as Tile & { level: number });
    const hashes = positions.map(({ level, index }) => nodes.get(`${level}/${index}`)!);
    files.set(encodeTilePath(tile), toHex(concatBytes(hashes)));
    if (tile.level !== 0) continue;
    const bundle = encodeEntryBundle(blocks.slice(tile.index * 256, tile.index * 256 + tile.width));
    files.set(encodeTilePath({ ...tile, level: 'entries' }), toHex(bundle));
  }
  return files;
};

const readFiles = async (directory: string): Promise<Map<string, string>> => {
  const files = new Map<string, string>();
  for (const entry of await readdir(join(directory, 'tile'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(directory.length + 1), toHex(await readFile(path)));
  }
  return files;
};

describe('the block log', () => {
  const makeDirectory = useDirectories();

  it('has the files and the root of its tree after any steps, with a start between them', async () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { minLength: 1, maxLength: 5 });
    const check = fc.asyncProperty(fc.nat(3), steps, async (firstBlock, growth) => {
      const directory = await makeDirectory();
      const chain = createNumberedChain(firstBlock);
      let log = await openNumberedLog(directory, chain, { firstBlock });
      const covered = new Map<string, string>();
      for (const [count, isRestarted] of growth) {
        chain.head += count;
        await log.advance();
        if (isRestarted) log = await openNumberedLog(directory, chain, { firstBlock });
        const head = log.head()!;
        const verified = verifyCheckpoint(head.note, [SIGNER.logKey, SIGNER.timeKey])!;
        expect([head.newestBlock, verified.isLogSigned]).to.deep.equal([chain.head, true]);
        expect(toHex(verified.checkpoint.root)).to.equal(toHex(toNaiveRoot(chain, firstBlock, chain.head)));
        const expected = toExpectedFiles(chain, firstBlock, chain.head);
        const files = await readFiles(directory);
        for (const [path, bytes] of expected) {
          expect(files.get(path), path).to.equal(bytes);
          expect(toHex((await log.readTile(decodeTilePath(path)))!), path).to.equal(bytes);
        }
        for (const [path, bytes] of files) {
          expect(covered.get(path) ?? bytes, path).to.equal(bytes);
          covered.set(path, bytes);
        }
        await log.assertUndamaged();
      }
    });
    await fc.assert(check, runs(25));
  });

  it('has a tile of the third level from 65,536 blocks on, and catches up with a checkpoint in between', async () => {
    const directory = await makeDirectory();
    const chain = createNumberedChain(66_000);
    const log = await openNumberedLog(directory, chain);
    await log.advance();
    expect((await log.readTile({ level: 2, index: 0, width: 1 }))!).to.have.length(32);
    expect((await log.readTile({ level: 1, index: 0, width: 256 }))!).to.have.length(8192);
    const { root } = verifyCheckpoint(log.head()!.note, [SIGNER.logKey])!.checkpoint;
    expect(toHex(root)).to.equal(toHex(toNaiveRoot(chain, 0, 66_000)));
    expect((await openNumberedLog(directory, chain)).head()).to.deep.equal(log.head());
  });

  it('has no checkpoint before the first block, and no tile beyond its checkpoint', async () => {
    const directory = await makeDirectory();
    const chain = createNumberedChain(3);
    const log = await openNumberedLog(directory, chain, { firstBlock: 4 });
    await log.advance();
    expect(log.head()).to.equal(undefined);
    chain.head = 5;
    await log.advance();
    chain.head = 9;
    expect(await log.readTile({ level: 0, index: 0, width: 2 })).to.have.length(64);
    for (const tile of [
      { level: 0, index: 0, width: 3 },
      { level: 0, index: 1, width: 1 },
      { level: 1, index: 0, width: 1 },
      { level: 'entries', index: 0, width: 3 },
      { level: 63, index: Number.MAX_SAFE_INTEGER, width: 256 },
    ] as const)
      expect(await log.readTile(tile)).to.equal(undefined);
  });

  it('removes partial tiles when they are full', async () => {
    const directory = await makeDirectory();
    const chain = createNumberedChain(9);
    const log = await openNumberedLog(directory, chain);
    await log.advance();
    chain.head = 99;
    await log.advance();
    const partial = ['tile/0/000.p/10', 'tile/0/000.p/100', 'tile/entries/000.p/10', 'tile/entries/000.p/100'];
    expect([...(await readFiles(directory)).keys()].sort()).to.deep.equal(partial);
    chain.head = 255;
    await log.advance();
    const full = ['tile/0/000', 'tile/1/000.p/1', 'tile/entries/000'];
    expect([...(await readFiles(directory)).keys()].sort()).to.deep.equal(full);
  });

  it('signs an idle log again with the time, which never goes back', async () => {
    const directory = await makeDirectory();
    const chain = createNumberedChain(9);
    let seconds = 1_000;
    const log = await openNumberedLog(directory, chain, { now: () => seconds * 1_000 });
    const lines: string[][] = [];
    for (const at of [1_000, 90_000, 500]) {
      seconds = at;
      await log.advance();
      lines.push(log.head()!.note.split('\n'));
      const { cosigners } = verifyCheckpoint(log.head()!.note, [SIGNER.timeKey])!;
      expect(cosigners[0]!.timeSeconds).to.equal(Math.max(1_000, at === 500 ? 90_000 : at));
    }
    expect(lines.map((each) => each.slice(0, 5))).to.deep.equal(Array(3).fill(lines[0]!.slice(0, 5)));
    expect(lines[1]![5]).not.to.equal(lines[0]![5]);
    expect(lines[2]).to.deep.equal(lines[1]);
  });

  it('copies what its checkpoint covers, and the copy continues', async () => {
    const [directory, target] = [await makeDirectory(), await makeDirectory()];
    const chain = createNumberedChain(700);
    await writeFile(join(directory, 'log.json'), JSON.stringify({ origin: ORIGIN, first_block: 0 }));
    const log = await openNumberedLog(directory, chain);
    await log.copyTo(target);
    expect(await readdir(target)).to.deep.equal([]);
    await log.advance();
    await log.copyTo(target);
    expect(await readFiles(target)).to.deep.equal(toExpectedFiles(chain, 0, 700));
    chain.head = 900;
    const copy = await openNumberedLog(target, chain);
    await copy.assertUndamaged();
    await copy.advance();
    expect(await readFiles(target)).to.include.keys([...toExpectedFiles(chain, 0, 900).keys()]);
  });
});

describe('a block log is refused', () => {
  const makeDirectory = useDirectories();
  let directory: string;
  let chain: NumberedChain;

  beforeEach(async () => {
    directory = await makeDirectory();
    chain = createNumberedChain(600);
    await (await openNumberedLog(directory, chain)).advance();
  });

  const change = async (path: string, edit: (bytes: Buffer) => Buffer): Promise<void> =>
    writeFile(join(directory, path), edit(await readFile(join(directory, path))));
  const flipBit = (bytes: Buffer): Buffer => {
    bytes[bytes.length - 1]! ^= 1;
    return bytes;
  };

  const NEWEST = ['tile/0/002.p/89', 'tile/1/000.p/2', 'tile/entries/002.p/89', 'checkpoint'];
  for (const path of NEWEST) {
    for (const [name, edit] of [
      ['with a bit flipped', flipBit],
      ['cut off', (bytes: Buffer) => bytes.subarray(0, -1)],
      ['that is empty', () => Buffer.alloc(0)],
    ] as const) {
      it(`at the start: ${path} ${name}`, async () => {
        await change(path, edit);
        expect(await rejectionOf(openNumberedLog(directory, chain))).to.equal('LOG_CORRUPT');
      });
    }
  }

  for (const path of NEWEST.slice(0, -1)) {
    it(`at the start: without ${path}`, async () => {
      await rm(join(directory, path));
      expect(await rejectionOf(openNumberedLog(directory, chain))).to.equal('LOG_CORRUPT');
    });
  }

  for (const path of ['tile/0/000', 'tile/0/001', 'tile/entries/000']) {
    it(`when it is read: ${path} with a bit flipped, cut off or missing`, async () => {
      const tile = decodeTilePath(path);
      const log = await openNumberedLog(directory, chain);
      const good = await readFile(join(directory, path));
      for (const bytes of [flipBit(Buffer.from(good)), good.subarray(1)]) {
        await writeFile(join(directory, path), bytes);
        expect(await rejectionOf(log.readTile(tile))).to.equal('LOG_CORRUPT');
        expect(await rejectionOf(log.assertUndamaged())).to.equal('LOG_CORRUPT');
      }
      await rm(join(directory, path));
      expect(await rejectionOf(log.readTile(tile))).to.equal('LOG_CORRUPT');
      await writeFile(join(directory, path), good);
      await log.assertUndamaged();
    });
  }

  it('when another key signed it', async () => {
    const signer = createCheckpointSigner(ORIGIN, Buffer.alloc(32, 8));
    expect(await rejectionOf(openNumberedLog(directory, chain, { signer }))).to.equal('LOG_CORRUPT');
  });

  it('when it has another name', async () => {
    const signer = createCheckpointSigner(`${ORIGIN}/2`, Buffer.alloc(32, 7));
    expect(await rejectionOf(openNumberedLog(directory, chain, { signer }))).to.equal('LOG_CORRUPT');
  });

  it('when the chain has another block, at the start and later, and nothing is written', async () => {
    const log = await openNumberedLog(directory, chain);
    const before = await readFiles(directory);
    Object.assign(chain, { fork: 'b', forkedAt: 600, head: 700 });
    expect(await rejectionOf(log.advance())).to.equal('LOG_CORRUPT');
    expect(await rejectionOf(openNumberedLog(directory, chain))).to.equal('LOG_CORRUPT');
    expect(await readFiles(directory)).to.deep.equal(before);
    expect(await readFile(join(directory, 'checkpoint'), 'utf8')).to.equal(log.head()!.note);
  });

  it('when the chain lacks its newest block', async () => {
    const log = await openNumberedLog(directory, chain);
    chain.head = 599;
    expect(await rejectionOf(log.advance())).to.equal('CHAIN_UNAVAILABLE');
    expect(await rejectionOf(openNumberedLog(directory, chain))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('not when files remain that no checkpoint covers', async () => {
    await mkdir(join(directory, 'tile/0/002.p'), { recursive: true });
    for (const path of ['tile/0/002', 'tile/0/002.p/90', 'tile/0/003.tmp', 'checkpoint.tmp'])
      await writeFile(join(directory, path), 'cut off');
    chain.head = 800;
    const log = await openNumberedLog(directory, chain);
    await log.advance();
    await log.assertUndamaged();
    const files = await readFiles(directory);
    for (const [path, bytes] of toExpectedFiles(chain, 0, 800)) expect(files.get(path), path).to.equal(bytes);
  });
});
