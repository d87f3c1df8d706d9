import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseMimeType, readMimeType } from '../../../server/blobs/mimeType.ts';
import { useDirectories } from '../../support/directories.ts';
import { toOfficeFile, toZip } from '../support/uploads.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('parseMimeType', () => {
  const types: [string, string | undefined][] = [
    ['text/plain', 'text/plain'],
    ['Image/PNG', 'image/png'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['text/plain;charset="a \\"b\\""', 'text/plain;charset="a \\"b\\""'],
    [' text/plain ; ', 'text/plain'],
    ['', undefined],
    ['text', undefined],
    ['text/', undefined],
    ['text/plain; charset', undefined],
    ['text/plain, image/png', undefined],
    ['text/pl\r\nx-header: 1', undefined],
    ['text/plain; a="\r\n"', undefined],
    ['text/pläin', undefined],
    [`text/${'x'.repeat(250)}`, `text/${'x'.repeat(250)}`],
    [`text/${'x'.repeat(251)}`, undefined],
  ];
  for (const [given, expected] of types) {
    it(`converts ${JSON.stringify(given.slice(0, 40))} to ${expected?.slice(0, 40)}`, () => {
      expect(parseMimeType(given)).to.equal(expected);
    });
  }
});

describe('readMimeType', () => {
  const createDirectory = useDirectories();
  const read = async (bytes: Uint8Array | string, declared?: string): Promise<string> => {
    const path = join(await createDirectory(), 'a-file');
    await writeFile(path, bytes);
    return readMimeType(path, declared);
  };

  it('prefers the type that the client declares', async () => {
    expect(await read(PNG, 'image/x-other')).to.equal('image/x-other');
  });

  const kinds: [string, Uint8Array | string, string][] = [
    ['a Word document', toOfficeFile('docx'), `${OFFICE}.wordprocessingml.document`],
    ['an Excel sheet', toOfficeFile('xlsx'), `${OFFICE}.spreadsheetml.sheet`],
    ['a zip file', toZip({ 'a.txt': 'a' }), 'application/zip'],
    ['a PNG', PNG, 'image/png'],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), 'image/jpeg'],
    ['a PDF', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n', 'application/pdf'],
    ['text', 'hello', 'text/plain'],
    ['one byte', 'x', 'text/plain'],
    ['one byte that is no text', Buffer.from([0x80]), 'application/octet-stream'],
    ['text that begins like a bitmap', 'BMW drivers wanted', 'text/plain'],
    ['JSON', '{"a": [1, "b"]}', 'application/json'],
    ['CSV', 'name,age\nBob,7\n', 'text/csv'],
    ['HTML', '<!doctype html><title>x</title>', 'text/html'],
    [
      'an SVG with an XML declaration',
      '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
      'image/svg+xml',
    ],
    ['XML', '<?xml version="1.0"?>\n<note/>', 'application/xml'],
    ['XML whose root has the name of an HTML tag', '<?xml version="1.0"?><table>', 'application/xml'],
    ['a calendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', 'text/calendar'],
    ['a zip file that was cut', toOfficeFile('docx').subarray(0, 60), 'application/zip'],
  ];
  for (const declared of [undefined, 'application/octet-stream', 'Application/Octet-Stream; x=y', 'not a type']) {
    for (const [title, bytes, expected] of kinds) {
      it(`recognises ${title} that was declared as ${declared}`, async () => {
        expect(await read(bytes, declared)).to.equal(expected);
      });
    }
  }

  it('does not treat an unreadable file as one of an unknown type', async () => {
    const error = await readMimeType(join(await createDirectory(), 'nothing'), undefined).catch(
      (cause: unknown) => cause,
    );
    expect(error).to.have.property('code', 'ENOENT');
  });

  it('finds a type, or none, for any bytes', async () => {
    const seeds = kinds.map(([, bytes]) => Buffer.from(bytes));
    for (const seed of seeds) {
      for (let at = 0; at < Math.min(seed.length, 64); at += 7) {
        const damaged = Buffer.from(seed);
        damaged[at] = damaged[at]! ^ 0xff;
        expect(parseMimeType(await read(damaged))).to.be.a('string');
      }
    }
  });
});
