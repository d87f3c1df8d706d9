import { expect } from 'chai';
import { createAssetState } from '../../ledger/asset.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { isPrincipal, toPrincipal } from '../../ledger/principal.ts';
import { type Asset, toAssetResource, toEventResource, toUncommitted } from '../../ledger/resources.ts';
import { ALPHA, anEvent, assetOf, SETTINGS } from '../support/records.ts';

describe('resources', () => {
  it('show an asset with every field of the interface', () => {
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

  it('show an event before its commit as the interface says', () => {
    const { type: _, ...fields } = anEvent();
    for (const status of ['PENDING', 'FAILED'] as const) {
      expect(toEventResource(anEvent(), ALPHA, toUncommitted(status))).to.deep.equal({
        ...fields,
        asset_identity: assetOf(1),
        tenant_identity: ALPHA,
        confirmation_status: status,
        timestamp_committed: '1970-01-01T00:00:00Z',
        block_number: 0,
        transaction_index: 0,
        log_index: 0,
        transaction_id: '',
        from: '',
      });
    }
  });
});

describe('principals', () => {
  it('are filled with empty strings', () => {
    expect(toPrincipal({})).to.deep.equal({ issuer: '', subject: '', display_name: '', email: '' });
    expect(isPrincipal(toPrincipal({ subject: 's' }))).to.equal(true);
  });

  it('are made of their own fields alone', () => {
    const given = { subject: 's', role: 'root' } as Parameters<typeof toPrincipal>[0];
    expect(toPrincipal(given)).to.deep.equal({ issuer: '', subject: 's', display_name: '', email: '' });
  });
});

describe('refusals', () => {
  it('carry their code, the fields, and what caused them', () => {
    const cause = new Error('foreign');
    const error = new LedgerError('CHAIN_UNAVAILABLE', { cause });
    expect([error.code, error.violations, error.cause]).to.deep.equal(['CHAIN_UNAVAILABLE', [], cause]);
    expect(Object.hasOwn(new LedgerError('FORBIDDEN'), 'cause')).to.equal(false);
    expect(refuseField('ATTRIBUTE_INVALID', 'attributes/a', 'no')).to.deep.include({
      code: 'ATTRIBUTE_INVALID',
      violations: [{ field: 'attributes/a', description: 'no' }],
    });
  });
});
