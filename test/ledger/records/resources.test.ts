import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { createAssetState } from '../../../ledger/assets/asset.ts';
import { LedgerError, refuseField } from '../../../ledger/errors.ts';
import { isPrincipal, toPrincipal } from '../../../ledger/principal.ts';
import {
  type Asset,
  toAssetResource,
  toBlobResource,
  toCommittedRecord,
  toEventResource,
  toLocationResource,
  toUncommitted,
} from '../../../ledger/records/resources.ts';
import { attributeMaps, eventRecords } from '../../support/arbitraries.ts';
import {
  ALPHA,
  aBlobRecord,
  aLocationRecord,
  anAttach,
  anAttachment,
  anEvent,
  aPrincipal,
  assetOf,
  blobOf,
  hashOf,
  locationOf,
  SETTINGS,
} from '../../support/records.ts';

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

describe('the resource of an Attach', () => {
  const committed = anAttach([2], { asset_attributes: { colour: 'red' } });
  const after = [anAttachment(1), anAttachment(2)];
  const shown = (record = committed, attachmentsAfter?: typeof after) =>
    toEventResource(record, ALPHA, toUncommitted('PENDING'), attachmentsAfter).asset_attributes;

  it('shows the whole list after it, beside what it set', () => {
    expect(shown(committed, after)).to.deep.equal({ colour: 'red', arc_attachments: after });
    expect(shown(committed, [])).to.deep.equal({ colour: 'red', arc_attachments: [] });
  });

  it('shows no list where no asset takes it', () => expect(shown()).to.deep.equal({ colour: 'red' }));

  it('is the only one that shows a list it did not set', () => {
    for (const record of [anEvent(), anAttach([2], { operation: 'Record' })]) {
      expect(shown(record, after)).to.deep.equal({});
    }
    const own = anEvent({ asset_attributes: { arc_attachments: [anAttachment(3)] } });
    expect(shown(own, after)).to.deep.equal({ arc_attachments: [anAttachment(3)] });
  });
});

describe('toCommittedRecord', () => {
  it('gives the record of any event that is shown, whatever list it is shown with', () => {
    const lists = fc.option(attributeMaps.map(Object.values), { nil: undefined });
    const check = fc.property(eventRecords, lists, (record, list) => {
      const event = toEventResource(record, ALPHA, toUncommitted('PENDING'), list);
      expect(isDeepStrictEqual(toCommittedRecord(event), record)).to.equal(true);
    });
    fc.assert(check, { numRuns: 300 });
  });
});

describe('locations and blobs', () => {
  it('are shown with every field of the interface', () => {
    expect(toLocationResource(aLocationRecord(4))).to.deep.equal({
      identity: locationOf(4),
      display_name: 'mint works',
      description: '',
      latitude: '51.500000',
      longitude: '-0.1',
      attributes: { address: 'Tower Hill' },
    });
    expect(toBlobResource(aBlobRecord(5), ALPHA)).to.deep.equal({
      identity: blobOf(5),
      hash: { alg: 'SHA256', value: hashOf(5) },
      mime_type: 'image/png',
      size: 1_024,
      timestamp_accepted: '2026-11-20T12:00:00.000Z',
      issuer: aPrincipal().issuer,
      subject: aPrincipal().subject,
      tenantid: ALPHA,
      scanned_status: 'NOT_SCANNED',
      scanned_timestamp: '',
      scanned_bad_reason: '',
    });
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
