import { expect } from 'chai';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { readDocument } from '../../../server/openapi/document.ts';
import { keep } from '../../../server/openapi/kept.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { createAnAsset } from '../support/requests.ts';
import { LIMITS, startTestServer, type TestServer } from '../support/testServer.ts';

/** How many validators are prepared meanwhile: the library prepares the description of a path for each. */
const countPrepared = async (action: () => Promise<void>): Promise<number> => {
  const { preProcess } = SchemaPreprocessor.prototype;
  let prepared = 0;
  SchemaPreprocessor.prototype.preProcess = function () {
    prepared += 1;
    return preProcess.call(this);
  };
  try {
    await action();
  } finally {
    SchemaPreprocessor.prototype.preProcess = preProcess;
  }
  return prepared;
};

const startWithPages = (pageSizeMax: number): Promise<TestServer> =>
  startTestServer({ limits: { ...LIMITS, pageSizeMax } });

const list = (server: TestServer, size: number) => server.request('GET', `/svc/v2/assets?page_size=${size}`);

const findUnfrozen = (node: unknown, path: string): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, value]) => findUnfrozen(value, `${path}/${name}`));
  return Object.isFrozen(node) ? inner : [path, ...inner];
};

describe('what is kept for all servers of a process', () => {
  it('is computed once for each key, also where it is undefined', () => {
    const keys: string[] = [];
    const compute = keep((key: string) => {
      keys.push(key);
      return key === 'none' ? undefined : [key];
    });
    expect(compute('one')).to.equal(compute('one')).and.to.eql(['one']);
    expect([compute('two'), compute('none'), compute('none')]).to.eql([['two'], undefined, undefined]);
    expect(keys).to.eql(['one', 'two', 'none']);
  });

  it('is computed again after a failure', () => {
    let calls = 0;
    const compute = keep(() => {
      calls += 1;
      if (calls === 1) throw new TypeError('once');
      return calls;
    });
    expect(() => compute('key')).to.throw('once');
    expect([compute('key'), compute('key')]).to.eql([2, 2]);
  });
});

describe('the document', () => {
  it('is the same for equal limits, and another one for other limits', () => {
    expect(readDocument({ pageSizeMax: 7 })).to.equal(readDocument({ pageSizeMax: 7 }));
    expect(readDocument()).to.equal(readDocument());
    const maximum = (pageSizeMax: number) =>
      readDocument({ pageSizeMax }).components.parameters.PageSize!.schema.maximum;
    expect([maximum(7), maximum(8), maximum(7)]).to.eql([7, 8, 7]);
    expect({ ...readDocument({ pageSizeMax: 7 }), components: {} }).to.eql({ ...readDocument(), components: {} });
  });

  it('cannot be changed by anybody who reads it, at any depth', () => {
    for (const document of [readDocument(), readDocument({ pageSizeMax: 7 })]) {
      expect(findUnfrozen(document, '')).to.eql([]);
      expect(() => Object.assign(document.components.parameters.PageSize!.schema, { maximum: 9 })).to.throw(TypeError);
    }
  });
});

describe('the validators of two servers of a process', () => {
  it('are prepared at the first request of a path, whichever server it reaches', async () => {
    // Limits of their own, so that no other test has prepared them.
    const [first, second] = [await startWithPages(911), await startWithPages(911)];
    // One for requests, one for answers.
    for (const [server, prepared] of [
      [first, 2],
      [second, 0],
      [first, 0],
    ] as const) {
      expect(
        await countPrepared(async () => {
          expect((await list(server, 5)).status).to.equal(200);
        }),
      ).to.equal(prepared);
    }
    await Promise.all([first.close(), second.close()]);
  });

  it('leave each its own records, answers and refusals, also at the same time and after one of them is closed', async () => {
    const servers = [await startTestServer(), await startTestServer()];
    const uuids = await Promise.all(servers.map((server) => createAnAsset(server)));
    const read = (at: number, uuid: string) => servers[at]!.request('GET', `/svc/v2/assets/${uuid}`);
    const answers = await Promise.all([0, 1].flatMap((at) => uuids.map((uuid) => read(at, uuid))));
    expect(answers.map(({ status }) => status)).to.eql([200, 404, 404, 200]);
    const [good, bad] = await Promise.all(servers.map((server, at) => list(server, at === 0 ? 5 : 0)));
    expect(good!.body.assets.map(({ identity }: { identity: string }) => identity)).to.eql([`assets/${uuids[0]}`]);
    expectProblem(bad!, 400, 'REQUEST_INVALID', 'page_size');
    await servers[0]!.close();
    expect((await read(1, uuids[1]!)).status).to.equal(200);
    await servers[1]!.close();
  });

  it('differ where their limits differ', async () => {
    const [small, large] = [await startWithPages(3), await startWithPages(4)];
    for (const [server, size, status] of [
      [large, 4, 200],
      [small, 4, 400],
      [large, 5, 400],
      [small, 3, 200],
    ] as const)
      expect([size, (await list(server, size)).status]).to.eql([size, status]);
    await Promise.all([small.close(), large.close()]);
  });
});
