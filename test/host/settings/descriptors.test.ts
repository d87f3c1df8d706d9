// Limits on connections, derived from the limit of open files.
import { expect } from 'chai';
import { readConfig } from '../../../host/settings/config.ts';
import { readDescriptorsMax, toConnectionLimits } from '../../../host/settings/descriptors.ts';

const config = readConfig({});

describe('limits on connections of an installation', () => {
  it('are the settings when the limit of open files is high', () => {
    const { api, rpc, metrics } = toConnectionLimits(config, 20_000);
    expect(api).to.eql({ max: config.connectionsMax, perAddressMax: config.connectionsPerAddress });
    expect(rpc).to.eql({ max: config.chainRpcConnectionsMax, perAddressMax: config.chainRpcConnectionsPerAddress });
    expect(metrics.max).to.equal(config.metricsConnectionsMax);
  });

  it('leave descriptors for files, databases and other addresses at any limit of open files', () => {
    for (let openFilesMax = 256; openFilesMax < 10_000; openFilesMax += 64) {
      const { api, rpc, metrics } = toConnectionLimits(config, openFilesMax);
      expect(2 * api.max + rpc.max + metrics.max).to.be.lessThan(0.8 * openFilesMax);
      for (const { max, perAddressMax } of [api, rpc, metrics]) expect(perAddressMax).to.be.within(1, max - 1);
    }
  });

  it('refuse a start with too few open files, and state the minimum', () => {
    const [, least] = /at least (\d+)/.exec(String(findError(100)))!;
    expect(findError(Number(least))).to.equal(undefined);
    expect(findError(Number(least) - 1)).not.to.equal(undefined);
  });

  it('use the limit of this process', () => {
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
