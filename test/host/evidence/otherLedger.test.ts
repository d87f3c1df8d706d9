// The server of another ledger that fails or lies, when it is asked to record a checkpoint.
import { expect } from 'chai';
import { startAnchoring } from '../../../host/evidence/anchoring.ts';
import { createOtherLedger } from '../../../host/evidence/otherLedger.ts';
import type { RecordedCheckpoints } from '../../../host/evidence/recordedCheckpoints.ts';
import { anchorsOf, useAnchoredLedger } from '../../support/anchoredLedger.ts';
import { createNumberedChain } from '../../support/blockLogs.ts';
import type { Intercept } from '../../support/otherLedger.ts';
import { until } from '../../support/until.ts';
import { signBlocks } from '../../support/witnesses.ts';

const isEvidence = ({ path }: { path: string }): boolean => path.includes(':evidence');
const answerEvidence =
  (change: (text: string) => string | Promise<string>): Intercept =>
  async (request) => {
    if (!isEvidence(request)) return undefined;
    return new Response(await change(await (await request.forward()).text()));
  };

describe('records of checkpoints on another ledger', () => {
  const { foreign, problems, other, open, recordAndCheckpoint, fetchFile, isRecorded } = useAnchoredLedger();

  const LIES: readonly (readonly [string, Intercept])[] = [
    ['does not answer', async (_request, response) => void response.destroy()],
    [
      'refuses the credentials',
      async ({ path }) => (path.endsWith('/token') ? new Response('', { status: 401 }) : undefined),
    ],
    [
      'does not know the asset',
      async ({ path }) => (path.endsWith('/events') ? new Response('', { status: 404 }) : undefined),
    ],
    [
      'answers with another event',
      async ({ path }) =>
        path.endsWith('/events')
          ? Response.json({ identity: `${foreign().alpha.identity}`, confirmation_status: 'CONFIRMED' })
          : undefined,
    ],
    ['sends elsewhere', async () => new Response('', { status: 307, headers: { location: 'http://127.0.0.1:1/' } })],
    ['answers with too much', answerEvidence((text) => `${text}${' '.repeat(70_000)}`)],
    ['answers with no JSON', answerEvidence(() => 'evidence')],
    ['answers with nothing', answerEvidence(() => '{}')],
    ['has another receipt', answerEvidence((text) => text.replace(/"nodes":\["./, '"nodes":["B'))],
    ['has another checkpoint', answerEvidence((text) => text.replace('other.example/1\\n', 'other.example/2\\n'))],
    ['has no checkpoint', answerEvidence((text) => text.replace(/"anchors":\[.*?\]/, '"anchors":[]'))],
    ['is another ledger', answerEvidence((text) => text.replace(/"chain_id":\d+/, '"chain_id":5'))],
    [
      'has evidence of another event',
      answerEvidence(async () => {
        const { body } = await other().tenant.record(other().asset, 'other');
        return JSON.stringify((await other().tenant.get(`${body.identity}:evidence?proof=log`)).body);
      }),
    ],
  ];
  for (const [name, lie] of LIES) {
    it(`are not those of a server that ${name}, which delays nothing and is reported once`, async () => {
      other().intercept(lie);
      const checkpoints = await open();
      const { event, block } = await recordAndCheckpoint(checkpoints);
      await until(() => problems.length > 0);
      const asked = other().requests.length;
      await until(async () => {
        await checkpoints.request([]);
        return other().requests.length >= asked + 2;
      });
      expect([await isRecorded(checkpoints, block), problems.length]).to.deep.equal([false, 1]);
      expect(anchorsOf(await fetchFile(checkpoints, event))).to.have.length(1);
      other().intercept(undefined);
      await until(async () => {
        await checkpoints.request([]);
        return isRecorded(checkpoints, block);
      });
      await until(() => problems.length === 2);
    });
  }

  it('are reported as failing once more when they fail for another reason', async () => {
    const checkpoints = await open();
    await recordAndCheckpoint(checkpoints);
    const answers: readonly Intercept[] = [
      async (_request, response) => void response.destroy(),
      ...[401, 404, 401].map(
        (status): Intercept =>
          async () =>
            new Response('', { status }),
      ),
      answerEvidence(() => '{}'),
    ];
    for (const [at, answer] of answers.entries()) {
      other().intercept(answer);
      await until(async () => {
        await checkpoints.request([]);
        return problems.length > at;
      });
      const asked = other().requests.length;
      await until(async () => {
        await checkpoints.request([]);
        return other().requests.length >= asked + 4;
      });
      expect(problems.length).to.equal(at + 1);
    }
  });

  // By an event with the hash and a note, in place of the one with the hash alone.
  const answerWithNote = (note: string): void => {
    let hash = '';
    other().intercept(async (request) => {
      if (request.path.endsWith('/events'))
        hash = /"checkpoint_sha256":"([0-9a-f]{64})"/.exec(request.body.toString())![1]!;
      if (!isEvidence(request)) return undefined;
      const { body } = await other().tenant.record(other().asset, `${hash}${note}`);
      return Response.json((await other().tenant.get(`${body.identity}:evidence?proof=log`)).body);
    });
  };

  it('are not those that make each file more than 12 KiB longer', async () => {
    const checkpoints = await open();
    answerWithNote('x'.repeat(10_000));
    const { block } = await recordAndCheckpoint(checkpoints);
    await until(() => problems.length === 1);
    expect(await isRecorded(checkpoints, block)).to.equal(false);
    answerWithNote('x'.repeat(1_000));
    await until(async () => {
      await checkpoints.request([]);
      return isRecorded(checkpoints, block);
    });
  });

  it('are not waited for longer than an attempt may take, and end with the server', async () => {
    const { url, asset, tenant } = other();
    const { token } = tenant;
    const options = { url, assetIdentity: asset.identity, readCredentials: async () => ({ token }) };
    let asked = 0;
    other().intercept(async () => {
      asked += 1;
      return new Promise(() => undefined);
    });
    const recorded = { newest: () => undefined, pending: () => undefined, setPending: async () => undefined };
    const start = (timeoutMs: number) =>
      startAnchoring({
        recorded: recorded as unknown as RecordedCheckpoints,
        other: createOtherLedger(options),
        readRecord: () => expect.fail('there is no evidence'),
        periodSeconds: 1,
        now: Date.now,
        onProblem: (message) => void problems.push(message),
        timeoutMs,
      });
    const head = { note: signBlocks(createNumberedChain(), 5), size: 5, newestBlock: 4, signedAtSeconds: 1_000 };
    const short = start(100);
    short.anchor(head);
    await until(() => problems.length === 1);
    await short.stop();
    const long = start(600_000);
    long.anchor(head);
    await until(() => asked === 2);
    await long.stop();
    expect(problems).to.have.length(1);
  });
});
