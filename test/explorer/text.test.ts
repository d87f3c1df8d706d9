// What the explorer makes of attributes, times and positions.
import { expect } from 'chai';
import { listMeasured } from '../../explorer/text/measurements.ts';
import { readPosition, toMiddle } from '../../explorer/text/positions.ts';
import { isLate, toAgo, toUtc } from '../../explorer/text/times.ts';
import { isAttachment, listAttachments, toLine } from '../../explorer/text/values.ts';

const UUID = '2b8d971d-ad05-48eb-8d02-940016dff9ae';

describe('the texts of the explorer', () => {
  it('have the attachments of both styles, and of no other list', () => {
    const item = { arc_attachment_identity: `blobs/${UUID}`, arc_display_name: 'a.pdf' };
    const map = { arc_attribute_type: 'arc_attachment', arc_blob_identity: `blobs/${UUID}`, arc_file_name: 'b.png' };
    const found = listAttachments({
      arc_attachments: [item],
      picture: map,
      others: [item],
      plain: 'blobs/x',
      list: [map],
    });
    expect(found.map(({ attribute, uuid, name }) => [attribute, uuid, name])).to.deep.equal([
      ['arc_attachments', UUID, 'a.pdf'],
      ['picture', UUID, 'b.png'],
      ['list', UUID, 'b.png'],
    ]);
    expect([isAttachment('picture', map), isAttachment('others', [item])]).to.deep.equal([true, false]);
  });

  it('have lists and maps as one line', () => {
    expect([toLine('a'), toLine({ a: 'b' }), toLine(undefined)]).to.deep.equal(['a', '{"a":"b"}', '']);
  });

  it('have positions on the Earth alone', () => {
    const read = (latitude: string, longitude: string) =>
      readPosition({ arc_gis_lat: latitude, arc_gis_lng: longitude });
    expect(read('-90', '180')).to.deep.equal({ latitude: -90, longitude: 180 });
    for (const [latitude, longitude] of [
      ['90.1', '0'],
      ['0', '-181'],
      ['', '0'],
      [' ', '0'],
      ['north', '0'],
      ['NaN', '0'],
      ['1e999', '0'],
      ['0x10', '0'],
    ] as const)
      expect(read(latitude, longitude), latitude).to.equal(undefined);
    expect(readPosition({ arc_gis_lat: '1' })).to.equal(undefined);
  });

  it('have the numbers that at least two events state, by declared time, those of most events first', () => {
    const stating = (day: number, event_attributes: object, asset_attributes = {}, operation = 'Record') => ({
      operation,
      timestamp_declared: `2026-11-0${day}T00:00:00Z`,
      event_attributes: event_attributes as Record<string, string>,
      asset_attributes: asset_attributes as Record<string, string>,
    });
    const measured = listMeasured([
      stating(3, { humidity: '40', temperature: 'warm' }, { temperature: '-18.5' }),
      stating(1, { temperature: '+4', arc_gis_lat: '1', once: '1' }),
      stating(2, { temperature: '0', humidity: '41', arc_gis_lat: '2', text: '1 °C' }),
      stating(4, {}, { temperature: '20' }, 'NewAsset'),
    ]);
    expect([...measured.keys()]).to.deep.equal(['temperature', 'humidity']);
    expect(measured.get('temperature')!.map(({ value }) => value)).to.deep.equal([4, 0, -18.5]);
    expect(measured.get('humidity')![0]!.timeSeconds).to.equal(Date.parse('2026-11-02T00:00:00Z') / 1_000);
  });

  it('have the middle of positions also over the date line', () => {
    const at = (...longitudes: number[]) => toMiddle(longitudes.map((longitude) => ({ latitude: 0, longitude }))) % 360;
    expect([at(10, 20), at(5), at(170, -170), at(-120, 140)]).to.deep.equal([15, 5, 180, 190]);
  });

  it('have times in UTC and as time spans, and know late records', () => {
    const nowMs = Date.parse('2026-11-24T03:00:00Z');
    expect(toUtc('2026-11-24T02:59:59.999Z')).to.equal('2026-11-24 02:59:59 UTC');
    expect(toAgo('2026-11-24T01:00:00Z', nowMs)).to.equal('2 hours ago');
    expect(toAgo('2026-11-24T03:00:00Z', nowMs)).to.equal('now');
    const timestamp_accepted = '2026-11-24T03:00:00Z';
    expect(isLate({ timestamp_accepted, timestamp_declared: '2026-11-23T03:00:00Z' })).to.equal(true);
    expect(isLate({ timestamp_accepted, timestamp_declared: '2026-11-24T02:59:59Z' })).to.equal(false);
  });
});
