import { expect } from 'chai';
import type { NodeReport } from '../../../../chain/port.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const KEY = Uint8Array.from({ length: 64 }, (_, at) => (at < 32 ? at : 255 - at));
const GENESIS_HASH = `0x${'ab'.repeat(32)}` as const;
const STATE_ROOT = `0x${'cd'.repeat(32)}` as const;
const NO_KEY = { kty: 'EC', crv: 'secp256k1', x: '', y: '', d: '' };

const REPORT: NodeReport = {
  kind: 'besu',
  nodes: [
    {
      validatorKey: KEY,
      height: 38_773,
      headAtSeconds: 1_763_633_730,
      genesisHash: GENESIS_HASH,
      genesisStateRoot: STATE_ROOT,
      genesisAtSeconds: 1_491_999_674,
      syncing: { startingBlock: 1, currentBlock: 2, highestBlock: 3 },
      peers: [{ validatorKey: KEY }, { validatorKey: undefined }],
    },
    undefined,
  ],
};

describe('GET v1/node', () => {
  let server: TestServer;
  let report = REPORT;
  before(async () => {
    server = await startTestServer({ readNodeReport: async () => report });
  });
  after(() => server.close());
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
          },
          {
            validator_pubkey: NO_KEY,
            block_height: '0',
            connection_status: 'UNREACHABLE',
            genesis_hash: '',
            state_root: '',
            timestamp_committed: '1970-01-01T00:00:00Z',
            timestamp_created: '1970-01-01T00:00:00Z',
            syncing: null,
            peers: [],
          },
        ],
      });
    });

    it(`needs a token: ${path}`, async () => {
      expectProblem(await server.request('GET', path, { as: null }), 401, 'UNAUTHENTICATED');
    });
  }

  it('shows null for a node that is not syncing', async () => {
    report = { ...REPORT, nodes: [{ ...REPORT.nodes[0]!, syncing: undefined }] };
    const { body } = await server.request('GET', '/svc/v1/node');
    expect(body.blockchain_nodes[0].syncing).to.equal(null);
  });

  it('has an unknown identity when no node reports its kind', async () => {
    report = { kind: undefined, nodes: [undefined] };
    expect((await server.request('GET', '/svc/v1/node')).body.identity).to.equal('unknown');
  });

  it('refuses parameters', async () => {
    expectProblem(await server.request('GET', '/svc/v1/node?fresh=true'), 400, 'REQUEST_INVALID');
  });
});
