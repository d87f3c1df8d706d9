// Uploads to the server: well-formed, or byte by byte as a test requires.
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { RequestOptions, TestServer } from './testServer.ts';

export const BOUNDARY = 'a-boundary-of-a-test';
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part as bytes: its headers, an empty line, its content. */
export const toPart = (headers: readonly string[], content: Uint8Array | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);

export const END = Buffer.from(`--${BOUNDARY}--\r\n`);
export const FILE_DISPOSITION = 'Content-Disposition: form-data; name="file"; filename="filename"';

/** A complete body with one file; `type` is the part's content type, none when undefined. */
export const toBody = (content: Uint8Array | string, type?: string): Buffer =>
  Buffer.concat([toPart([FILE_DISPOSITION, ...(type === undefined ? [] : [`Content-Type: ${type}`])], content), END]);

/** Sends a body unchanged. */
export const sendBody = (server: TestServer, body: Uint8Array, options: RequestOptions = {}) =>
  server.request('POST', '/svc/v1/blobs', {
    ...options,
    headers: { 'content-type': MULTIPART_TYPE, ...options.headers },
    body: new Uint8Array(body),
  });

/** Uploads a file as most clients do: named `filename`, without a type unless given. */
export const upload = (server: TestServer, content: Uint8Array | string, type?: string, options?: RequestOptions) =>
  sendBody(server, toBody(content, type), options);

/** Uploads a file and returns its UUID. */
export const uploadBlob = async (server: TestServer, content: Uint8Array | string, type?: string): Promise<string> => {
  const { body } = await upload(server, content, type);
  return body.identity.slice('blobs/'.length);
};

/** A connection on which the head of an upload and the given bytes were sent. */
export const beginUpload = async (server: TestServer, contentLength: number, bytes: Uint8Array): Promise<Socket> => {
  const { hostname, port } = new URL(server.url);
  const { token } = await server.tokens.issue(server.tenant.writer);
  const lines = [
    'POST /svc/v1/blobs HTTP/1.1',
    'host: x',
    `authorization: Bearer ${token}`,
    `content-type: ${MULTIPART_TYPE}`,
    `content-length: ${contentLength}`,
  ];
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(bytes);
  return socket;
};

/** All that the server sends on a connection until the connection ends. */
export const readAnswer = (socket: Socket): Promise<string> => text(socket);

/** The head of the first response on a connection; then ends the connection. */
export const readHead = async (socket: Socket): Promise<string> => {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes('\r\n\r\n')) break;
  }
  return text;
};

/** The status in the head of an answer. */
export const toStatus = (answer: string): number => Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));

/** Paths of all files below a directory, sorted. */
export const listFiles = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
};

// The checksum and both sizes, which are the same without compression.
const writeSizes = (header: Buffer, content: Buffer, at: number): void => {
  for (const [place, value] of [crc32(content), content.length, content.length].entries())
    header.writeUInt32LE(value, at + 4 * place);
};

const toLocalHeader = (name: Buffer, content: Buffer): Buffer => {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  writeSizes(header, content, 14);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name, content]);
};

const toCentralHeader = (name: Buffer, content: Buffer, offset: number): Buffer => {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  writeSizes(header, content, 16);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
};

/** A zip file of these entries, stored without compression. */
export const toZip = (entries: Readonly<Record<string, string>>): Buffer => {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(entries)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(content)];
    const local = toLocalHeader(name, bytes);
    centrals.push(toCentralHeader(name, bytes, offset));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
};

const toContentTypes = (part: string, type: string): string =>
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;

const OFFICE: Readonly<Record<'docx' | 'xlsx', { part: string; type: string }>> = {
  docx: { part: 'word/document.xml', type: 'wordprocessingml.document' },
  xlsx: { part: 'xl/workbook.xml', type: 'spreadsheetml.sheet' },
};

/** An empty document of an office program. */
export const toOfficeFile = (kind: 'docx' | 'xlsx'): Buffer => {
  const { part, type } = OFFICE[kind];
  return toZip({
    '[Content_Types].xml': toContentTypes(part, type),
    '_rels/.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
    [part]: '<?xml version="1.0"?><w/>',
  });
};
