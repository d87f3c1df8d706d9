// The newest headers, and what they show of a chain's rhythm.
import { expect } from 'chai';
import { FalseAnswer } from '../../../chain/jsonRpc/falseAnswer.ts';
import type { BlockIntervals } from '../../../chain/network/blockIntervals.ts';
import { readIntervals } from '../../../chain/network/blockIntervals.ts';
import { createRecentHeaders, RECENT_HEADERS } from '../../../chain/network/recentHeaders.ts';
import { failureOf } from '../../support/refusals.ts';
import {
  makeBlocks,
  type SealedBlock,
  sealBftChain,
  sealCliqueChain,
  toHeaderClient,
} from '../../support/sealedChains.ts';
import type { Header } from '../../support/sealedHeaders.ts';

const seal = (blocks: readonly SealedBlock[]): Header[] => sealBftChain('qbft', [1], blocks);
const byOne = (): number[] => [1];

describe('the newest headers', () => {
  let headers: readonly Header[];
  const client = toHeaderClient(() => headers);

  it('are the newest hundred, those that are new once a block came', async () => {
    const recent = createRecentHeaders();
    headers = seal(makeBlocks(130, byOne));
    await recent.follow(client, 119);
    await recent.follow(client, 122);
    const kept = recent.read();
    expect([kept.length, kept[0]!.number, kept.at(-1)!.number]).to.eql([RECENT_HEADERS, 23, 122]);
    expect(kept.map(({ hash }) => hash)).to.eql(headers.slice(23, 123).map(({ hash }) => hash));
  });

  it('are all of a short chain, and stay when a node is behind or lacks a block', async () => {
    const recent = createRecentHeaders();
    headers = seal(makeBlocks(4, byOne));
    await recent.follow(client, 3);
    await recent.follow(client, 2);
    await recent.follow(client, 9);
    expect(recent.read().map(({ number }) => number)).to.eql([0, 1, 2, 3]);
  });

  it('are those of the chain that replaced another one', async () => {
    const recent = createRecentHeaders();
    headers = seal(makeBlocks(4, byOne));
    await recent.follow(client, 3);
    headers = seal([...makeBlocks(3, byOne), ...makeBlocks(6, byOne, { interval: 2 }).slice(3)]);
    await recent.follow(client, 5);
    expect(recent.read().map(({ hash }) => hash)).to.eql(headers.map(({ hash }) => hash));
  });

  it('are never those that have another hash than their node claims', async () => {
    headers = seal(makeBlocks(4, byOne)).map((header) => ({ ...header, timestamp: '0x1' }));
    expect(await failureOf(createRecentHeaders().follow(client, 3))).to.be.instanceOf(FalseAnswer);
  });
});

