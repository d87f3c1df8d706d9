// How the limits on connections follow from the limit of open files.
import { expect } from 'chai';
import { readConfig } from '../../../host/settings/config.ts';
import { readDescriptorsMax, toConnectionLimits } from '../../../host/settings/descriptors.ts';

const config = readConfig({});

describe('limits on connections of an installation', () => {
  it('are the settings where open files are plenty', () => {
    const { api, rpc, metrics } = toConnectionLimits(config, 20_000);
    expect(api).to.eql({ max: config.connectionsMax, perAddressMax: config.connectionsPerAddress });
    expect(rpc).to.eql({ max: config.chainRpcConnectionsMax, perAddressMax: config.chainRpcConnectionsPerAddress });
    expect(metrics.max).to.equal(config.metricsConnectionsMax);
  });

  it('leave room for files and databases, and for other addresses, whatever the limit of open files is', () => {
    for (let openFilesMax = 256; openFilesMax < 10_000; openFilesMax += 64) {
      const { api, rpc, metrics } = toConnectionLimits(config, openFilesMax);
      expect(2 * api.max + rpc.max + metrics.max).to.be.lessThan(0.8 * openFilesMax);
      for (const { max, perAddressMax } of [api, rpc, metrics]) expect(perAddressMax).to.be.within(1, max - 1);
    }
  });

  it('refuse a start with hardly any open files, and say how many there must be', () => {
    const [, least] = /at least (\d+)/.exec(String(findError(100)))!;
    expect(findError(Number(least))).to.equal(undefined);
    expect(findError(Number(least) - 1)).not.to.equal(undefined);
  });

  it('begin with the limit of this process', () => {
    expect(readDescriptorsMax()).to.be.greaterThan(100);
  });
});

const findError = (openFilesMax: number): unknown => {
  try {
    toConnectionLimits(config, openFilesMax);
    return undefined;
  } catch (error) {
    return error;
  }
};
