import { expect } from 'chai';
import { createAssetState } from '../../../ledger/assets/asset.ts';
import { type Asset, toAssetResource } from '../../../ledger/assets/assetResource.ts';
import { ALPHA, assetOf, SETTINGS } from '../../support/records.ts';

describe('toAssetResource', () => {
  it('has every documented field', () => {
    const asset: Asset = {
      identity: assetOf(1),
      tenant_identity: ALPHA,
      owner: '',
      confirmation_status: 'PENDING',
      state: createAssetState(SETTINGS, { weight: '1' }),
    };
    expect(toAssetResource(asset, { chainId: 7, at_time: '2026-11-20T12:00:00.000Z' })).to.deep.equal({
      identity: assetOf(1),
      behaviours: SETTINGS.behaviours,
      attributes: { weight: '1' },
      confirmation_status: 'PENDING',
      tracked: 'TRACKED',
      owner: '',
      at_time: '2026-11-20T12:00:00.000Z',
      tenant_identity: ALPHA,
      chain_id: '7',
      proof_mechanism: 'KHIPU',
      public: false,
      storage_integrity: 'TENANT_STORAGE',
    });
  });
});
