// The witness as a process: its HTTP interface, its limits, and kills.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { toHex } from '../../ledger/encoding/hex.ts';
import { sha256 } from '../../ledger/evidence/sha256.ts';
import { verifyCheckpoint } from '../../ledger/evidence/signedCheckpoint.ts';
import { decodeVerifierKey, encodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { createNumberedChain, ORIGIN, SIGNER } from '../support/blockLogs.ts';
import { useDirectories } from '../support/directories.ts';
import { startScript } from '../support/runScript.ts';
import { until } from '../support/until.ts';
import { signBlocks, toAddCheckpoint } from '../support/witnesses.ts';
import { startWitnessProcess, type WitnessProcess } from '../support/witnessProcess.ts';

const chain = createNumberedChain();
const fork = { ...createNumberedChain(), fork: 'b', forkedAt: 0 };
const LOG = encodeVerifierKey(SIGNER.logKey);

describe('npm run witness', () => {
  const makeDirectory = useDirectories();
  let directory: string;
  let witness: WitnessProcess;

  before(async () => {
    directory = await makeDirectory();
    witness = await startWitnessProcess(directory, [LOG]);
  });
  after(() => witness.stop('SIGKILL'));

  const add = (body: string | Uint8Array, headers = {}): Promise<Response> =>
    fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body: body as never, headers });
  const restart = async (signal: NodeJS.Signals): Promise<number | null> => {
    const code = await witness.stop(signal);
    witness = await startWitnessProcess(directory, [LOG]);
    return code;
  };

  it('shows its key, cosigns, and shows monitors what it cosigned', async () => {
    expect(await (await fetch(`${witness.url}/`)).text()).to.equal(`${witness.verifierKey}\n`);
    const path = `${witness.url}/${toHex(sha256(Buffer.from(ORIGIN))).slice(2)}/checkpoint`;
    expect((await fetch(path)).status).to.equal(404);
    const beganSeconds = Math.floor(Date.now() / 1_000);
    const answer = await add(toAddCheckpoint(chain, 0, 5));
    expect(answer.status).to.equal(200);
    const key = decodeVerifierKey(witness.verifierKey);
    const { cosigners } = verifyCheckpoint(`${signBlocks(chain, 5)}${await answer.text()}`, [key])!;
    expect(cosigners[0]!.timeSeconds).to.be.within(beganSeconds, Date.now() / 1_000);
    const shown = await (await fetch(path)).text();
    expect(verifyCheckpoint(shown, [key, SIGNER.logKey])).to.deep.include({ isLogSigned: true, cosigners });
  });

  it('answers 409 as text/x.tlog.size, and the other refusals as text', async () => {
    const conflict = await add(toAddCheckpoint(chain, 0, 9));
    expect([conflict.status, conflict.headers.get('content-type'), await conflict.text()]).to.deep.equal([
      409,
      'text/x.tlog.size',
      '5\n',
    ]);
    expect((await add(toAddCheckpoint(fork, 5, 9))).status).to.equal(422);
    expect((await add(new Uint8Array([0xff, 0xfe]))).status).to.equal(400);
    expect((await fetch(`${witness.url}/other`)).status).to.equal(404);
    expect((await fetch(`${witness.url}/add-checkpoint`)).status).to.equal(404);
    expect((await fetch(`${witness.url}/add-checkpoint`, { method: 'PUT', body: 'x' })).status).to.equal(404);
  });

  it('refuses large bodies and encoded ones', async () => {
    expect((await add('x'.repeat(140_000))).status).to.equal(413);
    expect((await add('x'.repeat(40_000_000)).catch(() => ({ status: 413 }))).status).to.equal(413);
    const encoded = await add('x', { 'content-encoding': 'gzip' });
    expect([encoded.status, encoded.headers.get('accept-encoding')]).to.deep.equal([415, 'identity']);
  });

  it('answers 429 with the time to wait to an address that sends too much, and 200 after it', async () => {
    const own = await makeDirectory();
    const limited = await startWitnessProcess(own, [LOG], { requestsPerSecond: 2 });
    try {
      const send = (): Promise<Response> =>
        fetch(`${limited.url}/add-checkpoint`, { method: 'POST', body: 'x'.repeat(1_000) });
      const eight = (request: () => Promise<Response>) => Promise.all(Array.from({ length: 8 }, request));
      const answers: Response[] = [];
      for (let round = 0; round < 6; round += 1) answers.push(...(await eight(send)));
      expect([...new Set(answers.map(({ status }) => status))].sort()).to.deep.equal([400, 429]);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.headers.get('retry-after')).to.equal('1');
      const shown = await eight(() => fetch(`${limited.url}/`));
      expect(shown.map(({ status }) => status)).to.include(429);
      await until(async () => (await send()).status === 400);
    } finally {
      await limited.stop('SIGKILL');
    }
  });

  it('answers others while connections are slow, and stops', async () => {
    const { port } = new URL(witness.url);
    const slow = Array.from({ length: 40 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined));
    await Promise.all(slow.map((socket) => once(socket, 'connect')));
    for (const socket of slow) socket.write('POST /add-checkpoint HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n');
    // An idle connection that this process kept may have been displaced.
    await until(() => add(toAddCheckpoint(chain, 5, 6)).then(Boolean, () => false));
    expect(await restart('SIGTERM')).to.equal(0);
    for (const socket of slow) socket.destroy();
    expect((await add(toAddCheckpoint(chain, 6, 6))).status).to.equal(200);
  });

  it('continues where it was after SIGTERM and SIGKILL, with the same key', async () => {
    const { verifierKey } = witness;
    expect(await restart('SIGTERM')).to.equal(0);
    expect((await add(toAddCheckpoint(chain, 6, 20))).status).to.equal(200);
    await restart('SIGKILL');
    expect(witness.verifierKey).to.equal(verifierKey);
    expect(await (await add(toAddCheckpoint(chain, 0, 21))).text()).to.equal('20\n');
  });

  it('never signs a contradiction, whenever it is killed', async () => {
    let size = 20;
    for (let round = 0; round < 3; round += 1) {
      const requests = Array.from({ length: 12 }, async (_, at) => {
        const answer = await add(toAddCheckpoint(chain, size + at, size + at + 1));
        return answer.status === 200 ? size + at + 1 : 0;
      });
      const settling = Promise.allSettled(requests);
      await Promise.any(requests);
      await restart('SIGKILL');
      const settled = await settling;
      const signed = Math.max(...settled.map((each) => (each.status === 'fulfilled' ? each.value : 0)));
      const known = Number(await (await add(toAddCheckpoint(chain, 0, 1_000))).text());
      expect(known).to.be.at.least(signed);
      expect((await add(toAddCheckpoint(fork, known, known))).status).to.equal(422);
      size = known;
    }
  });

  it('is the only process of its directory', async () => {
    const run = await startScript('witness.ts', directory, ['--directory', directory, '--port', '0', '--log', LOG]);
    expect([run.code, run.stderr.includes('CHAIN_UNAVAILABLE')]).to.deep.equal([1, true]);
  });

  it('reads a file of logs, and refuses what is no key of a log', async () => {
    const file = join(directory, 'logs.txt');
    const run = (text: string) =>
      writeFile(file, text).then(() =>
        startScript('witness.ts', directory, ['--directory', directory, '--logs', file]),
      );
    for (const text of ['nonsense\n', `${witness.verifierKey}\n`, `${LOG}x`])
      expect((await run(`# a comment\n\n${text}`)).stderr).to.include('the witness does not start: "');
    // The lock comes after the logs.
    expect((await run(`# a comment\n\n${LOG}\n`)).stderr).to.include('CHAIN_UNAVAILABLE');
  });

  it('has help', async () => {
    const { code, stdout } = await startScript('witness.ts', directory, ['--help']);
    expect([code, stdout.includes('--logs <file>')]).to.deep.equal([0, true]);
  });
});
