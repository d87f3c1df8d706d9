// The settings: their defaults, their valid values, and their documents.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../host/settings/config.ts';
import { SETTINGS } from '../../../host/settings/settings.ts';
import { toSettingsList, withSettingsList } from '../../../host/settings/settingsText.ts';
import { encodeVerifierKey } from '../../../ledger/evidence/verifierKey.ts';
import { SIGNER } from '../../support/blockLogs.ts';
import { startScript } from '../../support/runScript.ts';

const WITNESS = encodeVerifierKey(SIGNER.timeKey);
const LOG = encodeVerifierKey(SIGNER.logKey);
const NAMES = Object.values(SETTINGS).map(({ name }) => name);

const TENANT = '7d9a3d5e-6a8e-4a53-9a3a-5f9a0c6c0d11';

describe('the settings', () => {
  it('have safe defaults', () => {
    const config = readConfig({});
    expect(config).to.include({ host: '127.0.0.1', metricsHost: '127.0.0.1', port: 8080, logLevel: 'info' });
    expect(config.dataDir).to.equal(resolve('./data'));
    expect([config.metricsPort, config.trustProxy, config.publicUrl, config.tlsKeyFile]).to.eql(
      Array(4).fill(undefined),
    );
    expect(config.rateLimitPerSecond).to.be.greaterThan(0);
    expect(config.tokenFailuresPerMinute).to.be.greaterThan(0);
  });

  it('have their defaults when they are empty', () => {
    expect(readConfig(Object.fromEntries(NAMES.map((name) => [name, ''])))).to.eql(readConfig({}));
  });

  const wrong: [string, string][] = [
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['CHAIN_RPC_PORT', 'http'],
    ['METRICS_PORT', ' '],
    ['CHAIN_RPC_CORS_ORIGINS', '*'],
    ['CHAIN_RPC_CORS_ORIGINS', 'ledger.example'],
    ['CHAIN_RPC_CORS_ORIGINS', 'file://'],
    ['CHAIN_RPC_CORS_ORIGINS', 'https://ledger.example/verify.html'],
    ['CHAIN_RPC_CORS_ORIGINS', 'http://127.0.0.1:8000,'],
    ['BLOB_BYTES_MAX', '0'],
    ['BLOB_BYTES_MAX', '99999999999999999999'],
    ['INDEX_CACHE_BYTES', '0'],
    ['INDEX_CACHE_BYTES', '4294967296'],
    ['TRANSACTIONS_IN_FLIGHT', '0'],
    ['TRANSACTIONS_IN_FLIGHT', '65'],
    ['READ_WORKERS', '17'],
    ['READ_WORKERS', '-1'],
    ['READ_WORKERS', 'all'],
    ['POLICIES_MAX', '-1'],
    ['RATE_LIMIT_PER_SECOND', '1.5'],
    ['TOKEN_FAILURES_PER_MINUTE', 'ten'],
    ['PUBLIC_URL', 'ledger.example'],
    ['PUBLIC_URL', 'https://ledger.example/path'],
    ['PUBLIC_HOSTS', 'https://ledger.example'],
    ['LOG_ORIGIN', 'ledger example'],
    ['LOG_ORIGIN', 'ledger+example'],
    ['LOG_ORIGIN', 'cosignature/v1'],
    ['LOG_ORIGIN', 'x'.repeat(257)],
    ['CHECKPOINT_SECONDS', '-1'],
    ['CHECKPOINT_SECONDS', '1.5'],
    ['WITNESSES', 'https://witness.example'],
    ['WITNESSES', `${WITNESS} ftp://witness.example`],
    ['WITNESSES', `${WITNESS} https://user@witness.example`],
    ['WITNESSES', `${WITNESS} https://witness.example?a=b`],
    ['WITNESSES', `${WITNESS} https://witness.example x`],
    ['WITNESSES', `${WITNESS}x https://witness.example`],
    ['WITNESSES', `${LOG} https://witness.example`],
    ['WITNESSES', `${WITNESS} https://one.example,${WITNESS} https://two.example`],
    ['WITNESS_QUORUM', '0'],
    ['TSA_URL', 'tsa.example'],
    ['TSA_URL', 'https://user:x@tsa.example'],
    ['ANCHOR_URL', 'other.example'],
    ['ANCHOR_URL', 'http://other.example/archivist'],
    ['ANCHOR_URL', 'https://user:x@other.example/archivist'],
    ['ANCHOR_URL', 'https://other.example/archivist?a=b'],
    ['ANCHOR_ASSET', '7d9a3d5e-6a8e-4a53-9a3a-5f9a0c6c0d11'],
    ['ANCHOR_SECONDS', 'daily'],
    ['PUBLIC_HOSTS', 'ledger.example,'],
    ['PUBLIC_HOSTS', '*'],
    ['LOG_LEVEL', 'verbose'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', 'loopback, everybody'],
    ['TRUST_PROXY', '1.2.3.4/'],
    ['CHAIN_WS_URL', 'http://node:8545'],
    ['CHAIN_WS_URL', 'node:8546'],
    ['CHAIN_WS_URL', 'ws://node:8546#part'],
    ['CHAIN_WS_URL', 'ws://node:8546,'],
    ['CHAIN_WS_URL', Array(17).fill('ws://node:8546').join()],
    ['SERVED_TENANTS', 'default'],
    ['SHARING_TENANTS', 'default'],
    ['RECORD_EMAILS', 'false'],
    ['EXPLORER_RPC', 'off'],
    ['SERVED_TENANTS', `${TENANT},`],
    ['SERVED_TENANTS', `${TENANT}, ${TENANT.toUpperCase()}`],
  ];
  for (const [name, text] of wrong) {
    it(`refuse ${name}=${JSON.stringify(text)} by name`, () => {
      expect(() => readConfig({ [name]: text })).to.throw(`${name} is ${JSON.stringify(text)}; it must be`);
    });
  }

  const right: [string, string, keyof typeof SETTINGS, unknown][] = [
    ['PORT', '0', 'port', 0],
    ['INDEX_CACHE_BYTES', '4294967295', 'indexCacheBytes', 4_294_967_295],
    ['TRANSACTIONS_IN_FLIGHT', '64', 'transactionsInFlight', 64],
    ['CHAIN_WS_URL', 'ws://me:word@node:8546, wss://other/key', 'chainWsUrls', 2],
    ['CHAIN_WS_URL', Array(16).fill('ws://node:8546').join(), 'chainWsUrls', 16],
    ['READ_WORKERS', '0', 'readWorkers', 0],
    ['READ_WORKERS', '16', 'readWorkers', 16],
    ['READ_WORKERS', 'auto', 'readWorkers', Math.min(availableParallelism() - 1, 4)],
    ['POLICIES_MAX', '0', 'policiesMax', 0],
    ['ACCESS_POLICIES_MAX', '0', 'accessPoliciesMax', 0],
    ['SUBJECTS_MAX', '0', 'subjectsMax', 0],
    ['RECORD_EMAILS', 'no', 'recordEmails', 'no'],
    ['EXPLORER_RPC', 'no', 'explorerRpc', 'no'],
    ['CHAIN_RPC_CORS_ORIGINS', 'null, HTTPS://Ledger.Example:443/', 'chainRpcCorsOrigins', 2],
    ['LOG_ORIGIN', 'ledger.example/log', 'logOrigin', 'ledger.example/log'],
    ['CHECKPOINT_SECONDS', '0', 'checkpointSeconds', 0],
    ['ANCHOR_SECONDS', '0', 'anchorSeconds', 0],
    ['POLICY_WEIGHT_MAX', '1000', 'policyWeightMax', 1000],
    ['PUBLIC_URL', 'HTTPS://Ledger.Example/', 'publicUrl', 'https://ledger.example'],
    ['PUBLIC_HOSTS', 'Ledger.Example, [::1]:8443', 'publicHosts', 2],
    ['TRUST_PROXY', '2', 'trustProxy', 2],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8,2001:db8::/32,192.0.2.1', 'trustProxy', 4],
  ];
  for (const [name, text, key, value] of right) {
    it(`accept ${name}=${text}`, () => {
      const read = readConfig({ [name]: text })[key];
      expect(Array.isArray(read) ? read.length : read).to.equal(value);
    });
  }

  it('refuse a certificate without a key, and a key without a certificate', () => {
    expect(() => readConfig({ TLS_CERT_FILE: 'a' })).to.throw('TLS_KEY_FILE is missing');
    expect(() => readConfig({ TLS_KEY_FILE: 'a' })).to.throw('TLS_CERT_FILE is missing');
  });

  it('refuse a list of tenants without a network, and read the tenants of one', () => {
    expect(() => readConfig({ SERVED_TENANTS: TENANT })).to.throw('CHAIN_RPC_URL is missing');
    const environment = { SERVED_TENANTS: `${TENANT.toUpperCase()}`, CHAIN_RPC_URL: 'http://127.0.0.1:1' };
    expect(readConfig(environment).servedTenants).to.deep.equal([`tenant/${TENANT}`]);
    expect(() => readConfig({ SHARING_TENANTS: TENANT })).to.throw('CHAIN_RPC_URL is missing');
    expect(readConfig({ ...environment, SHARING_TENANTS: TENANT }).sharingTenants).to.deep.equal([`tenant/${TENANT}`]);
  });

  it('read origins as browsers send them, and only for the embedded chain', () => {
    const environment = { CHAIN_RPC_CORS_ORIGINS: 'HTTPS://Ledger.Example:443/, null,http://[::1]:8000' };
    expect(readConfig(environment).chainRpcCorsOrigins).to.deep.equal([
      'https://ledger.example',
      'null',
      'http://[::1]:8000',
    ]);
    expect(readConfig({}).chainRpcCorsOrigins).to.equal(undefined);
    expect(() => readConfig({ ...environment, CHAIN_RPC_URL: 'http://127.0.0.1:1' })).to.throw(
      'CHAIN_RPC_CORS_ORIGINS',
    );
  });

  it('refuse records on another ledger without all that they need', () => {
    const all = { ANCHOR_URL: 'http://127.0.0.1:80/svc/', ANCHOR_CREDENTIALS_FILE: 'c', ANCHOR_TRUST_FILE: 't' };
    expect(() => readConfig(all)).to.throw('ANCHOR_ASSET is missing');
    const asset = 'assets/7D9A3D5E-6a8e-4a53-9a3a-5f9a0c6c0d11';
    const { anchorAsset, anchorUrl } = readConfig({ ...all, ANCHOR_ASSET: asset });
    expect([anchorAsset, anchorUrl]).to.eql([asset.toLowerCase(), 'http://127.0.0.1/svc']);
    expect(() => readConfig({ ANCHOR_ASSET: asset })).to.throw('ANCHOR_URL');
    const noLog = { ...all, ANCHOR_ASSET: asset, CHECKPOINT_SECONDS: '0' };
    expect(() => readConfig(noLog)).to.throw('CHECKPOINT_SECONDS');
    expect(readConfig({ ...noLog, ANCHOR_SECONDS: '0' })).to.include({ anchorSeconds: 0, checkpointSeconds: 0 });
  });

  it('are all listed by npm start -- --help', async () => {
    const { stdout } = await startScript('start.ts', '/nowhere', ['--help']);
    for (const name of NAMES) expect(stdout).to.match(new RegExp(`^  ${name}( \\(.+\\))?$`, 'm'));
    expect(stdout)
      .to.include('docs/security.md#tokens-of-other-issuers')
      .and.not.to.match(/\]\(|`/);
  });

  it('are documented in docs/operations.md (npm run docs:settings updates it)', async () => {
    const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    expect(page).to.equal(withSettingsList(page));
    expect(page).to.include(toSettingsList());
    for (const name of NAMES) expect(page.split(`- **\`${name}\`** `)).to.have.length(2);
  });

  it('cannot be written into a page without their markers', () => {
    expect(() => withSettingsList('# Operations')).to.throw('no place');
  });
});
