// Cosignatures of real witnesses for a real log: the quorum, witnesses that fail, hang or lie, and restarts.
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BlockLog } from '../../../chain/blockLog/blockLog.ts';
import { createWitnessClient } from '../../../chain/blockLog/witnessClient.ts';
import { openWitnessedLog, type WitnessedLog } from '../../../chain/blockLog/witnessedLog.ts';
import { type Cosigning, startCosigning } from '../../../host/evidence/cosigning.ts';
import { verifyCheckpoint } from '../../../ledger/evidence/signedCheckpoint.ts';
import { createNumberedChain, type NumberedChain, openNumberedLog, SIGNER } from '../../support/blockLogs.ts';
import { useDirectories } from '../../support/directories.ts';
import { NOW_SECONDS, now, type Running, startLiar, startWitness } from '../../support/listeningWitnesses.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { until } from '../../support/until.ts';
import { openTestWitness } from '../../support/witnesses.ts';

describe('the cosignatures of a block log', () => {
  const makeDirectory = useDirectories();
  let directory: string;
  let chain: NumberedChain;
  let log: WitnessedLog;
  let problems: string[];
  const closing: (() => Promise<unknown>)[] = [];

  const openLog = async (): Promise<WitnessedLog> => {
    const own: BlockLog = await openNumberedLog(directory, chain);
    return openWitnessedLog(own, { directory, firstBlock: 0, signer: SIGNER });
  };
  beforeEach(async () => {
    directory = await makeDirectory();
    chain = createNumberedChain(9);
    log = await openLog();
    problems = [];
    await log.advance();
  });
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const run = async (start: Promise<Running>): Promise<Running> => {
    const running = await start;
    closing.push(running.close);
    return running;
  };
  const collect = (witnesses: readonly Running[], quorum: number, timeoutMs = 10_000): Cosigning => {
    const cosigning = startCosigning({
      witnesses: witnesses.map((witness) => createWitnessClient(witness, { log, now })),
      quorum,
      publish: log.publish,
      onProblem: (message) => problems.push(message),
      timeoutMs,
    });
    closing.push(cosigning.stop);
    return cosigning;
  };
  const grow = async (blocks: number): Promise<void> => {
    chain.head += blocks;
    await log.advance();
  };
  const cosignersOf = (witnesses: readonly Running[]): number => {
    const keys = [SIGNER.logKey, ...witnesses.map(({ key }) => key)];
    const { isLogSigned, checkpoint, cosigners } = verifyCheckpoint(log.head()!.note, keys)!;
    expect([isLogSigned, checkpoint.size]).to.deep.equal([true, log.head()!.size]);
    return cosigners.length;
  };
  const startTwo = async () => [
    await run(startWitness(await makeDirectory())),
    await run(startWitness(await makeDirectory())),
  ];

  it('are those of all witnesses, in the checkpoint that is shown and after a restart', async () => {
    const witnesses = await startTwo();
    const { cosign } = collect(witnesses, 2);
    expect(log.head()).to.equal(undefined);
    for (const blocks of [0, 1, 300, 0]) {
      if (blocks > 0) await grow(blocks);
      await cosign(log.newest()!);
      expect([log.head()!.size, cosignersOf(witnesses)]).to.deep.equal([chain.head + 1, 2]);
    }
    const { note } = log.head()!;
    log = await openLog();
    expect(log.head()!.note).to.equal(note);
    await grow(5);
    await collect(witnesses, 2).cosign(log.newest()!);
    expect([log.head()!.size, problems]).to.deep.equal([chain.head + 1, []]);
  });

  it('are shown at the quorum; the checkpoint before stays shown, with its tiles, until then', async () => {
    const witnesses = await startTwo();
    const { port } = new URL(witnesses[1]!.url);
    const second = await makeDirectory();
    const strict = collect(witnesses, 2);
    await strict.cosign(log.newest()!);
    const { note } = log.head()!;
    await witnesses[1]!.close();
    await grow(300);
    await strict.cosign(log.newest()!);
    await strict.cosign(log.newest()!);
    expect([log.head()!.note, log.newest()!.size]).to.deep.equal([note, 310]);
    expect(await log.readTile({ level: 0, index: 0, width: 10 })).to.have.length(320);
    expect(problems).to.have.length(1);
    await collect(witnesses, 1).cosign(log.newest()!);
    expect([log.head()!.size, cosignersOf(witnesses)]).to.deep.equal([310, 1]);
    // Another witness in its place has another key.
    closing.push((await startWitness(second, Number(port))).close);
    await strict.cosign(log.newest()!);
    expect(problems).to.have.length(2);
  });

  it('of a witness that is back are requested again, and both are reported once', async () => {
    const place = await makeDirectory();
    const first = await startWitness(place);
    const { port } = new URL(first.url);
    await first.close();
    const { cosign } = collect([first], 1);
    for (let times = 0; times < 3; times += 1) await cosign(log.newest()!);
    expect(log.head()).to.equal(undefined);
    await run(startWitness(place, Number(port)));
    await cosign(log.newest()!);
    await until(() => log.head() !== undefined);
    await cosign(log.newest()!);
    expect(problems).to.deep.equal([
      "the witness witness.example/w doesn't cosign the block log",
      'the witness witness.example/w cosigns the block log again',
    ]);
  });

  it('delay nothing while a witness hangs, once it failed', async () => {
    const good = await run(startWitness(await makeDirectory()));
    const { verifier } = await openTestWitness(await makeDirectory());
    const requests: ServerResponse[] = [];
    const hanging = await run(startLiar(verifier, (_request, response) => requests.push(response)));
    const one = collect([good, hanging], 1);
    await one.cosign(log.newest()!);
    expect([log.head()!.size, problems]).to.deep.equal([10, []]);
    await collect([hanging], 1, 50).cosign(log.newest()!);
    expect(problems).to.have.length(1);
    const both = collect([good, hanging], 2);
    const failing = both.cosign(log.newest()!);
    await until(() => requests.length === 3);
    requests[2]!.destroy();
    await failing;
    expect(problems).to.have.length(2);
    await both.cosign(log.newest()!);
    await until(() => requests.length === 4);
    expect(requests[3]!.destroyed).to.equal(false);
  });

  const LIES: readonly (readonly [string, RequestListener])[] = [
    ['no cosignature', (_request, response) => response.end('yes\n')],
    ['nothing', (_request, response) => response.end()],
    [
      'a cosignature of another key',
      (_request, response) =>
        response.end(
          SIGNER.sign({ size: 1, root: new Uint8Array(32) }, 1)
            .split('\n')
            .slice(5)
            .join('\n'),
        ),
    ],
    ['a size without end', (_request, response) => response.writeHead(409).end('9'.repeat(40))],
    ['a larger size', (_request, response) => response.writeHead(409).end('99999\n')],
    [
      'another size each time',
      (_request, response) => response.writeHead(409).end(`${Math.floor(Math.random() * 9)}\n`),
    ],
    ['too much', (_request, response) => response.end('x'.repeat(100_000))],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end()],
    ['403', (_request, response) => response.writeHead(403).end('\u001b[2J')],
  ];
  for (const [name, listener] of LIES) {
    it(`are not shown when a witness answers ${name}`, async () => {
      const { verifier } = await openTestWitness(await makeDirectory());
      const { cosign } = collect([await run(startLiar(verifier, listener))], 1);
      await cosign(log.newest()!);
      await cosign(log.newest()!);
      expect([log.head(), problems.length]).to.deep.equal([undefined, 1]);
    });
  }

  it('are accepted with a time up to a day from ours, and reported once beyond five minutes', async () => {
    let ahead = 0;
    const clock = (): number => NOW_SECONDS + ahead;
    const witness = await run(startWitness(await makeDirectory(), 0, clock));
    const { cosign } = collect([witness], 1);
    const reportOf = async (seconds: number): Promise<readonly string[]> => {
      ahead = seconds;
      await grow(1);
      await cosign(log.newest()!);
      expect(log.head()!.size).to.equal(chain.head + 1);
      return problems.splice(0);
    };
    const clockOf = 'the clock of the witness witness.example/w';
    expect(await reportOf(-86_400)).to.deep.equal([`${clockOf} is 24 hours behind this server's`]);
    expect(await reportOf(-301)).to.deep.equal([]);
    expect(await reportOf(-300)).to.deep.equal([`${clockOf} agrees with this server's again`]);
    expect(await reportOf(300)).to.deep.equal([]);
    expect(await reportOf(421)).to.deep.equal([`${clockOf} is 7 minutes ahead of this server's`]);
    expect(await reportOf(86_400)).to.deep.equal([]);
  });

  it('are refused for a log that continues from an old copy in another way', async () => {
    const witnesses = [await run(startWitness(await makeDirectory()))];
    await collect(witnesses, 1).cosign(log.newest()!);
    const { note } = log.head()!;
    directory = await makeDirectory();
    chain = { ...createNumberedChain(20), fork: 'b', forkedAt: 5 };
    log = await openLog();
    await log.advance();
    const cosigning = collect(witnesses, 1);
    expect(cosigning.refusing()).to.deep.equal([]);
    await cosigning.cosign(log.newest()!);
    expect([log.head(), problems.length]).to.deep.equal([undefined, 1]);
    expect(cosigning.refusing()).to.have.length(1);
    await writeFile(join(directory, 'witnessed'), note);
    expect(await rejectionOf(openLog())).to.equal('LOG_CORRUPT');
  });

  it('are refused at the start when their file is damaged, and are part of a copy', async () => {
    const witnesses = await startTwo();
    await collect(witnesses, 2).cosign(log.newest()!);
    const target = await makeDirectory();
    await writeFile(join(directory, 'log.json'), JSON.stringify({ origin: SIGNER.origin, first_block: 0 }));
    await log.copyTo(target);
    const path = join(directory, 'witnessed');
    expect(await readFile(join(target, 'witnessed'))).to.deep.equal(await readFile(path));
    const note = await readFile(path);
    for (const bytes of [Buffer.alloc(0), note.subarray(1), note.subarray(0, 40)]) {
      await writeFile(path, bytes);
      expect(await rejectionOf(openLog())).to.equal('LOG_CORRUPT');
    }
    await copyFile(join(target, 'witnessed'), path);
    expect((await openLog()).head()!.size).to.equal(10);
    await rm(path);
    expect((await openLog()).head()).to.equal(undefined);
  });

  it('are shown for the newest checkpoint only, in whatever order they arrive', async () => {
    const old = log.newest()!;
    await grow(5);
    const newest = log.newest()!;
    await Promise.all([log.publish(newest, []), log.publish(old, [])]);
    expect(log.head()!.size).to.equal(newest.size);
    expect((await openLog()).head()!.size).to.equal(newest.size);
  });
});
