// Uploads whose client stops sending: they end and free their slots.
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { isAwaited } from '../../../server/http/bodyPace.ts';
import { until } from '../../support/until.ts';
import { useArrivedRequests } from '../support/arrivedRequests.ts';
import { useListeners } from '../support/listeners.ts';
import { useSweeps } from '../support/sweeps.ts';
import type { TestServer } from '../support/testServer.ts';
import { beginUpload, listFiles, readAnswer, readHead, toBody, toStatus } from '../support/uploads.ts';

const UPLOADS_OF_TENANT = 64;
const isIncoming = (path: string): boolean => path.startsWith('incoming/');
const body = toBody(new Uint8Array(1_000));

describe('a stalled upload', () => {
  const { server, listenWith } = useListeners();
  const listenFor = (bodySilenceMs: number) => listenWith({ timeouts: { bodySilenceMs, sweepMs: bodySilenceMs / 10 } });

  const uploadTo = async (target: TestServer): Promise<number> =>
    toStatus(await readHead(await beginUpload(target, body.length, body)));

  const expectTimeout = (answer: string): void => {
    expect(answer).to.match(/^HTTP\/1.1 408 /);
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as object;
    expect(problem)
      .to.include({ code: 4 })
      .and.have.deep.property('details', [{ error: 'REQUEST_TIMEOUT' }]);
  };

  const beginnings: [string, number][] = [
    ['before its first byte', 0],
    ['in its headers', 20],
    ['in its content', 500],
    ['before its last boundary', body.length - 5],
    ['after its last boundary', body.length],
  ];
  for (const [title, bytes] of beginnings) {
    it(`is answered 408 and leaves nothing ${title}`, async () => {
      const quick = await listenFor(50);
      expectTimeout(await readAnswer(await beginUpload(quick, body.length + 10, body.subarray(0, bytes))));
      await until(async () => (await listFiles(server().directory)).length === 0);
    });
  }

  it('is answered with its earlier refusal', async () => {
    const wrong = Buffer.from(body.toString().replace('name="file"', 'name="image"'));
    const quick = await listenFor(50);
    const answer = await readAnswer(await beginUpload(quick, body.length, wrong.subarray(0, 500)));
    expect(answer).to.match(/^HTTP\/1.1 400 /);
  });

  it('frees its slot for other uploads of its tenant', async () => {
    const quick = await listenFor(500);
    const halfOpen = Array.from({ length: UPLOADS_OF_TENANT }, () =>
      beginUpload(quick, body.length, body.subarray(0, 500)),
    );
    const sockets: Socket[] = await Promise.all(halfOpen);
    const answers = sockets.map(readAnswer);
    for (const answer of await Promise.all(answers)) expectTimeout(answer);
    expect(await uploadTo(quick)).to.equal(200);
  });

  it('when it is slow, is ended for an upload that finds no free slot; the others continue', async () => {
    const uploadPace = { graceMs: 200, bytesPerSecondMin: 10 ** 9 };
    const pressed = await listenWith({ limits: { uploadPace }, timeouts: { bodySilenceMs: 600_000 } });
    const answers: string[] = [];
    const sockets: Socket[] = [];
    const reading: Promise<unknown>[] = [];
    for (let index = 0; index < UPLOADS_OF_TENANT; index += 1) {
      const socket = await beginUpload(pressed, 1_000_000, body.subarray(0, 500));
      reading.push(readAnswer(socket).then((answer) => answers.push(answer)));
      sockets.push(socket);
    }
    await until(async () => (await listFiles(server().directory)).filter(isIncoming).length === UPLOADS_OF_TENANT);
    for (const socket of sockets) socket.write('x');
    await until(async () => (await uploadTo(pressed)) === 200);
    await until(() => answers.length > 0);
    expectTimeout(answers[0]!);
    expect(await uploadTo(pressed)).to.equal(200);
    expect(answers.length).to.be.at.most(2);
    for (const socket of sockets) socket.destroy();
    // Those that were not answered end without one.
    await Promise.allSettled(reading);
  });
});

describe('a slow upload', () => {
  const { listenWith } = useListeners();
  const pass = useSweeps();
  const arrived = useArrivedRequests();

  it('is not a stalled one, while slots are free', async () => {
    const quick = await listenWith({ timeouts: { bodySilenceMs: 1_000, sweepMs: 100 } });
    const socket = await beginUpload(quick, body.length, body.subarray(0, 500));
    await until(() => arrived().length === 1);
    const { request } = arrived()[0]!;
    for (let at = 500; at < body.length; at += 50) {
      await until(() => isAwaited(request));
      pass(900);
      const bytes = request.socket.bytesRead;
      socket.write(body.subarray(at, at + 50));
      await until(() => request.socket.bytesRead > bytes);
    }
    socket.write('GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect((await readAnswer(socket)).match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });
});
