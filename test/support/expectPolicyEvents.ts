// Compares what a ledger view tells policies of an asset's events with what the model says.
import { expect } from 'chai';
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { NaiveView } from './naiveView.ts';
import { uuidOf } from './records.ts';

// Which values are the same, whatever they are: for each, the place of the first that is equal to it; undefined stays undefined.
const toPattern = (values: readonly (string | undefined)[]): (number | undefined)[] =>
  values.map((value) => (value === undefined ? undefined : values.indexOf(value)));

/** The asset and its events of these types are the same, in the same order, and the same of them belong together. */
export const expectPolicyEvents = async (
  view: LedgerView,
  model: NaiveView,
  query: { tenant: string; asset: number; atMs: number; types: readonly string[] },
): Promise<void> => {
  const { tenant, atMs, types } = query;
  const found = await view.readPolicyEvents(tenant, uuidOf(query.asset), atMs);
  expect(found?.asset).to.deep.equal(model.readAssetAt(tenant, uuidOf(query.asset), atMs));
  if (found === undefined) return;
  const seen = types.flatMap((type) => found.ofType(type));
  const wanted = types.flatMap((displayType) =>
    model.readPolicyEvents(tenant, uuidOf(query.asset), atMs, displayType).map((event) => ({ ...event, displayType })),
  );
  expect(seen.map(({ displayType, acceptedMs }) => ({ displayType, acceptedMs }))).to.deep.equal(
    wanted.map(({ displayType, acceptedMs }) => ({ displayType, acceptedMs })),
  );
  expect(toPattern(seen.map(({ correlation }) => correlation))).to.deep.equal(
    toPattern(wanted.map(({ correlation }) => correlation)),
  );
  const refs = seen.map(({ ref }) => ref);
  expect(await found.readEvents(refs)).to.deep.equal(wanted.map(({ event }) => event));
};
