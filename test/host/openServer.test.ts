import { expect } from 'chai';
import { openServer } from '../../host/openServer.ts';
import { readConfig } from '../../host/settings/config.ts';
import { INDEX_CACHE_BYTES } from '../../indexer/cacheBytes.ts';
import { useDirectories } from '../support/directories.ts';
import { watchCaches } from '../support/levelMethod.ts';

const SMALL_BYTES = 4 * 2 ** 20;

describe('a server', () => {
  const makeDirectory = useDirectories();

  it('opens its ledger with the configuration that it is given, whatever the environment says', async () => {
    const config = readConfig({
      DATA_DIR: await makeDirectory(),
      PORT: '0',
      CHAIN_RPC_PORT: '0',
      LOG_LEVEL: 'silent',
      INDEX_CACHE_BYTES: String(SMALL_BYTES),
    });
    const caches = await watchCaches(async () => {
      using onEnd = new DisposableStack();
      const server = await openServer({ config, onFirstTenant: () => undefined, onEnd });
      await server.close();
    });
    expect(caches).to.include(SMALL_BYTES).and.not.to.include(INDEX_CACHE_BYTES);
  });
});
