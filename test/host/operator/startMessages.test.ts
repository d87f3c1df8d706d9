import { resolve } from 'node:path';
import { expect } from 'chai';
import { printStart, type StartedServer } from '../../../host/operator/startMessages.ts';
import { useNpmCommand } from '../../support/npmCommand.ts';

describe('the output of a server that listens', () => {
  useNpmCommand('start');
  const url = 'http://127.0.0.1:8080';
  const print = (isTTY: boolean, changes: Partial<StartedServer> = {}): string => {
    const written: string[] = [];
    const server = { url, dataDir: resolve('./data'), hasPages: true, signInLink: undefined, ...changes };
    printStart(server, { isTTY, write: (text) => written.push(text) });
    return written.join('');
  };

  it('is one line for programs, without the link that signs in', () => {
    expect(print(false)).to.equal(`listening on ${url}\n`);
    expect(print(false, { signInLink: `${url}/sign-in#code=a` })).to.equal(`listening on ${url}\n`);
  });

  it('says on a terminal how to sign in to the pages', () => {
    expect(print(true)).to.include(`${url}/ `).and.to.include(' npm run --silent token ');
    expect(print(true)).not.to.include('#code=');
    expect(print(true, { signInLink: `${url}/sign-in#code=a` }))
      .to.include(`\n  ${url}/sign-in#code=a\n`)
      .and.to.include('in the next 5 minutes');
    expect(print(true, { hasPages: false })).not.to.include('sign in');
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
    expect(print(true, { dataDir: '/srv/ledger' })).to.include("DATA_DIR='/srv/ledger' npm run demo");
  });
});
