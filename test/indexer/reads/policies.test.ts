// Policies from their creation to their deletion, committed or not.
import { expect } from 'chai';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import { toPolicyResource } from '../../../ledger/records/policy.ts';
import { ALPHA, aPolicyRecord, aTenantRecord, BETA, policyOf, uuidOf } from '../../support/records.ts';
import { readPages, useView } from '../../support/viewFixture.ts';

const creation = (policy: number) => aPolicyRecord(policy);
const deletion = (policy: number, version = 2) =>
  aPolicyRecord(policy, { identity: toVersionIdentity(policyOf(policy), uuidOf(version)), is_deleted: true });
const recreation = (policy: number) =>
  aPolicyRecord(policy, { identity: toVersionIdentity(policyOf(policy), uuidOf(3)), description: 'again' });

describe('policies of a ledger view', () => {
  const fixture = useView(({ mine }) => mine({ record: aTenantRecord(ALPHA) }));

  const list = async (order: 'newest' | 'displayName') => {
    const pages = await readPages((page) => fixture.view.listPolicies(ALPHA, { fields: [], order }, page), 2);
    const items = pages.flatMap((page) => page.items);
    for (const { total } of pages) expect(total).to.equal(items.length);
    return items;
  };
  // The numbers of the policies that exist, newest first. Both orders and single reads must agree.
  const numbersOf = async (): Promise<number[]> => {
    const newest = await list('newest');
    expect((await list('displayName')).map(({ identity }) => identity)).to.have.members(
      newest.map(({ identity }) => identity),
    );
    for (const number of [1, 2, 3]) {
      const read = await fixture.view.readPolicy(ALPHA, uuidOf(number));
      expect(read).to.deep.equal(newest.find(({ identity }) => identity === policyOf(number)));
    }
    return newest.map(({ identity }) => Number(identity.at(-1)));
  };

  it('are shown as they were created, without fields of other types', async () => {
    await fixture.mine({ record: creation(1) });
    fixture.pend(creation(2));
    const { type: _, is_deleted, timestamp_accepted, principal_accepted, ...content } = creation(1);
    expect(await fixture.view.readPolicy(ALPHA, uuidOf(1))).to.deep.equal({ ...content, identity: policyOf(1) });
    expect(await fixture.view.readPolicy(ALPHA, uuidOf(2))).to.deep.equal(toPolicyResource(creation(2)));
    expect(await numbersOf()).to.deep.equal([2, 1]);
    expect(await fixture.view.readPolicy(BETA, uuidOf(1))).to.equal(undefined);
  });

  it('are missing once their deletion is committed', async () => {
    await fixture.mine({ record: creation(1) }, { record: creation(2) }, { record: creation(3) });
    await fixture.mine({ record: deletion(2) });
    expect(await numbersOf()).to.deep.equal([3, 1]);
  });

  it('are missing while their deletion is pending, and found again when it is refused', async () => {
    await fixture.mine({ record: creation(1) }, { record: creation(2) });
    fixture.pend(deletion(1), { status: 'FAILED' });
    fixture.pend(deletion(2));
    expect(await numbersOf()).to.deep.equal([1]);
  });

  it('are missing while creation and deletion are both pending', async () => {
    fixture.pend(creation(1));
    fixture.pend(creation(2));
    fixture.pend(deletion(1));
    expect(await numbersOf()).to.deep.equal([2]);
    fixture.removeOldest();
    await fixture.mine({ record: creation(1) });
    expect(await numbersOf()).to.deep.equal([2]);
  });

  it('are missing if the chain refused their creation', async () => {
    fixture.pend(creation(1), { status: 'FAILED' });
    expect(await numbersOf()).to.deep.equal([]);
  });

  it('are listed at their old position when they are created again after their deletion', async () => {
    await fixture.mine({ record: creation(1) }, { record: creation(2) }, { record: deletion(1) });
    fixture.pend(recreation(1));
    expect(await numbersOf()).to.deep.equal([2, 1]);
    await fixture.mine({ record: recreation(1) });
    expect(await numbersOf()).to.deep.equal([2, 1]);
    expect((await fixture.view.readPolicy(ALPHA, uuidOf(1)))!.description).to.equal('again');
  });

  it('are deleted once by any number of deletions', async () => {
    await fixture.mine({ record: creation(1) }, { record: deletion(1) }, { record: deletion(1, 9) });
    expect(await numbersOf()).to.deep.equal([]);
  });
});
