import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { createPageTokens } from '../../../server/lists/pageTokens.ts';
import { createMessageIds } from '../../../server/streams/messageIds.ts';

const NEXT = { blockNumber: 7, logIndex: 3 };

describe('ids of messages', () => {
  const tokens = createPageTokens(new Uint8Array(32));
  const ids = createMessageIds(tokens, 'tenants/1 all');
  const refusalOf = (id: string): unknown => {
    try {
      return ids.decode(id);
    } catch (error) {
      return error;
    }
  };

  it('say where the stream continues', () => {
    expect(ids.decode(ids.encode(NEXT))).to.eql(NEXT);
  });

  it('of another stream, and changed ones, are refused by the name of their header', () => {
    const id = ids.encode(NEXT);
    for (const other of [createMessageIds(tokens, 'tenants/2 all').encode(NEXT), `${id.slice(0, -4)}AAAA`, '', 'x']) {
      const error = refusalOf(other);
      expect(error).to.be.instanceOf(LedgerError);
      expect((error as LedgerError).code).to.equal('REQUEST_INVALID');
      expect((error as LedgerError).violations?.map(({ field }) => field)).to.eql(['Last-Event-ID']);
    }
  });

  it('that cannot be decoded for another reason are no error of the client', () => {
    const failure = new Error('no memory');
    const failing = createMessageIds(
      {
        ...tokens,
        decode: () => {
          throw failure;
        },
      },
      'tenants/1 all',
    );
    expect(() => failing.decode('x')).to.throw(failure);
  });
});
