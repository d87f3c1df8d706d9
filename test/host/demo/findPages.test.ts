import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { findPages } from '../../../host/demo/findPages.ts';

const findOn = async (status: number, type: string): Promise<boolean> => {
  const server = createServer((_, response) => response.writeHead(status, { 'content-type': type }).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await findPages({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetch });
  } finally {
    server.close();
  }
};

describe('a server with pages for people', () => {
  it('is one that answers / with HTML', async () => {
    expect(await findOn(200, 'text/html; charset=utf-8')).to.equal(true);
    expect(await findOn(200, 'application/json')).to.equal(false);
    expect(await findOn(404, 'text/html')).to.equal(false);
  });
});
