import { expect } from 'chai';
import { renewOnHangup } from '../../../host/lifecycle/renewal.ts';
import type { Config } from '../../../host/settings/config.ts';

describe('the signal that renews a certificate', () => {
  it('has no handler of a server that is closed, or whose start failed', () => {
    const before = process.listeners('SIGHUP');
    const { stop } = renewOnHangup({} as Config);
    expect(process.listenerCount('SIGHUP')).to.equal(before.length + 1);
    stop();
    expect(process.listeners('SIGHUP')).to.deep.equal(before);
  });
});
