import { mock } from 'node:test';
import { expect } from 'chai';
import { print, showProgress } from '../../setup/terminal.js';

describe('the terminal of set-up', () => {
  const { write, isTTY } = process.stderr;
  let written = '';

  beforeEach(() => {
    written = '';
    mock.timers.enable({ apis: ['Date', 'setInterval'] });
    process.stderr.write = (text: string | Uint8Array) => {
      written += text;
      return true;
    };
  });

  afterEach(() => {
    mock.timers.reset();
    Object.assign(process.stderr, { write, isTTY });
  });

  it('shows the elapsed seconds of a step, and then its outcome', () => {
    process.stderr.isTTY = true;
    const end = showProgress('waiting');
    mock.timers.tick(1_000);
    mock.timers.tick(200);
    end('ended');
    mock.timers.tick(10_000);
    expect(written.split('\r\x1b[K')).to.eql([
      '',
      'set-up: waiting ... 0 s',
      'set-up: waiting ... 1 s',
      'set-up: waiting: ended after 1.2 s\n',
    ]);
  });

  it('marks each line of a message', () => {
    print('npm error a\nnpm error b\n');
    expect(written).to.equal('set-up: npm error a\nset-up: npm error b\n');
  });
});
