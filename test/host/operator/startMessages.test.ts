import { resolve } from 'node:path';
import { expect } from 'chai';
import { printStart } from '../../../host/operator/startMessages.ts';
import { useNpmCommand } from '../../support/npmCommand.ts';

describe('the output of a server that listens', () => {
  useNpmCommand('start');
  const url = 'http://127.0.0.1:8080';
  const print = (isTTY: boolean, dataDir = resolve('./data')): string => {
    const written: string[] = [];
    printStart({ url, dataDir }, { isTTY, write: (text) => written.push(text) });
    return written.join('');
  };

  it('is one line for programs', () => {
    expect(print(false)).to.equal(`listening on ${url}\n`);
  });

  it('has links and the demo command on a terminal', () => {
    const [first, ...rest] = print(true).split('\n');
    expect(first).to.equal(`listening on ${url}`);
    expect(rest.join('\n'))
      .to.include(`${url}/docs`)
      .and.to.include(`${url}/archivist`)
      .and.to.include('(or /svc, the same API)')
      .and.to.include(' npm run demo');
  });

  it('names another data directory in the command', () => {
    expect(print(true, '/srv/ledger')).to.include("DATA_DIR='/srv/ledger' npm run demo");
  });
});