describe('the intervals of a chain', () => {
  const read = async (
    headers: readonly Header[],
    ...given: [engine: 'qbft' | 'clique' | undefined, promises?: boolean]
  ): Promise<BlockIntervals | undefined> => {
    const recent = createRecentHeaders();
    await recent.follow(
      toHeaderClient(() => headers),
      headers.length - 1,
    );
    return readIntervals(recent.read(), ...given);
  };
  const empty = makeBlocks(30, byOne, { interval: 2 });
  const full = makeBlocks(30, byOne, { interval: 2, isFull: true });

  it('promise blocks with QBFT, and with clique that makes empty ones', async () => {
    const promised = { usualMs: 2_000, promisedMs: 2_000 };
    expect(await read(seal(empty), 'qbft')).to.eql({ ...promised, silenceMsMax: 8_000 });
    expect(await read(seal(full), 'qbft')).to.eql({ ...promised, silenceMsMax: 8_000 });
    expect(await read(sealCliqueChain([1], empty), 'clique')).to.eql({ ...promised, silenceMsMax: 6_000 });
  });

  it('promise none with clique without empty blocks, nor on other chains', async () => {
    const onDemand = { usualMs: 2_000, promisedMs: undefined, silenceMsMax: undefined };
    expect(await read(sealCliqueChain([1], full), 'clique')).to.eql(onDemand);
    expect(await read(seal(empty), undefined)).to.eql(onDemand);
  });

  it('promise what the operator states', async () => {
    expect(await read(seal(empty), 'qbft', false)).to.include({ usualMs: 2_000, promisedMs: undefined });
    expect(await read(seal(full), undefined, true)).to.include({ usualMs: 2_000, promisedMs: 2_000 });
  });

  it('include the slow rounds of a validator that is away, and not a single stall', async () => {
    const toChain = (toSeconds: (at: number) => number): Header[] => {
      let seconds = 1_000;
      const blocks = Array.from({ length: 40 }, (_, at) => {
        seconds += toSeconds(at);
        return { sealers: at === 0 ? [] : [1], seconds };
      });
      return seal(blocks);
    };
    expect(
      await read(
        toChain((at) => (at % 4 === 0 ? 5 : 1)),
        'qbft',
      ),
    ).to.include({ promisedMs: 5_000 });
    expect(
      await read(
        toChain((at) => (at === 30 ? 300 : 1)),
        'qbft',
      ),
    ).to.include({ promisedMs: 1_000 });
  });

  describe('of four validators, one of which is away, with clients that write', () => {
    // Its turn is each fourth: the block of the next round comes after the timeout of the first one, 10 s.
    const toChain = (away: number, isEmpty: (at: number) => boolean): Header[] => {
      let seconds = 1_000;
      return seal(
        Array.from({ length: 60 }, (_, at) => {
          const round = at >= away && at % 4 === 0 ? 1 : 0;
          seconds += round === 1 ? 11 : 1;
          return { sealers: at === 0 ? [] : [1], seconds, round, isFull: !isEmpty(at) };
        }),
      );
    };

    it('promise no earlier block than usual, although the few empty ones came quickly', async () => {
      const found = await read(
        toChain(1, (at) => at % 8 === 1),
        'qbft',
      );
      expect(found).to.eql({ usualMs: 11_000, promisedMs: 11_000, silenceMsMax: 33_000 });
    });

    it('allow twice the timeout of the first round, once one was seen', async () => {
      const found = await read(
        toChain(56, () => true),
        'qbft',
      );
      expect(found).to.eql({ usualMs: 1_000, promisedMs: 1_000, silenceMsMax: 22_000 });
    });

    it('allow that of the usual settings before, also with higher rounds', async () => {
      expect(
        await read(
          toChain(100, () => true),
          'qbft',
        ),
      ).to.include({ silenceMsMax: 8_000 });
      const late = [...makeBlocks(30, byOne), { sealers: [1], seconds: 1_029 + 28, round: 3 }];
      expect(await read(seal(late), 'qbft')).to.include({ silenceMsMax: 8_000 });
    });
  });

  it('promise an empty block only after the longer time that the engine waits for one', async () => {
    const blocks = Array.from({ length: 60 }, (_, at) => ({
      sealers: at === 0 ? [] : [1],
      seconds: 1_000 + at + 59 * Math.floor(at / 10),
      isFull: at % 10 !== 0,
    }));
    expect(await read(seal(blocks), 'qbft')).to.include({ promisedMs: 60_000 });
  });

  it('count no pause of clients as the time that a block takes on demand', async () => {
    const blocks = makeBlocks(30, byOne, { interval: 3_600, isFull: true });
    expect(await read(seal(blocks), undefined)).to.include({ usualMs: 60_000, promisedMs: undefined });
  });

  it('are unknown with less than two blocks after the first', async () => {
    expect(await read(seal(makeBlocks(2, byOne)), 'qbft')).to.equal(undefined);
    expect(await read(seal(makeBlocks(1, byOne)), 'qbft')).to.equal(undefined);
  });
});
