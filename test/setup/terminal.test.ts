import { expect } from 'chai';
import { print, showProgress } from '../../setup/terminal.js';

describe('the terminal of set-up', () => {
  const { write, isTTY } = process.stderr;
  let written = '';

  beforeEach(() => {
    written = '';
    process.stderr.write = (text: string | Uint8Array) => {
      written += text;
      return true;
    };
  });

  afterEach(() => {
    Object.assign(process.stderr, { write, isTTY });
  });

  it('shows the elapsed seconds of a step, and then its outcome', async () => {
    process.stderr.isTTY = true;
    const end = showProgress('waiting');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    end('ended');
    expect(written.split('\r\x1b[K')).to.eql([
      '',
      'set-up: waiting ... 0 s',
      'set-up: waiting ... 1 s',
      written.split('\r\x1b[K').at(-1),
    ]);
    expect(written).to.match(/set-up: waiting: ended after 1\.\d s\n$/);
  });

  it('marks each line of a message', () => {
    print('npm error a\nnpm error b\n');
    expect(written).to.equal('set-up: npm error a\nset-up: npm error b\n');
  });
});
