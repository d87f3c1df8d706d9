import { expect } from 'chai';
import { toSourceItem } from '../../../host/import/sourceItem.ts';

const UUID = '6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a';
const ASSET = `assets/${UUID}`;
const EVENT = `${ASSET}/events/00000000-0000-4000-8000-000000000001`;

describe('an item of a source', () => {
  const toKind = (value: unknown): string => toSourceItem(1, value).kind;

  it('is an asset, the creation of one, or another event, by its identity', () => {
    expect(toKind({ identity: ASSET })).to.equal('asset');
    expect(toKind({ identity: EVENT, asset_identity: ASSET, operation: 'Record' })).to.equal('event');
    const creation = { behaviour: 'AssetCreator', operation: 'NewAsset' };
    expect(toKind({ identity: EVENT, asset_identity: ASSET, ...creation })).to.equal('creation');
    for (const part of [{ operation: 'NewAsset' }, { ...creation, behaviour: 'RecordEvidence' }])
      expect(toKind({ identity: EVENT, asset_identity: ASSET, ...part })).to.equal('event');
  });

  it('is not one whose attributes, settings or principals are no objects', () => {
    for (const name of ['event_attributes', 'asset_attributes', 'asset_settings', 'principal_declared'])
      for (const [value, kind] of [
        ['x', 'refusal'],
        [['x'], 'refusal'],
        [null, 'event'],
        [{}, 'event'],
      ] as const)
        expect(toKind({ identity: EVENT, [name]: value }), name).to.equal(kind);
    expect(toKind({ identity: ASSET, attributes: 'x' })).to.equal('refusal');
    const creation = { identity: EVENT, behaviour: 'AssetCreator', operation: 'NewAsset' };
    for (const name of [
      'event_attributes',
      'asset_attributes',
      'asset_settings',
      'principal_declared',
      'principal_accepted',
    ]) {
      expect(toKind({ ...creation, [name]: 'x' }), name).to.equal('refusal');
      expect(toKind({ ...creation, [name]: {} }), name).to.equal('creation');
    }
  });

  it('is of the asset of its identity, also when it names none', () => {
    for (const named of [
      {},
      { asset_identity: '' },
      { asset_identity: ASSET.toUpperCase().replace('ASSETS', 'assets') },
    ])
      expect(toSourceItem(1, { identity: EVENT, ...named })).to.deep.include({ kind: 'event', assetIdentity: ASSET });
  });

  it('is nothing else', () => {
    const others = [
      `subjects/${UUID}`,
      `locations/${UUID}/versions/${UUID}`,
      'blobs/x',
      'assets/x',
      `${ASSET}/events/x`,
      UUID,
      '',
      7,
      undefined,
    ];
    for (const identity of others) expect(toKind({ identity, attributes: {} }), String(identity)).to.equal('refusal');
    for (const value of [undefined, null, 7, 'x', [], {}]) expect(toKind(value), String(value)).to.equal('refusal');
    expect(toKind({ identity: EVENT, asset_identity: ASSET.replace('6', '7') })).to.equal('refusal');
  });

  it('is not what its source refused, but what waited there', () => {
    for (const identity of [ASSET, EVENT]) {
      expect(toKind({ identity, confirmation_status: 'FAILED' })).to.equal('refusal');
      expect(toKind({ identity, confirmation_status: 'PENDING' })).to.not.equal('refusal');
    }
  });
});
