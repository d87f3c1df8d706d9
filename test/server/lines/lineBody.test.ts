import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { Request } from 'express';
import type { RunInTurn } from '../../../server/fairness/turns.ts';
import { createReadLines } from '../../../server/lines/lineBody.ts';
import { readDocument, toOperations } from '../../../server/openapi/document.ts';
import { LIMITS } from '../support/testServer.ts';

const LINE_LIMITS = { lineBytesMax: 1_000, groupLinesMax: 100, groupBytesMax: 100_000, linesMax: 10_000 };
const document = readDocument(LIMITS);
const operation = Object.keys(document.paths)
  .flatMap((path) => toOperations(document, path))
  .find(({ id }) => id === 'createEvents')!;

describe('lines of a body', () => {
  it('that arrive together are decoded in several turns of their tenant', async () => {
    const turns: string[] = [];
    let isInTurn = false;
    const runBody: RunInTurn = async (party, task) => {
      expect(isInTurn).to.equal(false);
      isInTurn = true;
      turns.push(party);
      const result = await task();
      isInTurn = false;
      return result;
    };
    const read = createReadLines({ document, limits: LINE_LIMITS, stopping: undefined, runBody }, operation);
    const body = new PassThrough();
    body.end('{}\n'.repeat(250));
    const groups: number[] = [];
    for await (const group of read(body as unknown as Request, 'tenant/a')) groups.push(group.length);
    expect(groups).to.deep.equal([100, 100, 50]);
    expect(turns).to.deep.equal(['tenant/a', 'tenant/a', 'tenant/a']);
  });
});
