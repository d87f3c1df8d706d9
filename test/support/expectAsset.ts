// Compares an asset as a ledger view reads it with that of the model.
import { expect } from 'chai';
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { NaiveView } from './naiveView.ts';
import { uuidOf } from './records.ts';

/** Asserts that the asset equals the model's: now, at its creation, at a time and as a public asset. */
export const expectAsset = async (
  view: LedgerView,
  model: NaiveView,
  { tenant, asset, atMs }: { tenant: string; asset: number; atMs: number },
): Promise<void> => {
  const uuid = uuidOf(asset);
  expect(await view.readAsset(tenant, uuid)).to.deep.equal(model.readAsset(tenant, uuid));
  expect(await view.readCreatedAsset(tenant, uuid)).to.deep.equal(model.readCreatedAsset(tenant, uuid));
  expect(await view.readAssetAt(tenant, uuid, atMs)).to.deep.equal(model.readAssetAt(tenant, uuid, atMs));
  expect(await view.readPublicTenant(uuid)).to.equal(model.readPublicTenant(uuid));
};
