// The block log of a real ledger: the contract attests the trees, and the checkpoint covers the attestations.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { callView } from '../../../chain/callView.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import type { RpcLog } from '../../../chain/recordLog.ts';
import { type Checkpoints, openCheckpoints } from '../../../host/evidence/openCheckpoints.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import type { Ledger } from '../../../host/openLedger.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { verifyCheckpoint } from '../../../ledger/evidence/signedCheckpoint.ts';
import { decodeEntryBundle } from '../../../ledger/evidence/tiles.ts';
import { decodeVerifierKey } from '../../../ledger/evidence/verifierKey.ts';
import { toKey } from '../../../ledger/identity.ts';
import { CHAIN_KINDS } from '../../support/chainKinds.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { useSharedLedger } from '../../support/sharedLedger.ts';
import { openTestLedger } from '../../support/testLedger.ts';
import { until } from '../../support/until.ts';

interface AttestedLog {
  readonly name: string;
  readonly key: string;
  readonly block: number;
  readonly values: readonly unknown[];
}

const readAttested = async ({ chain, contract }: Ledger): Promise<AttestedLog[]> => {
  const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest' };
  const logs = (await chain.request('eth_getLogs', [filter])) as RpcLog[];
  return logs.flatMap(({ topics, data, blockNumber }) => {
    const { name, args } = ledgerInterface.parseLog({ topics, data }) ?? {};
    if (name === undefined || !name.endsWith('Attested')) return [];
    const key = topics.at(name === 'TenantAttested' ? 1 : 2)!;
    return [{ name, key, block: Number(blockNumber), values: [...args!] }];
  });
};

