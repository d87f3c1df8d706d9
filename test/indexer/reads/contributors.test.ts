// What evidence reads of contributions: who contributed to an asset, which contributions have an effect, and which
// access policies a tenant has had.
import { expect } from 'chai';
import fc from 'fast-check';
import { createTreeView } from '../../../indexer/reads/createTreeView.ts';
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import { decodeKeyedPayload } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { ASSETS, words } from '../../support/histories.ts';
import { toNaiveLog } from '../../support/ledgers.ts';
import { findContributions, type NaiveLog } from '../../support/naiveContributions.ts';
import { runs } from '../../support/propertyRuns.ts';
import { ALPHA, aContribution, assetOf, aTenantRecord, BETA } from '../../support/records.ts';
import { SHARING_TENANTS, sharedHistoriesOf } from '../../support/sharedHistories.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const RUNS = 40;

describe('what evidence reads of contributions', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  beforeEach(async () => {
    index = await openIndex(await makeDirectory());
  });
  afterEach(() => index.store.close());

  const expectContributors = async (logs: readonly NaiveLog[]): Promise<void> => {
    const trees = createTreeView(index.store);
    const counted = findContributions(logs);
    for (const owner of SHARING_TENANTS) {
      for (const number of ASSETS) {
        const found = [...counted.values()].filter(
          (each) => each.owner === owner && toStreamIdentityOf(each.record) === assetOf(number),
        );
        const contributors = await trees.readContributors(toKey(owner), toKey(assetOf(number)));
        expect(contributors).to.deep.equal([...new Set(found.map(({ writer }) => writer))]);
      }
    }
    for (const [at, { tenantIdentity, log }] of logs.entries()) {
      const record = decodeKeyedPayload(log.payload, log);
      if (record?.type !== 'contribution') continue;
      expect(await trees.hasEffect(toKey(tenantIdentity), record.identity)).to.equal(counted.has(at));
    }
  };

  it('is what a model finds, whatever tenants record', async () => {
    const check = fc.asyncProperty(words.chain(sharedHistoriesOf), async (history) => {
      const logs = history.map(toNaiveLog);
      await index.clear();
      await index.take(logs.map(({ log }) => log));
      await expectContributors(logs);
    });
    await fc.assert(check, runs(RUNS));
  });

  it('lists the access policies of a tenant, deleted ones too', async () => {
    const check = fc.asyncProperty(words.chain(sharedHistoriesOf), async (history) => {
      const logs = history.map(toNaiveLog);
      await index.clear();
      await index.take(logs.map(({ log }) => log));
      for (const tenant of SHARING_TENANTS) {
        const policies = history.flatMap(({ tenantIdentity, record }) =>
          tenantIdentity === tenant && record.type === 'access_policy' && record.follows === ''
            ? [toStreamIdentityOf(record)]
            : [],
        );
        const listed = await createTreeView(index.store).listAccessPolicies(toKey(tenant));
        expect(listed).to.deep.equal([...new Set(policies)]);
      }
    });
    await fc.assert(check, runs(RUNS));
  });

  it('has no effect of a contribution before its tenant was there', async () => {
    const record = aContribution(ALPHA);
    const written = [
      { tenantIdentity: ALPHA, record: aTenantRecord(ALPHA) },
      { tenantIdentity: BETA, record },
    ];
    await index.take(written.map(toNaiveLog).map(({ log }) => log));
    expect(await createTreeView(index.store).hasEffect(toKey(BETA), record.identity)).to.equal(false);
  });
});
