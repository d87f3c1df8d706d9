// What the explorer makes of attributes, times and positions.
import { expect } from 'chai';
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
    ] as const)
      expect(read(latitude, longitude), latitude).to.equal(undefined);
    expect(readPosition({ arc_gis_lat: '1' })).to.equal(undefined);
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
