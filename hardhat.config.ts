// Compiles contracts/ with npm's solc, so that only packages are downloaded, and tests them with mocha and ethers.
import { createRequire } from 'node:module';
import hardhatToolboxMochaEthers from '@nomicfoundation/hardhat-toolbox-mocha-ethers';
import { defineConfig } from 'hardhat/config';

const require = createRequire(import.meta.url);

// Coverage compiles an instrumented contract, which must never become the artifact that the server deploys.
const output = process.argv.includes('--coverage') ? 'coverage/' : '';

export default defineConfig({
  plugins: [hardhatToolboxMochaEthers],
  solidity: {
    version: '0.8.37',
    path: require.resolve('solc/soljson.js'),
    settings: { optimizer: { enabled: true, runs: 10_000 }, evmVersion: 'paris' },
  },
  paths: {
    tests: { mocha: 'test/contracts', solidity: 'test/contracts' },
    artifacts: `${output}artifacts`,
    cache: `${output}cache`,
  },
  // The runner of the suite, which has a channel to its processes, shows the tests itself.
  test: {
    mocha: { timeout: 60_000, reporter: process.send === undefined ? 'spec' : './test/runner/contractsReporter.ts' },
  },
  networks: {
    // The embedded chain of a running server, by its JSON-RPC port: `npx hardhat console --network ledger`.
    ledger: { type: 'http', url: 'http://127.0.0.1:8545' },
  },
});
