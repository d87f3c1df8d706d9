// Compares the events that a ledger view passes to policies with those of the model.
import { expect } from 'chai';
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { EventRange } from '../../ledger/compliance/eventRange.ts';
import { finish } from '../../ledger/compliance/steps.ts';
import type { NaiveView } from './naiveView.ts';
import { uuidOf } from './records.ts';

// Maps each value to the position of the first equal one; undefined stays undefined.
const toPattern = (values: readonly (string | undefined)[]): (number | undefined)[] =>
  values.map((value) => (value === undefined ? undefined : values.indexOf(value)));

const lastOf = <T extends { acceptedMs: number }>(events: readonly T[]): T | undefined => {
  const lastMs = Math.max(...events.map(({ acceptedMs }) => acceptedMs));
  return events.findLast(({ acceptedMs }) => acceptedMs === lastMs);
};

/** Asserts that the last event of a type, and the events from a time on, are the model's, whatever else is read. */
const expectRange = async (
  view: LedgerView,
  model: NaiveView,
  { tenant, asset, atMs }: { tenant: string; asset: number; atMs: number },
  range: EventRange,
): Promise<void> => {
  const found = (await view.readPolicyEvents(tenant, uuidOf(asset), atMs, async () => [range]))!;
  const named = finish(found.ofType(range.displayType)).map(({ ref, acceptedMs, declaredMs }) => ({
    identity: found.identityOf(ref),
    acceptedMs,
    declaredMs,
  }));
  const wanted = model
    .readPolicyEvents(tenant, uuidOf(asset), atMs, range.displayType)
    .map(({ event, acceptedMs, declaredMs }) => ({ identity: event.identity, acceptedMs, declaredMs }));
  const from = (events: typeof named) => events.filter(({ acceptedMs }) => acceptedMs >= range.fromMs);
  expect([lastOf(named), from(named)], JSON.stringify({ atMs, range })).to.deep.equal([lastOf(wanted), from(wanted)]);
  expect(wanted).to.deep.include.members(named);
};

/**
 * Asserts that the asset and its events of these types equal the model's, in order and in their correlations, and that
 * parts of the events do too.
 */
export const expectPolicyEvents = async (
  view: LedgerView,
  model: NaiveView,
  query: { tenant: string; asset: number; atMs: number; types: readonly string[] },
): Promise<void> => {
  const { tenant, atMs, types } = query;
  const all = types.map((displayType) => ({ displayType, fromMs: Number.NEGATIVE_INFINITY }));
  const found = await view.readPolicyEvents(tenant, uuidOf(query.asset), atMs, async () => all);
  expect(found?.asset).to.deep.equal(model.readAssetAt(tenant, uuidOf(query.asset), atMs));
  if (found === undefined) return;
  const seen = types.flatMap((type) => finish(found.ofType(type)));
  const wanted = types.flatMap((displayType) =>
    model.readPolicyEvents(tenant, uuidOf(query.asset), atMs, displayType).map((event) => ({ ...event, displayType })),
  );
  expect(seen.map(({ displayType, acceptedMs }) => ({ displayType, acceptedMs }))).to.deep.equal(
    wanted.map(({ displayType, acceptedMs }) => ({ displayType, acceptedMs })),
  );
  expect(toPattern(seen.map(({ correlation }) => correlation))).to.deep.equal(
    toPattern(wanted.map(({ correlation }) => correlation)),
  );
  const identities = seen.map(({ ref }) => found.identityOf(ref));
  expect(identities).to.deep.equal(wanted.map(({ event }) => event.identity));
  for (const displayType of types) {
    for (const fromMs of [Number.POSITIVE_INFINITY, atMs, atMs - 3000, atMs - 200_000]) {
      await expectRange(view, model, query, { displayType, fromMs });
    }
  }
};
