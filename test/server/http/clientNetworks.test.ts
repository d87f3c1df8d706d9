import { expect } from 'chai';
import { toClientNetwork, toClientNetworks } from '../../../server/http/clientNetworks.ts';

describe('the network of a client', () => {
  const cases: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:FFFF:C000:0207', '192.0.2.7'],
    ['::fffe:192.0.2.7', '0:0:0:0'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
    ['::192.0.2.7', '0:0:0:0'],
    ['::192.0.2.7%eth0', '0:0:0:0'],
    ['0:0:0:0:0:0:192.0.2.7', '0:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0000::1', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['unknown', 'unknown'],
    ['', ''],
  ];
  for (const [address, network] of cases) {
    it(`of ${JSON.stringify(address)} is ${JSON.stringify(network)}`, () => {
      expect(toClientNetwork(address)).to.equal(network);
    });
  }

  it('are also the /56 and the /48 of an IPv6 address', () => {
    expect(toClientNetworks('2001:db8:1:2ff:3::')).to.deep.equal([
      '2001:db8:1:2ff',
      '2001:db8:1:200/56',
      '2001:db8:1/48',
    ]);
    expect(toClientNetworks('192.0.2.7')).to.deep.equal(['192.0.2.7']);
  });
});
