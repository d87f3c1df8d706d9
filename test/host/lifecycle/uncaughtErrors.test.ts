import { Writable } from 'node:stream';
import { expect } from 'chai';
import { runAs } from '../../../host/commandProcess.ts';
import { createEndOnUncaught, UNCAUGHT_EXIT_CODE } from '../../../host/lifecycle/uncaughtErrors.ts';
import { runAsWork } from '../../../server/http/currentWork.ts';
import { until } from '../../support/until.ts';

describe('the end of a process by an error that nothing caught', () => {
  const endWith = async (errors: readonly unknown[], close: () => Promise<void>) => {
    let printed = '';
    const stderr = new Writable({
      write: (chunk, _encoding, done) => {
        printed += chunk;
        done();
      },
    });
    const codes: number[] = [];
    await runAs({ env: {}, stdout: stderr, stderr }, async () => {
      const end = createEndOnUncaught({ name: 'program', close, exit: (code) => codes.push(code) });
      runAsWork(
        () => 'request 1',
        () => end(errors[0]),
      );
      for (const error of errors.slice(1)) end(error);
    });
    await until(() => codes.length > 0);
    return { codes, lines: printed.trimEnd().split('\n') };
  };

  it('closes what is open once, and reports each error in a line', async () => {
    let closings = 0;
    const { codes, lines } = await endWith([new Error('one'), Object.create(null)], async () => {
      closings += 1;
    });
    expect(codes).to.deep.equal([UNCAUGHT_EXIT_CODE]);
    expect(closings).to.equal(1);
    expect(lines[0]).to.match(/^request 1: an error that nothing caught: Error: one at /);
    expect(lines.slice(1)).to.deep.equal([
      `program ends with exit code ${UNCAUGHT_EXIT_CODE}`,
      'program: an error that nothing caught: [Object: null prototype] {}',
    ]);
  });

  it('ends all the same when closing fails', async () => {
    const { codes, lines } = await endWith([new Error('one')], () => Promise.reject(new Error('two')));
    expect(codes).to.deep.equal([UNCAUGHT_EXIT_CODE]);
    expect(lines.at(-1)).to.match(/^program can't close in order: two$/);
  });
});
