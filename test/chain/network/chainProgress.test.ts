// What a report of a chain that doesn't make records final says.
import { expect } from 'chai';
import { createProgressWatch, type ProgressWatch } from '../../../chain/network/chainProgress.ts';
import type { NodeSet } from '../../../chain/network/nodeSet.ts';
import type { NodeUse } from '../../../chain/network/rpcNode.ts';
import type { RecordWait } from '../../../chain/recordWaits.ts';
import { makeBlocks, sealBftChain, toHeaderClient } from '../../support/sealedChains.ts';

const SENT = '1970-01-01T00:33:20.000Z';
const SENT_MS = Date.parse(SENT);
const HEAD = 9;
const LOOK_MS = 500;
const LIMIT_MS = 30_000;

describe('the progress of a chain that leaves a mined transaction not final', () => {
  let nowMs: number;
  let final: NodeSet['final'];
  let problems: string[];
  let progress: ProgressWatch;
  let unfinal: RecordWait | undefined;
  let uses: readonly Partial<NodeUse>[];
  beforeEach(() => {
    nowMs = SENT_MS;
    uses = [{ isLeft: false }];
    final = undefined;
    problems = [];
    unfinal = { sinceMs: SENT_MS, isRecovered: false };
    const headers = sealBftChain(
      'qbft',
      [1],
      makeBlocks(HEAD + 1, () => [1]),
    );
    const client = toHeaderClient(() => headers);
    const nodes = {
      headNumber: HEAD,
      uses: () => uses,
      use: (task: Parameters<NodeSet['use']>[0]) => task(client),
      get final() {
        return final;
      },
    } as unknown as NodeSet;
    progress = createProgressWatch({
      nodes,
      confirmations: 1,
      promisesBlocks: false,
      now: () => nowMs,
      onProblem: (message) => problems.push(message),
    });
    progress.watchRecords(() => ({ unmined: undefined, unfinal }));
  });
  const watch = async (): Promise<void> => {
    for (const endMs = nowMs + LIMIT_MS; nowMs <= endMs; nowMs += LOOK_MS) await progress.look();
    await progress.look();
  };
  const toReason = (newestFinal: string): string =>
    `a transaction has waited since ${SENT}: it is mined and not final; the newest block is 9, and the newest final one ${newestFinal}`;

  it('is a stall whose reason names the newest final block', async () => {
    final = { number: 4, hash: '0x' };
    await watch();
    expect(progress.read().stall).to.deep.equal({ sinceMs: SENT_MS, blockNumber: HEAD, reason: toReason('4') });
  });

  it('is a stall whose reason says that no final block is known, while too few nodes agree on one', async () => {
    await watch();
    expect(progress.read().stall!.reason).to.equal(toReason('unknown'));
  });

  it('names the nodes that stand at earlier blocks, and since when', async () => {
    const toUse = (name: string, height: number, isLeft = false): Partial<NodeUse> => ({
      name,
      isLeft,
      seen: { height, headAtSeconds: 0, atMs: nowMs },
    });
    uses = [toUse('a', HEAD), toUse('b', 6), toUse('c', 5), toUse('d', 1, true)];
    await watch();
    const moved = new Date(nowMs).toISOString();
    uses = [toUse('a', HEAD), toUse('b', 7), toUse('c', 5), toUse('d', 1, true)];
    await progress.look();
    const { reason } = progress.read().stall!;
    expect(reason).to.match(new RegExp(`behind are b at block 7 since ${moved}, c at block 5 since ${SENT}$`));
    uses = [toUse('a', HEAD), toUse('b', HEAD)];
    await progress.look();
    expect(progress.read().stall!.reason).to.equal(toReason('unknown'));
  });

  it('is reported when the stall begins and when it ends', async () => {
    await watch();
    await watch();
    expect(problems).to.deep.equal([`CHAIN_STALLED: ${toReason('unknown')}`]);
    unfinal = undefined;
    await progress.look();
    const seconds = Math.round((nowMs - SENT_MS) / 1_000);
    expect(problems.slice(1)).to.deep.equal([`CHAIN_STALLED has ended after ${seconds} s: the newest block is 9`]);
  });
});
