// What set-up says about a registry that does not answer: its own process and the machine's `npm ping`, while the npm
// that the test controls installs.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { findFreePort } from '../support/externalNode.ts';
import { until } from '../support/until.ts';
import { copyRepository, type SetupRun } from './repositoryCopy.ts';

const SILENCE = /^set-up: the registry (\S+) does not answer: (.+?)\. It goes on, .*npm config set registry URL/m;

describe('the registry of set-up', () => {
  const createDirectory = useDirectories();

  /** Runs set-up with a registry, and lets its npm end when `isSaid`. */
  const runWith = async (registry: string, isSaid: (run: SetupRun) => boolean): Promise<SetupRun> => {
    const copy = await copyRepository(await createDirectory());
    const release = copy.hold();
    const run = copy.start({ registry });
    await until(() => isSaid(run), run.stderr, 15_000);
    release();
    expect(await run.ended, run.stderr()).to.equal(0);
    return run;
  };

  const withRegistry = async (answer: RequestListener, act: (url: string) => Promise<void>): Promise<void> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

  it('says at once that it cannot be reached, and goes on', async () => {
    const registry = `http://127.0.0.1:${await findFreePort()}/`;
    const run = await runWith(registry, ({ stderr }) => SILENCE.test(stderr()));
    const [, named, reason] = SILENCE.exec(run.stderr())!;
    expect(named).to.equal(registry);
    expect(reason).to.include('ECONNREFUSED');
  });

  it('says that it accepts connections and answers nothing, and goes on', () =>
    withRegistry(
      () => undefined,
      async (url) => {
        const run = await runWith(url, ({ stderr }) => SILENCE.test(stderr()));
        expect(SILENCE.exec(run.stderr())![1]).to.equal(url);
      },
    ));

  for (const status of [200, 401, 404])
    it(`says nothing when it answers ${status}`, async () => {
      let isAsked = false;
      const answer: RequestListener = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}', () => {
          isAsked = true;
        });
      };
      await withRegistry(answer, async (url) => {
        const run = await runWith(url, () => isAsked);
        expect(run.stderr()).not.to.match(SILENCE);
      });
    });
});
