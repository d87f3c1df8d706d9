import { expect } from 'chai';
import { mergeInPauses } from '../../../host/evidence/mergedPlan.ts';
import type { MergedRecord } from '../../../host/evidence/mergedStreams.ts';
import { ALPHA, aCreation, anEvent, assetOf, eventOf } from '../../support/records.ts';

const RECORDS = 41;

describe('the merge of many records', () => {
  it('has them in the order of the chain, and lets others have their turn after twenty', async () => {
    const records = Array.from({ length: RECORDS }, (_, at) => ({
      tenantIdentity: ALPHA,
      author: `0x${'1d'.repeat(20)}`,
      blockTimeSeconds: 7,
      record: at === 0 ? aCreation() : anEvent({ identity: eventOf(1, at) }),
      tree: { place: { blockNumber: 1 + Math.floor(at / 9), logIndex: at } },
    })) as unknown as MergedRecord[];
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const events = await mergeInPauses({ tenantIdentity: ALPHA, assetIdentity: assetOf(1) }, records.toReversed());
    clearImmediate(turn);
    expect(turns).to.be.at.least(Math.floor(RECORDS / 20));
    expect(events.map(({ placed }) => placed)).to.deep.equal(records);
  });
});
