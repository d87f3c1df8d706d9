import { expect } from 'chai';
import { createTemporaryDirectory } from '../../support/testLedger.ts';
import { fuzzServer } from './fuzzServer.ts';

const SEED = 11;
const REQUESTS = 500;

describe('a server', () => {
  it('survives odd requests to its JSON-RPC port, and executes again what it mined', async () => {
    const directory = await createTemporaryDirectory();
    try {
      const report = await fuzzServer(directory.path, SEED, (sent) => sent >= REQUESTS);
      expect(report.faults).to.deep.equal([]);
      expect(report.blocks).to.be.greaterThan(0);
    } finally {
      await directory.remove();
    }
  });
});
