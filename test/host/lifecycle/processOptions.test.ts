import { expect } from 'chai';
import { findOpeningOptions } from '../../../host/lifecycle/processOptions.ts';

describe('options of Node that open a process', () => {
  for (const option of [
    '--inspect',
    '--inspect=0.0.0.0:9229',
    '--inspect-brk',
    '--inspect-wait=9000',
    '--heapsnapshot-signal=SIGUSR2',
    '--report-on-signal',
    '--report-uncaught-exception',
    '--cpu-prof',
  ])
    it(`include ${option}, given to the command or by the environment`, () => {
      expect(findOpeningOptions([option])).to.have.length(1);
      expect(findOpeningOptions([], `--max-old-space-size=512 ${option}`)[0]).to.include(` ${option} `);
    });

  it('include nothing else', () => {
    const harmless = [
      '--max-semi-space-size=64',
      '--disable-sigusr1',
      '--inspect-port=0',
      '--inspect-publish-uid=http',
    ];
    expect(findOpeningOptions(harmless, '--import=x --report-dir=/tmp')).to.deep.equal([]);
  });
});
