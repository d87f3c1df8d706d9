// Connections of the networks of an IPv6 address. The machine has one such address, so connections are said to arrive.
import { createServer, type Server } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { limitConnections } from '../../../server/http/connectionLimits.ts';

describe('limits on connections of IPv6', () => {
  const arrive = (server: Server, remoteAddress: string, remotePort: number): Socket => {
    const socket = Object.defineProperties(new Socket(), {
      remoteAddress: { value: remoteAddress },
      remotePort: { value: remotePort },
    });
    server.emit(
      'connection',
      socket.on('error', () => undefined),
    );
    return socket;
  };

  // How many of so many connections stay open.
  const open = (server: Server, count: number, toAddress: (at: number) => string): number => {
    const arrived = Array.from({ length: count }, (_, at) => arrive(server, toAddress(at), at));
    const left = arrived.filter(({ destroyed }) => !destroyed).length;
    for (const socket of arrived) socket.destroy().emit('close');
    return left;
  };

  it('count the /56 and the /48 of an address, with more connections than one address', () => {
    const server = createServer();
    limitConnections(server, { max: 100, perAddressMax: 10 });
    const count = (toAddress: (at: number) => string): number => open(server, 90, toAddress);
    expect(count((at) => `2001:db8:0:1::${at.toString(16)}`)).to.equal(10);
    expect(count((at) => `2001:db8:0:${(0x1200 + at).toString(16)}::1`)).to.equal(20);
    expect(count((at) => `2001:db8:0:${(0x100 * at).toString(16)}::1`)).to.equal(40);
    expect(count((at) => `2001:db8:${at.toString(16)}::1`)).to.equal(90);
    expect(count((at) => `198.51.100.${at}`)).to.equal(90);
  });

  it('leave a fifth of all connections to others than one /48', () => {
    const server = createServer();
    limitConnections(server, { max: 100, perAddressMax: 60 });
    expect(open(server, 100, (at) => `2001:db8:0:${(0x100 * at).toString(16)}::1`)).to.equal(80);
  });
});
