import { expect } from 'chai';
import type { NodeReport, NodeStatus } from '../../../../chain/port.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { useServer } from '../../support/useServer.ts';

const KEY = Uint8Array.from({ length: 64 }, (_, at) => (at < 32 ? at : 255 - at));
const GENESIS_HASH = `0x${'ab'.repeat(32)}` as const;
const STATE_ROOT = `0x${'cd'.repeat(32)}` as const;
const NO_KEY = { kty: 'EC', crv: 'secp256k1', x: '', y: '', d: '' };

const STATUS: NodeStatus = {
  validatorKey: KEY,
  height: 38_773,
  headAtSeconds: 1_763_633_730,
  genesisHash: GENESIS_HASH,
  genesisStateRoot: STATE_ROOT,
  genesisAtSeconds: 1_491_999_674,
  syncing: { startingBlock: 1, currentBlock: 2, highestBlock: 3 },
  peers: [{ validatorKey: KEY }, { validatorKey: undefined }],
};
const LAST_KNOWN = { validatorKey: KEY, height: 38_461, headAtSeconds: 1_763_633_418, atMs: 1_763_633_419_250 };
const GONE = { host: undefined, status: undefined, lastKnown: undefined };

const REPORT: NodeReport = {
  atMs: 1_763_633_742_500,
  kind: 'besu',
  nodes: [
    { host: 'one.example:8545', status: STATUS, lastKnown: undefined },
    { ...GONE, host: 'two.example', lastKnown: LAST_KNOWN },
    GONE,
  ],
};

const UNREACHABLE = {
  validator_pubkey: NO_KEY,
  block_height: '0',
  connection_status: 'UNREACHABLE',
  genesis_hash: '',
  state_root: '',
  timestamp_committed: '1970-01-01T00:00:00Z',
  timestamp_created: '1970-01-01T00:00:00Z',
  syncing: null,
  peers: [],
};

describe('GET v1/node', () => {
  let report = REPORT;
  const server = useServer({ readNodeReport: async () => report });
  afterEach(() => {
    report = REPORT;
  });

  const paths = ['/svc/v1/node', '/archivist/v1/node', '/svc/v1/archivistnode', '/archivist/v1/archivistnode'];
  for (const path of paths) {
    it(`shows each node, and the zero values of one that can't be reached: ${path}`, async () => {
      const { status, body } = await server.request('GET', path, { as: server.tenant.reader });
      expect(status).to.equal(200);
      const key = {
        kty: 'EC',
        crv: 'secp256k1',
        x: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
        y: '397d3Nva2djX1tXU09LR0M_OzczLysnIx8bFxMPCwcA',
        d: '',
      };
      expect(body).to.deep.equal({
        identity: 'besu',
        chain_head: { block_height: '38773', timestamp_committed: '2025-11-20T10:15:30Z', age_seconds: 12 },
        chain_stalled: null,
        chain_validators: null,
        blockchain_nodes: [
          {
            validator_pubkey: key,
            block_height: '38773',
            connection_status: 'REACHABLE',
            genesis_hash: GENESIS_HASH,
            state_root: STATE_ROOT,
            timestamp_committed: '2025-11-20T10:15:30Z',
            timestamp_created: '2017-04-12T12:21:14Z',
            syncing: { StartingBlock: 1, CurrentBlock: 2, HighestBlock: 3 },
            peers: [
              { validator_pubkey: key, connection_status: 'REACHABLE' },
              { validator_pubkey: NO_KEY, connection_status: 'REACHABLE' },
            ],
            host: 'one.example:8545',
            last_known: null,
          },
          {
            ...UNREACHABLE,
            host: 'two.example',
            last_known: {
              validator_pubkey: key,
              block_height: '38461',
              timestamp_committed: '2025-11-20T10:10:18Z',
              timestamp_seen: '2025-11-20T10:10:19.250Z',
            },
          },
          { ...UNREACHABLE, host: null, last_known: null },
        ],
      });
    });

    it(`needs a token: ${path}`, async () => {
      expectProblem(await server.request('GET', path, { as: null }), 401, 'UNAUTHENTICATED');
    });
  }

  it('shows null for a node that is not syncing', async () => {
    report = { ...REPORT, nodes: [{ ...GONE, status: { ...STATUS, syncing: undefined } }] };
    const { body } = await server.request('GET', '/svc/v1/node');
    expect(body.blockchain_nodes[0].syncing).to.equal(null);
  });

  it('shows the newest block of the chain, and a stall with the validators that seal nothing', async () => {
    const head = { number: 38_775, timestampSeconds: 1_763_633_732 };
    const all = [1, 2].map((n) => ({
      address: `0x${String(n).repeat(40)}` as const,
      key: undefined,
      lastSealed: undefined,
      isSilent: n === 2,
    }));
    const stall = { sinceMs: 1_763_633_732_000, blockNumber: 38_775, reason: 'no block' };
    const validators = { engine: 'qbft' as const, all, needed: 2 };
    report = { ...REPORT, progress: { head, usualMs: 1_000, stall, validators } };
    const { body } = await server.request('GET', '/svc/v1/node');
    expect(body.chain_head).to.eql({
      block_height: '38775',
      timestamp_committed: '2025-11-20T10:15:32Z',
      age_seconds: 10,
    });
    expect(body.chain_stalled).to.eql({
      code: 'CHAIN_STALLED',
      since: '2025-11-20T10:15:32Z',
      block_height: '38775',
      reason: 'no block',
      silent_validators: [all[1]!.address],
    });
    const shown = all.map(({ address, isSilent }) => ({
      address,
      validator_pubkey: NO_KEY,
      last_sealed: null,
      silent: isSilent,
    }));
    expect(body.chain_validators).to.eql({ engine: 'qbft', needed: 2, validators: shown });
  });

  it('shows no newest block when no node was reached, and none after the year 9999', async () => {
    report = { kind: undefined, nodes: [GONE], atMs: 0 };
    expect((await server.request('GET', '/svc/v1/node')).body.chain_head).to.equal(null);
    const head = { number: 1, timestampSeconds: Number.MAX_SAFE_INTEGER };
    report = {
      ...REPORT,
      progress: { head, usualMs: undefined, stall: undefined, validators: undefined },
    };
    const { body } = await server.request('GET', '/svc/v1/node');
    expect(body.chain_head).to.include({ timestamp_committed: '9999-12-31T23:59:59Z', age_seconds: 0 });
  });

  it('has an unknown identity when no node reports its kind', async () => {
    report = { kind: undefined, nodes: [GONE], atMs: 0 };
    expect((await server.request('GET', '/svc/v1/node')).body.identity).to.equal('unknown');
  });

  it('refuses parameters', async () => {
    expectProblem(await server.request('GET', '/svc/v1/node?fresh=true'), 400, 'REQUEST_INVALID');
  });
});
