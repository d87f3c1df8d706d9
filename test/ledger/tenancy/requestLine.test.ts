// A line that travels by mail or chat: what was changed on the way is found, and nothing else is read from it.
import { expect } from 'chai';
import { toUuid } from '../../../ledger/identity.ts';
import { type AccountRequest, decodeRequestLine, encodeRequestLine } from '../../../ledger/tenancy/requestLine.ts';
import { codeOf, NOT_REFUSED } from '../../support/refusals.ts';

const REQUEST: AccountRequest = {
  kind: 'tenant',
  chainId: 424_242,
  contract: '0xbee77866ccc049907f49cd3f96ecccdfe1f02cfc',
  tenantIdentity: 'tenant/1e8b7f2c-3d55-4a4e-9b7e-0a1b2c3d4e5f',
  account: '0x762ad4f1838a2a193111c0bf67676b911822193f',
};
const LINE = encodeRequestLine(REQUEST);
const codeOfLine = (line: string, kind: AccountRequest['kind'] = 'tenant') =>
  codeOf(() => decodeRequestLine(line, kind));

describe('the line of a request', () => {
  it('is one word of its version, and decodes to the request', () => {
    expect(LINE).to.match(/^provenance-tenant-1:424242:0x\S+$/);
    expect(decodeRequestLine(` ${LINE}\n`, 'tenant')).to.deep.equal(REQUEST);
    const writer = { ...REQUEST, kind: 'writer' } as const;
    expect(decodeRequestLine(encodeRequestLine(writer), 'writer')).to.deep.equal(writer);
  });

  it('is refused with any character changed, removed, doubled or in the other case', () => {
    const accepted: string[] = [];
    const attempt = (line: string): void => {
      if (line !== LINE && codeOfLine(line) === NOT_REFUSED) accepted.push(line);
    };
    for (let at = 0; at < LINE.length; at += 1) {
      const [before, one, after] = [LINE.slice(0, at), LINE[at]!, LINE.slice(at + 1)];
      for (const other of '0123456789abcdefABCDEF:-xX /\u0000é') attempt(`${before}${other}${after}`);
      attempt(`${before}${after}`);
      attempt(`${before}${one}${one}${after}`);
      attempt(`${before}${one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase()}${after}`);
    }
    for (let length = 0; length < LINE.length; length += 1) attempt(LINE.slice(0, length));
    for (const line of [LINE.toUpperCase(), `${LINE}${LINE}`, `${LINE}:`, `x${LINE}`, `"${LINE}"`]) attempt(line);
    expect(accepted).to.deep.equal([]);
  });

  it('is refused where the other kind is needed, with the zero address, and with the nil UUID', () => {
    expect(codeOfLine(LINE, 'writer')).to.equal('REQUEST_INVALID');
    expect(codeOfLine(encodeRequestLine({ ...REQUEST, account: `0x${'00'.repeat(20)}` }))).to.equal('REQUEST_INVALID');
    const nil = `tenant/${toUuid(REQUEST.tenantIdentity).replace(/[0-9a-f]/g, '0')}`;
    expect(codeOfLine(encodeRequestLine({ ...REQUEST, tenantIdentity: nil }))).to.equal('REQUEST_INVALID');
  });
});
