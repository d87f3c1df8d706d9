// A block log with the next name is linked to the one before it by a record of each tenant, below its first checkpoint.
import { mkdir } from 'node:fs/promises';
import { expect } from 'chai';
import { type PreviousLog, writeLogIdentity } from '../../../chain/blockLog/logIdentity.ts';
import { openCheckpoints } from '../../../host/evidence/openCheckpoints.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toKey, toLogSuccessionIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { decodePayload } from '../../../ledger/records/record.ts';
import { CHAIN_KINDS } from '../../support/chainKinds.ts';
import { uuidOf } from '../../support/records.ts';
import { useSharedLedger } from '../../support/sharedLedger.ts';

const PREVIOUS: PreviousLog = {
  origin: 'ledger.example/1',
  size: 12,
  root: `0x${'cd'.repeat(32)}`,
  record: toVersionIdentity(toLogSuccessionIdentity(uuidOf(1)), uuidOf(2)),
  begunAt: '2026-11-20T12:00:00.000Z',
};

for (const kind of CHAIN_KINDS) {
  describe(`a log that follows another, on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);

    const readLinks = async () => {
      const { chain, contract } = shared().ledger;
      const { number: toBlock } = await chain.fetchFinalHead();
      const logs = await chain.fetchRecordLogs({ address: contract, fromBlock: 0, toBlock });
      return logs.filter(({ recordKey }) => recordKey === toHex(toKey(PREVIOUS.record)));
    };
    const begin = async (ledger = shared().ledger): Promise<{ newestBlock: number; problems: string[] }> => {
      const problems: string[] = [];
      const settings = { checkpointSeconds: 3_600 };
      const checkpoints = (await openCheckpoints(ledger, settings, (message) => problems.push(message)))!;
      await checkpoints.request([]);
      const { newestBlock } = checkpoints.log.head()!;
      await checkpoints.close();
      return { newestBlock, problems };
    };

    before(async () => {
      const { log } = dataPaths(shared().dataDir);
      await mkdir(log, { recursive: true });
      await writeLogIdentity(log, { origin: 'ledger.example/1/2', firstBlock: 0, previous: PREVIOUS });
    });

    it('checkpoints all the same when the records of a tenant are refused, and says so', async () => {
      const { ledger, beta } = shared();
      const append: typeof ledger.writer.append = async (tenant, ...rest) => {
        if (tenant === beta.identity) throw new LedgerError('AUTHOR_UNAVAILABLE');
        return ledger.writer.append(tenant, ...rest);
      };
      const { problems } = await begin({ ...ledger, writer: { ...ledger.writer, append } });
      expect(problems).to.have.length(1);
      expect(problems[0]).to.include(beta.identity);
      expect(await readLinks()).to.have.length(ledger.wallets.tenantIdentities().length - 1);
    });

    it('has one record of each tenant below its checkpoint, however often the server starts', async () => {
      for (let starts = 0; starts < 2; starts += 1) {
        const { newestBlock, problems } = await begin();
        expect(problems).to.deep.equal([]);
        const links = await readLinks();
        const tenants = links.map(({ tenantKey }) => tenantKey);
        const known = shared().ledger.wallets.tenantIdentities();
        expect(tenants).to.have.members(known.map((identity) => toHex(toKey(identity))));
        expect(Math.max(...links.map(({ blockNumber }) => blockNumber))).to.be.at.most(newestBlock);
      }
    });

    it('states the names of both logs and where the one before ended', async () => {
      const [link] = await readLinks();
      expect(decodePayload(link!.payload)).to.deep.include({
        type: 'log_succession',
        origin: 'ledger.example/1/2',
        previous_origin: PREVIOUS.origin,
        size: PREVIOUS.size,
        root: PREVIOUS.root,
        timestamp_accepted: PREVIOUS.begunAt,
      });
    });
  });
}
