import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { listenForControl } from '../../../host/operator/controlServer.ts';
import { exportEventsForOperator } from '../../../host/operator/exportEvents.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

describe('an export from a server', () => {
  const before = process.env.DATA_DIR;
  afterEach(() => {
    if (before === undefined) delete process.env.DATA_DIR;
    else process.env.DATA_DIR = before;
  });

  const run = async (answer: (response: ServerResponse) => void): Promise<Error> => {
    const directory = await createTemporaryDirectory();
    process.env.DATA_DIR = directory.path;
    const server = createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const commands = { info: async () => ({ url }), token: async () => ({ token: 'x' }) };
    const close = await listenForControl(dataPaths(directory.path).controlSocket, commands);
    try {
      return await exportEventsForOperator({ tenant: 'x', out: join(directory.path, 'out') }).then(
        () => expect.fail('an export'),
        (error: Error) => error,
      );
    } finally {
      await close();
      await new Promise((resolve) => server.close(resolve));
      await directory.remove();
    }
  };

  it('names the cause when the connection fails, and what to do when the file is incomplete', async () => {
    const atOnce = await run((response) => response.socket!.destroy());
    expect(atOnce.message).to.match(/UND_ERR_SOCKET.*Run the export again/);
    const later = await run((response) => {
      response.setHeader('x-total-count', '2');
      response.write('{}\n', () => response.socket!.destroy());
    });
    expect(later.message).to.match(/UND_ERR_SOCKET.*Delete .*out and run the export again/);
  });
});
