// Exactly once and in order, as one property: whatever fails and whenever the writer is restarted, every accepted
// record is appended to the chain exactly once, in the order of acceptance, unless the chain refuses it.
import { expect } from 'chai';
import fc from 'fast-check';
import { encodePayload } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { createFakeChainAndIndex, FAULTS, type FakeChainAndIndex } from '../../support/fakeChainAndIndex.ts';
import { runs } from '../../support/propertyRuns.ts';
import { ALPHA, anEvent, BETA, eventOf } from '../../support/records.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, type WriterFixture } from '../../support/writerFixture.ts';

interface Append {
  readonly act: 'append';
  readonly asset: number;
  readonly isRefused: boolean;
  readonly noteCharacters: number;
}
type Step = Append | { readonly act: 'restart' } | { readonly act: 'pass'; readonly ms: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record<Append>({
        act: fc.constant('append'),
        asset: fc.integer({ min: 1, max: 3 }),
        isRefused: fc.nat(5).map((die) => die === 0),
        noteCharacters: fc.constantFrom(0, 300, 1_500),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ act: 'restart' } as const) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.nat(2_000) }) },
  ),
  { maxLength: 25 },
);
const schedules = fc.record({
  steps,
  endsWithRestart: fc.boolean(),
  faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 8 }),
  limits: fc.record({
    batchRecordsMax: fc.integer({ min: 1, max: 8 }),
    batchBytesMax: fc.integer({ min: 500, max: 4_000 }),
  }),
});

const REFUSED = 'refuse me';
const toRecord = ({ asset, isRefused, noteCharacters }: Append, event: number) =>
  anEvent({
    identity: eventOf(asset, event),
    operation: isRefused ? REFUSED : 'Record',
    event_attributes: { note: 'x'.repeat(noteCharacters) },
  });

const createChain = (faults: FakeChainAndIndex['faults']): FakeChainAndIndex => {
  const chain = createFakeChainAndIndex();
  chain.faults.push(...faults);
  chain.refuses = ({ record }) => record.type === 'event' && record.operation === REFUSED;
  return chain;
};

describe('the write path', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();
  const isIdle = ({ outbox }: WriterFixture): boolean =>
    outbox.readEntries().every(({ status }) => status === 'FAILED');

  // Records that are accepted: in the outbox, on the chain, or in transit between them.
  const countKnown = ({ outbox, chain }: WriterFixture): number =>
    new Set([...outbox.readEntries(), ...chain.appended].map(({ record }) => record.identity)).size;

  it('appends every accepted record exactly once and in the order of its tenant, unless the chain refuses it', async () => {
    const check = fc.asyncProperty(schedules, async ({ steps: history, endsWithRestart, faults, limits }) => {
      const directory = await makeDirectory();
      const chain = createChain(faults);
      const options = { chain, limits: { ...limits, waitMs: 500 } };
      let fixture = await openWriter(directory, options);
      const accepted: { identity: string; tenant: string; isRefused: boolean; statuses: Set<string> }[] = [];
      for (const [event, step] of history.entries()) {
        if (step.act === 'append') {
          const record = toRecord(step, event);
          const statuses = new Set<string>();
          const tenant = step.asset === 3 ? BETA : ALPHA;
          accepted.push({ identity: record.identity, tenant, isRefused: step.isRefused, statuses });
          void fixture.append(record, tenant).then(({ confirmation_status }) => statuses.add(confirmation_status));
        }
        if (step.act === 'pass') await time.pass(step.ms);
        if (step.act === 'restart') {
          await fixture.close();
          fixture = await openWriter(directory, options);
        }
      }
      await time.until(() => countKnown(fixture) === accepted.length);
      if (endsWithRestart) {
        await fixture.close();
        fixture = await openWriter(directory, options);
      }
      await time.passUntil(() => isIdle(fixture));
      for (const one of [ALPHA, BETA]) {
        const wanted = accepted.filter(({ tenant, isRefused }) => tenant === one && !isRefused);
        const appended = chain.appended.filter(({ tenantIdentity }) => tenantIdentity === one);
        expect(appended.map(({ record }) => record.identity)).to.deep.equal(wanted.map(({ identity }) => identity));
      }
      const refused = accepted.filter(({ isRefused }) => isRefused).map(({ identity }) => identity);
      expect(fixture.outbox.readEntries().map(({ record }) => record.identity)).to.deep.equal(refused);
      for (const { isRefused, statuses } of accepted) {
        expect([...statuses]).to.not.include(isRefused ? 'CONFIRMED' : 'FAILED');
      }
      await fixture.close();
    });
    await fc.assert(check, runs(25));
  });

  it('keeps batches within their limits, unless they have one record', async () => {
    const check = fc.asyncProperty(schedules, async ({ steps: history, faults, limits }) => {
      const chain = createChain(faults);
      const fixture = await openWriter(await makeDirectory(), { chain, limits: { ...limits, waitMs: 500 } });
      const sizes = new Map<string, number>();
      for (const [event, step] of history.entries()) {
        if (step.act !== 'append') continue;
        const record = toRecord(step, event);
        sizes.set(record.identity, encodePayload(record).length);
        void fixture.append(record);
      }
      await time.until(() => countKnown(fixture) === sizes.size);
      await time.passUntil(() => isIdle(fixture));
      for (const batch of chain.submitted) {
        const bytes = batch.reduce((sum, identity) => sum + sizes.get(identity)!, 0);
        expect(batch.length).to.be.at.most(limits.batchRecordsMax);
        if (batch.length > 1) expect(bytes).to.be.at.most(limits.batchBytesMax);
      }
      await fixture.close();
    });
    await fc.assert(check, runs(10));
  });
});