for (const kind of CHAIN_KINDS) {
  describe(`the checkpoints on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    const opened: Checkpoints[] = [];
    const problems: string[] = [];
    afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())));

    const open = async (settings: Partial<Parameters<typeof openCheckpoints>[1]> = {}): Promise<Checkpoints> => {
      const onProblem = (message: string): void => void problems.push(message);
      const checkpoints = (await openCheckpoints(shared().ledger, settings, onProblem))!;
      opened.push(checkpoints);
      return checkpoints;
    };
    const readTree = async (identity: string): Promise<unknown[]> => {
      const { chain, contract } = shared().ledger;
      return [...(await callView(chain.request, contract, { name: 'treeOf', args: [toHex(toKey(identity))] }))];
    };
    const countAttested = async (): Promise<number> => (await readAttested(shared().ledger)).length;

    it('cover an attestation of the complete tree of each tenant of this server', async () => {
      const { alpha, beta, ledger } = shared();
      await alpha.createAsset();
      const { log, request } = await open();
      await request([]);
      const attested = await readAttested(ledger);
      for (const { identity } of [alpha, beta]) {
        const newest = attested.findLast(({ key }) => key === toHex(toKey(identity)))!;
        expect(newest.values.slice(1)).to.deep.equal(await readTree(identity));
        expect(newest.block).to.be.at.most(log.head()!.newestBlock);
      }
    });

    it("are signed by the log's key, over the hashes of the chain's blocks", async () => {
      const { ledger } = shared();
      const { log, logKey, timeKey, origin } = await open();
      await until(() => log.head() !== undefined);
      const { note, size, newestBlock } = log.head()!;
      const verified = verifyCheckpoint(note, [logKey, timeKey].map(decodeVerifierKey))!;
      expect([verified.isLogSigned, verified.checkpoint.origin, verified.checkpoint.size]).to.eql([true, origin, size]);
      expect(origin).to.equal(`localhost/${ledger.chain.chainId}/${ledger.contract}`);
      const first = kind === CHAIN_KINDS[0] ? 0 : ledger.deploymentBlock;
      expect(newestBlock).to.equal(first + size - 1);
      const bundle = (await log.readTile({ level: 'entries', index: 0, width: size }))!;
      const hashes = await Promise.all(
        Array.from({ length: size }, (_, at) => ledger.chain.fetchBlockHash(first + at)),
      );
      expect(decodeEntryBundle(bundle, size).map(toHex)).to.deep.equal(hashes);
    });

    it('need no attestation without new records, also after a start', async () => {
      const first = await open();
      await first.request([]);
      const before = await countAttested();
      await first.request([]);
      await first.close();
      const second = await open();
      await second.request([]);
      expect(await countAttested()).to.equal(before);
      expect(second.log.head()!.size).to.be.at.least(first.log.head()!.size);
    });

    it('attest only the tenant with new records, and what is requested', async () => {
      const { alpha, beta, ledger } = shared();
      const { request } = await open();
      await request([]);
      const before = await countAttested();
      const asset = await alpha.createAsset();
      await request([]);
      const [tree, ...others] = (await readAttested(ledger)).slice(before);
      expect([tree!.key, others.length]).to.deep.equal([toHex(toKey(alpha.identity)), 0]);
      const [stream, absent] = [toHex(toKey(asset.identity)), toHex(toKey('assets/none'))];
      const account = `0x${'11'.repeat(20)}` as Hex;
      const tenant = toHex(toKey(beta.identity));
      await request([{ tenant, streams: [stream], ids: [absent], accounts: [account] }]);
      const named = (await readAttested(ledger)).slice(before + 1).map(({ name, key }) => [name, key]);
      expect(named).to.deep.equal([
        ['TenantAttested', tenant],
        ['StreamAttested', stream],
        ['RecordAttested', absent],
        ['WriterAttested', `0x${'00'.repeat(12)}${account.slice(2)}`],
      ]);
    });

    it('join requests, and use several transactions beyond 8 names', async () => {
      const { alpha, beta, ledger } = shared();
      const { request, log } = await open();
      await request([]);
      const before = await countAttested();
      const toNames = (identity: string, count: number) => ({
        tenant: toHex(toKey(identity)),
        streams: Array.from({ length: count }, (_, at) => toHex(toKey(`assets/${at}`))),
        ids: [],
        accounts: [],
      });
      await Promise.all([request([toNames(alpha.identity, 12)]), request([toNames(beta.identity, 3)])]);
      const attested = (await readAttested(ledger)).slice(before);
      const transactions = new Set(attested.map(({ block }) => block)).size;
      expect(transactions).to.equal(3);
      expect(attested).to.have.length(12 + 3 + 3);
      expect(log.head()!.newestBlock).to.be.at.least(attested.at(-1)!.block);
    });

    it('are issued while records are written, in time and without a request', async () => {
      const { alpha, ledger } = shared();
      const { log } = await open({ checkpointSeconds: 1 });
      for (let count = 0; count < 3; count += 1) {
        const { block_number } = (await alpha.record(await alpha.createAsset(), 'x')).body;
        await until(() => (log.head()?.newestBlock ?? 0) >= block_number);
        const [size] = await readTree(alpha.identity);
        const newest = (await readAttested(ledger)).findLast(({ key }) => key === toHex(toKey(alpha.identity)));
        expect(newest!.values[1]).to.equal(size);
      }
      expect(problems).to.deep.equal([]);
    });

    it('are none with CHECKPOINT_SECONDS=0', async () => {
      expect(await openCheckpoints(shared().ledger, { checkpointSeconds: 0 }, () => undefined)).to.equal(undefined);
    });
  });
}

describe('the name and the key of a block log', () => {
  const shared = useSharedLedger();
  const open = async (settings: Partial<Parameters<typeof openCheckpoints>[1]> = {}) => {
    const checkpoints = (await openCheckpoints(shared().ledger, settings, () => undefined))!;
    await checkpoints.request([]);
    await checkpoints.close();
    return checkpoints;
  };
  const messageOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'it opened',
      (error: Error) => error.message,
    );

  it('are fixed at the first start, whatever the settings are later', async () => {
    const { chainId, contract } = { ...shared().ledger.chain, contract: shared().ledger.contract };
    const first = await open({ publicHosts: ['ledger.example:8443', 'other.example'] });
    expect(first.origin).to.equal(`ledger.example:8443/${chainId}/${contract}`);
    expect((await open({ publicUrl: 'https://new.example' })).origin).to.equal(first.origin);
    expect((await open({ logOrigin: first.origin })).logKey).to.equal(first.logKey);
    expect(await messageOf(open({ logOrigin: 'new.example/log' }))).to.include('LOG_ORIGIN is new.example/log');
  });

  it('are that of LOG_ORIGIN for a new log', async () => {
    const { log } = dataPaths(shared().dataDir);
    await rename(log, `${log}.old`);
    expect((await open({ logOrigin: 'new.example/log/2' })).origin).to.equal('new.example/log/2');
    await rm(log, { recursive: true });
    await rename(`${log}.old`, log);
  });

  it('are refused without the key, or with another one', async () => {
    await open();
    const path = join(dataPaths(shared().dataDir).keys, 'log.key');
    const key = await readFile(path);
    await rm(path);
    expect(await messageOf(open())).to.include('log.key is missing');
    await writeFile(path, `0x${'12'.repeat(32)}`, { mode: 0o600 });
    expect(await rejectionOf(open())).to.equal('LOG_CORRUPT');
    await writeFile(path, 'x', { mode: 0o600 });
    expect(await messageOf(open())).to.include('holds no private key');
    await writeFile(path, key, { mode: 0o600 });
    expect(await messageOf(open())).to.equal('it opened');
  });

  it('are used by one process, which has locked the data directory', async () => {
    expect(await rejectionOf(openTestLedger(shared().dataDir))).to.equal('CHAIN_UNAVAILABLE');
  });
});
