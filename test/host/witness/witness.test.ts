// A witness answers as c2sp.org/tlog-witness states, and never signs what contradicts an earlier cosignature.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createCheckpointSigner } from '../../../chain/blockLog/checkpointSigner.ts';
import { openWitnessKey } from '../../../host/witness/witnessKey.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { encodeAddCheckpoint } from '../../../ledger/evidence/addCheckpoint.ts';
import { EMPTY_ROOT } from '../../../ledger/evidence/merkleTree.ts';
import { verifyCheckpoint } from '../../../ledger/evidence/signedCheckpoint.ts';
import { encodeVerifierKey } from '../../../ledger/evidence/verifierKey.ts';
import { createNumberedChain, ORIGIN, SIGNER, toNaiveRoot } from '../../support/blockLogs.ts';
import { useDirectories } from '../../support/directories.ts';
import { runs } from '../../support/propertyRuns.ts';
import { failureOf, rejectionOf } from '../../support/refusals.ts';
import {
  openTestWitness,
  proveBlocks,
  signBlocks,
  type TestWitness,
  toAddCheckpoint,
} from '../../support/witnesses.ts';

const chain = createNumberedChain();
const fork = { ...createNumberedChain(), fork: 'b', forkedAt: 3 };

describe('a witness', () => {
  const makeDirectory = useDirectories();
  let directory: string;
  let witness: TestWitness;
  let seconds: number;

  const open = async (): Promise<void> => {
    witness = await openTestWitness(directory, { nowSeconds: () => seconds });
  };
  beforeEach(async () => {
    directory = await makeDirectory();
    seconds = 1_000;
    await open();
  });
  const statusOf = async (body: string): Promise<number> => (await witness.addCheckpoint(body)).status;
  // The cosignature in an answer, verified with the checkpoint that it is for.
  const cosign = async (oldSize: number, size: number): Promise<number> => {
    const { status, text } = await witness.addCheckpoint(toAddCheckpoint(chain, oldSize, size));
    expect(status).to.equal(200);
    const { cosigners } = verifyCheckpoint(`${signBlocks(chain, size)}${text}`, [witness.verifier])!;
    expect(cosigners).to.have.length(1);
    return cosigners[0]!.timeSeconds;
  };

  it('cosigns a growing log, with the time, also after a restart and the same checkpoint again', async () => {
    for (const [oldSize, size] of [
      [0, 1],
      [1, 7],
      [7, 7],
      [7, 300],
      [300, 301],
    ] as const) {
      seconds += 10;
      expect(await cosign(oldSize, size)).to.equal(seconds);
      await open();
    }
  });

  it('never states an earlier time than before', async () => {
    await cosign(0, 5);
    seconds = 500;
    expect(await cosign(5, 6)).to.equal(1_000);
    await open();
    expect(await cosign(6, 6)).to.equal(1_000);
  });

  it('answers 409 with the size that it knows, to any other old size', async () => {
    for (const oldSize of [1, 2]) {
      const answer = await witness.addCheckpoint(toAddCheckpoint(chain, oldSize, 4));
      expect(answer).to.deep.equal({ status: 409, text: '0\n' });
    }
    await cosign(0, 5);
    for (const [oldSize, size] of [
      [0, 5],
      [4, 5],
      [0, 9],
      [6, 9],
      [0, 2],
    ] as const) {
      const answer = await witness.addCheckpoint(toAddCheckpoint(chain, oldSize, size));
      expect(answer).to.deep.equal({ status: 409, text: '5\n' });
    }
  });

  it('answers 422 to a second chain of the same origin, whatever is sent', async () => {
    await cosign(0, 5);
    const forged = (oldSize: number, size: number, proof: readonly Uint8Array[]) =>
      statusOf(encodeAddCheckpoint({ oldSize, proof, checkpoint: signBlocks(fork, size) }));
    expect(await forged(5, 5, [])).to.equal(422);
    expect(await forged(5, 9, proveBlocks(fork, 5, 9))).to.equal(422);
    expect(await forged(5, 9, proveBlocks(chain, 5, 9))).to.equal(422);
    expect(await forged(5, 9, [])).to.equal(422);
    expect(await forged(5, 4, [])).to.equal(400);
    expect(await forged(0, 9, [])).to.equal(409);
    expect(witness.state.find(ORIGIN)!.size).to.equal(5);
    await cosign(5, 9);
  });

  it('answers 422 to a proof that must be empty, and to a root of no entries that is another one', async () => {
    const send = (
      oldSize: number,
      size: number,
      proof: readonly Uint8Array[],
      root = toNaiveRoot(chain, 0, size - 1),
    ) => statusOf(encodeAddCheckpoint({ oldSize, proof, checkpoint: SIGNER.sign({ size, root }, 1) }));
    expect(await send(0, 4, [EMPTY_ROOT])).to.equal(422);
    expect(await send(0, 0, [], new Uint8Array(32))).to.equal(422);
    expect(await send(0, 0, [], EMPTY_ROOT)).to.equal(200);
    expect(await send(0, 4, [])).to.equal(200);
    expect(await send(4, 4, [EMPTY_ROOT])).to.equal(422);
  });

  it('answers 404 for another origin, and 403 without the signature of the log or with a wrong one', async () => {
    const other = createCheckpointSigner('other.example/log', Buffer.alloc(32, 7));
    const imposter = createCheckpointSigner(ORIGIN, Buffer.alloc(32, 8));
    const [own, foreign] = [signBlocks(chain, 4), signBlocks(chain, 4, imposter)];
    const lines = (note: string): string[] => note.split('\n').slice(4);
    const send = (checkpoint: string) => statusOf(encodeAddCheckpoint({ oldSize: 0, proof: [], checkpoint }));
    expect(await send(signBlocks(chain, 4, other))).to.equal(404);
    expect(await send(foreign)).to.equal(403);
    const [text, broken] = [own.split('\n').slice(0, 4).join('\n'), lines(signBlocks(chain, 5))[0]];
    expect(await send(`${text}\n${broken}\n`)).to.equal(403);
    expect(await send(`${text}\n${lines(own)[0]}\n${broken}\n`)).to.equal(403);
    expect(await send(`${text}\n${lines(own)[1]}\n`)).to.equal(403);
    expect(await send(`${text}\n${lines(foreign)[0]}\n${lines(own)[0]}\n`)).to.equal(200);
  });

  it('verifies one signature of each key of the log, however many a checkpoint has', async () => {
    const own = signBlocks(chain, 4);
    const [text, line] = [own.split('\n').slice(0, 4).join('\n'), own.split('\n')[4]];
    const toBody = (copies: number): string =>
      encodeAddCheckpoint({ oldSize: 1, proof: [], checkpoint: `${text}\n${`${line}\n`.repeat(copies)}` });
    const measureUs = async (body: string): Promise<number> => {
      const { user } = process.cpuUsage();
      for (let count = 0; count < 20; count += 1) expect(await statusOf(body)).to.equal(409);
      return process.cpuUsage().user - user;
    };
    await measureUs(toBody(1));
    expect(await measureUs(toBody(60))).to.be.lessThan(10 * (await measureUs(toBody(1))));
  });

  it('answers 403 when a key of the log has two signatures, whether right or wrong', async () => {
    const own = signBlocks(chain, 4);
    const id = Buffer.from(own.split('\n')[4]!.split(' ')[2]!, 'base64').subarray(0, 4);
    const other = `\u2014 ${ORIGIN} ${Buffer.concat([id, Buffer.alloc(64, 1)]).toString('base64')}\n`;
    const send = (checkpoint: string) => statusOf(encodeAddCheckpoint({ oldSize: 0, proof: [], checkpoint }));
    expect(await send(`${own}${other}`)).to.equal(403);
    expect(await send(own.replace(`\n\u2014`, `\n${other}\u2014`))).to.equal(403);
    expect(await send(`${own}${own.split('\n')[4]}\n`)).to.equal(200);
    expect(witness.state.find(ORIGIN)!.note.split(`\n\u2014 ${ORIGIN} `)).to.have.length(2);
  });

  it('answers 400 to what is no request', async () => {
    const good = toAddCheckpoint(chain, 0, 4);
    const hash = toHex(EMPTY_ROOT);
    const bad = [
      '',
      'old 0\n',
      good.slice('old 0\n'.length),
      good.replace('old 0', 'old 00'),
      good.replace('old 0', 'old -1'),
      good.replace('old 0', 'Old 0'),
      good.replace('old 0', 'old 0 '),
      good.replace('old 0', 'old 9007199254740992'),
      good.replace('old 0', `old 0\n${hash}`),
      good.replace('old 0\n', `old 0\n${'A'.repeat(43)}=\n`.padEnd(6 + 45 * 64, `${'A'.repeat(43)}=\n`)),
      good.replace('old 0\n\n', 'old 0\n'),
      good.replace('\n4\n', '\n4.0\n'),
      good.slice(0, -1),
      `${good}${'x'.repeat(200_000)}`,
    ];
    for (const body of bad) expect(await statusOf(body), body.slice(0, 80)).to.equal(400);
    expect(await statusOf(good)).to.equal(200);
  });

  it('answers every changed request with a status of its own, and signs nothing else', async () => {
    const good = toAddCheckpoint(chain, 5, 9);
    await cosign(0, 5);
    const change = fc.tuple(fc.nat(good.length - 1), fc.constantFrom('', '\n', '0', 'A', ' ', '\u2014', '\u0000'));
    const check = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
      const body = changes.reduce((text, [at, by]) => text.slice(0, at) + by + text.slice(at + 1), good);
      const { status } = await witness.addCheckpoint(body);
      if (body === good || status === 200) await open();
      expect([200, 400, 403, 404, 409, 422]).to.include(status);
      const { size, root } = witness.state.find(ORIGIN)!;
      expect(toHex(root)).to.equal(toHex(toNaiveRoot(chain, 0, size - 1)));
    });
    await fc.assert(check, runs(300));
  });

  it('signs one of several contradicting checkpoints that arrive at once', async () => {
    const bodies = [7, 8, 9].flatMap((size) => [
      toAddCheckpoint(chain, 0, size),
      encodeAddCheckpoint({ oldSize: 0, proof: [], checkpoint: signBlocks(fork, size) }),
    ]);
    const answers = await Promise.all(bodies.map((body) => witness.addCheckpoint(body)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 409, 409, 409, 409, 409]);
  });

  it('signs nothing that it could not save', async () => {
    await cosign(0, 5);
    const logs = join(directory, 'logs');
    await rename(logs, `${logs}.old`);
    await writeFile(logs, '');
    expect(await failureOf(witness.addCheckpoint(toAddCheckpoint(chain, 5, 6)))).to.be.instanceOf(Error);
    await rm(logs);
    await rename(`${logs}.old`, logs);
    expect((await witness.addCheckpoint(toAddCheckpoint(chain, 0, 6))).text).to.equal('5\n');
    await cosign(5, 6);
  });

  it('follows several logs, each with several keys', async () => {
    const next = createCheckpointSigner(ORIGIN, Buffer.alloc(32, 9));
    const other = createCheckpointSigner(`${ORIGIN}/2`, Buffer.alloc(32, 9));
    const logs = [SIGNER.logKey, next.logKey, other.logKey];
    witness = await openTestWitness(directory, { logs });
    const send = (oldSize: number, size: number, signer: typeof next) =>
      statusOf(
        encodeAddCheckpoint({
          oldSize,
          proof: proveBlocks(chain, oldSize, size),
          checkpoint: signBlocks(chain, size, signer),
        }),
      );
    expect(await send(0, 5, SIGNER)).to.equal(200);
    expect(await send(0, 3, other)).to.equal(200);
    expect(await send(0, 7, next)).to.equal(409);
    expect(await send(5, 7, next)).to.equal(200);
    expect(witness.state.find(`${ORIGIN}/2`)!.size).to.equal(3);
  });

  it('has the checkpoint with both signatures, for monitors', async () => {
    await cosign(0, 5);
    const { note } = witness.state.find(ORIGIN)!;
    const { isLogSigned, cosigners } = verifyCheckpoint(note, [SIGNER.logKey, witness.verifier])!;
    expect([isLogSigned, cosigners.length]).to.deep.equal([true, 1]);
  });

  it('refuses to start with damaged state, without its key, or with another name', async () => {
    await cosign(0, 5);
    const [name] = await readdir(join(directory, 'logs'));
    const path = join(directory, 'logs', name!);
    const note = await readFile(path);
    for (const bytes of [
      Buffer.alloc(0),
      note.subarray(0, -9),
      Buffer.from(note).fill('6', ORIGIN.length + 1, ORIGIN.length + 2),
    ]) {
      await writeFile(path, bytes);
      expect(await rejectionOf(open())).to.equal('LOG_CORRUPT');
    }
    await rename(path, join(directory, 'logs', '0'.repeat(64)));
    await writeFile(join(directory, 'logs', '0'.repeat(64)), note);
    expect(await rejectionOf(open())).to.equal('LOG_CORRUPT');
    await rename(join(directory, 'logs'), join(directory, 'lost'));
    expect(await rejectionOf(open())).to.equal('LOG_CORRUPT');
    await rename(join(directory, 'lost'), join(directory, 'logs'));
    await rename(join(directory, 'logs', '0'.repeat(64)), path);
    await open();
    const secret = join(directory, 'keys', 'witness.secret');
    expect((await stat(secret)).mode & 0o777).to.equal(0o600);
    const refusalOf = async (given?: string) => ((await failureOf(openWitnessKey(directory, given))) as Error).message;
    expect(await refusalOf('other.example')).to.include('keeps its name');
    await rename(secret, `${secret}.old`);
    expect(await refusalOf()).to.include('witness.secret is missing');
    await writeFile(secret, toHex(new Uint8Array(32)), { mode: 0o600 });
    expect(await refusalOf()).to.include("isn't the key");
    await rename(`${secret}.old`, secret);
    expect(encodeVerifierKey((await openWitnessKey(directory, undefined)).verifier)).to.equal(
      encodeVerifierKey(witness.verifier),
    );
  });

  it('needs a name at its first start, which a key may have', async () => {
    const empty = join(directory, 'new');
    await mkdir(empty);
    expect(((await failureOf(openWitnessKey(empty, undefined))) as Error).message).to.include('--name');
    for (const name of ['two words', 'a+b', ''])
      expect(((await failureOf(openWitnessKey(empty, name))) as Error).message).to.include('--name');
    expect(await readdir(empty)).to.deep.equal([]);
  });
});
