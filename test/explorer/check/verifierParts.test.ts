// What stands in for parts of Node and of packages in the verifier of a browser.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Buffer as BrowserBuffer } from '../../../explorer/check/buffer.ts';
import { createKeccak, createSHA256 } from '../../../explorer/check/hashes.ts';
import { toRpcRequest } from '../../../explorer/check/jsonRpc.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';

describe('the buffer of the verifier in a browser', () => {
  it('is the same as that of Node, for digits and for ASCII', () => {
    for (const digits of ['', '00', '0a0bff10', 'deadbeef'])
      expect([...BrowserBuffer.from(digits, 'hex')]).to.eql([...Buffer.from(digits, 'hex')]);
    expect([...BrowserBuffer.from('abc 0', 'ascii')]).to.eql([...Buffer.from('abc 0', 'ascii')]);
  });

  it('has the digits of a part of bytes', () => {
    const bytes = Uint8Array.of(1, 2, 0xfe, 0x0f, 5).buffer;
    expect(BrowserBuffer.from(bytes, 1, 3).toString('hex')).to.equal('02fe0f');
  });
});

describe('the hashes of the verifier in a browser', () => {
  it('are those of other programs, also when they begin again', () => {
    const [one, other] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
    const both = Buffer.concat([one, other]);
    const cases = [
      [createSHA256(), createHash('sha256').update(both).digest()],
      [createKeccak(), keccak256(both)],
    ] as const;
    for (const [hasher, expected] of cases)
      for (let round = 0; round < 2; round += 1) {
        hasher.init();
        hasher.update(one);
        hasher.update(other);
        expect([...hasher.digest('binary')]).to.eql([...expected]);
      }
  });
});

describe('a request of JSON-RPC', () => {
  it('is one of version 2.0', () => {
    const { method, headers, body } = toRpcRequest('eth_call', [1, 'latest']);
    expect([method, headers]).to.eql(['POST', { 'content-type': 'application/json' }]);
    const { id, ...request } = JSON.parse(body);
    expect(request).to.eql({ jsonrpc: '2.0', method: 'eth_call', params: [1, 'latest'] });
    expect(id).to.be.a('number');
  });
});
