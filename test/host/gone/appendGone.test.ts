// What a record depends on is on the chain before it: with a writer that refuses some, which no chain does on request.
import { expect } from 'chai';
import { appendGone } from '../../../host/gone/appendGone.ts';
import type { GoneSummary } from '../../../host/gone/goneRecords.ts';
import { ALPHA } from '../../support/records.ts';

type Parts = Parameters<typeof appendGone>[0];

const AUTHOR = '0xA';
const place = (logIndex: number) => ({
  blockNumber: 1,
  logIndex,
  author: AUTHOR,
  blockTimestampSeconds: 1,
  transactionHash: '0x',
  transactionIndex: 0,
});

describe('gone records that are appended again', () => {
  const append = async (streams: readonly string[], isRefused: (identity: string) => boolean) => {
    const list = streams.map((stream, at) => ({
      tenantIdentity: ALPHA,
      identity: `assets/${stream}/events/${at}`,
      streamIdentity: `assets/${stream}`,
      type: 'event',
      acceptedAt: '',
      place: place(at),
    })) as GoneSummary[];
    const parts = {
      gone: {
        list: () => list,
        read: async ({ identity }: { identity: string }) => ({ record: { identity, type: 'event' }, place: place(0) }),
        remove: async () => undefined,
      },
      outbox: { readStream: () => [] },
      store: { read: () => undefined },
      wallets: { findAddress: () => AUTHOR },
      writer: {
        begin: async (_tenant: string, { identity }: { identity: string }) => ({
          confirmation_status: isRefused(identity) ? 'FAILED' : 'CONFIRMED',
        }),
      },
    } as unknown as Parts;
    return (await appendGone(parts, ALPHA, [])).map(({ status }) => status);
  };

  it('do not follow the first of their stream when the chain refuses that', async () => {
    const statuses = await append(['a', 'b', 'a', 'a', 'b'], (identity) => identity === 'assets/a/events/0');
    expect(statuses).to.deep.equal(['FAILED', 'CONFIRMED', undefined, undefined, 'CONFIRMED']);
  });

  it('do not follow one that was refused in a batch before', async () => {
    const streams = [...Array<string>(101).fill('a'), 'a', 'a'];
    const statuses = await append(streams, (identity) => identity === 'assets/a/events/50');
    expect(statuses.filter((status) => status === 'FAILED')).to.have.length(1);
    expect(statuses.slice(101)).to.deep.equal([undefined, undefined]);
  });
});
