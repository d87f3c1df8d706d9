// What the contract's logs prove of a claim.
import { expect } from 'chai';
import type { ClaimOf } from '../../../../ledger/evidence/bundle/claim.ts';
import type { ProvenBundle } from '../../../../ledger/evidence/bundle/claimChecks.ts';
import { checkClaim } from '../../../../ledger/evidence/bundle/claims.ts';
import { Refuted } from '../../../../ledger/evidence/bundle/findings.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { ALPHA, BETA } from '../../../support/records.ts';

const ASSET = 'assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a';
const EVENT = `${ASSET}/events/7d0f2b9a-3c51-4a57-8f0e-2b1c9d4e6f80`;
const noLeaves = async function* (): AsyncGenerator<Uint8Array> {};

describe('the absence of a record', () => {
  const check = (
    claim: Omit<ClaimOf<'absence'>, 'kind'>,
    { event = 'RecordAttested', of = claim, count = 0 } = {},
  ): Promise<unknown> => {
    const log = { event, tenant: toKey(of.tenantIdentity), key: toKey(of.identity), count };
    const proven = {
      bundle: { claim: { kind: 'absence', ...claim } },
      logs: [{ log, block: { number: 3, timeSeconds: 7 }, transaction: 0 }],
    } as unknown as ProvenBundle;
    return checkClaim(proven, noLeaves()).then(
      (findings) => findings.map(({ question, answer }) => `${question} ${answer}`),
      (error) => (error instanceof Refuted ? `${error.question} refuted` : error),
    );
  };
  const event = { tenantIdentity: ALPHA, identity: EVENT };
  const asset = { tenantIdentity: ALPHA, identity: ASSET };

  it('is proved where the contract has none under its identity', async () => {
    expect(await check(event)).to.deep.equal(['absence proved']);
    expect(await check(asset, { event: 'StreamAttested' })).to.deep.equal(['absence proved']);
  });

  it('is refuted where the contract has one', async () => {
    expect(await check(event, { count: 1 })).to.equal('absence refuted');
    expect(await check(asset, { event: 'StreamAttested', count: 2 })).to.equal('absence refuted');
  });

  it('is refuted where what the contract lacks is another record, or that of another tenant', async () => {
    expect(await check(event, { of: { ...event, identity: `${EVENT.slice(0, -1)}1` } })).to.equal('absence refuted');
    expect(await check(event, { of: { ...event, tenantIdentity: BETA } })).to.equal('absence refuted');
    expect(await check(asset)).to.equal('absence refuted');
  });
});
