// Evidence of contributions by an account that the owner's subject doesn't name: the subject stands for the writer's
// tenant by an earlier record, which the file shows.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';
import { createRpcServer, type RpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import { LEDGER_ABI } from '../../chain/ledgerAbi.ts';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { type OpenEvidence, openEvidence } from '../../host/evidence/openEvidence.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf, toUuid } from '../../ledger/identity.ts';
import { toContribution } from '../../ledger/records/contribution.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { check, hashesOf } from '../support/checkedEvidence.ts';
import { MEASURE, type Parties, shareAsset } from '../support/contributedAsset.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { anEvent } from '../support/records.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { send } from '../support/testLedger.ts';

describe('evidence of contributions by another key than the one that the owner knows', () => {
  const shared = useSharedLedger();
  const closing: (() => Promise<void>)[] = [];
  let rpc: RpcServer;
  let parties: Parties;
  let evidence: OpenEvidence;
  let contract: Contract;
  let second: Wallet;

  before(async () => {
    const { ledger, server, dataDir } = shared();
    parties = await shareAsset(ledger, server);
    const { identity } = parties.beta;
    rpc = await createRpcServer({ answer: ledger.chain.answer!, host: '127.0.0.1', port: 0, onError: console.error });
    const provider = new JsonRpcProvider(rpc.url, undefined, { batchMaxCount: 1, cacheTimeout: -1 });
    second = new Wallet(Wallet.createRandom().privateKey, provider);
    contract = new Contract(ledger.contract, LEDGER_ABI, second);
    const key = await readFile(`${dataDir}/keys/tenant-administrator-${toUuid(identity)}.key`, 'utf8');
    const administered = contract.connect(new Wallet(key, provider)) as Contract;
    await (await administered.getFunction('addWriter')(toHex(toKey(identity)), second.address)).wait();
    const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    closing.push(checkpoints.close);
    evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
    closing.push(evidence.close);
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
    await rpc.close();
  });

  const contribute = async (weight: string): Promise<void> => {
    const { alpha, beta, asset, ledger } = parties;
    const event = anEvent({
      ...MEASURE,
      asset_attributes: { weight },
      identity: `${asset.identity}/events/${randomUUID()}`,
    });
    const record = toContribution(event, alpha.identity);
    const items = [[toHex(toKey(toStreamIdentityOf(record))), toHex(toKey(record.identity)), encodePayload(record)]];
    const sent = await contract.getFunction('append')(toHex(toKey(beta.identity)), items);
    const { blockNumber } = (await sent.wait()) as { blockNumber: number };
    await ledger.catchUpTo(blockNumber);
  };
  const makeHistory = async (): Promise<EvidenceFile> => {
    const { alpha, asset } = parties;
    const asked = { tenantIdentity: alpha.identity, assetIdentity: asset.identity, isDisclosed: true, isPublic: false };
    return JSON.parse(await evidence.makeHistoryEvidence(asked)) as EvidenceFile;
  };
  const nameKey = async (publicKey: string): Promise<void> => {
    const { alpha, subject } = parties;
    const { status } = await send(`${shared().server.url}/archivist/iam/v1/${subject}`, alpha.token, {
      method: 'PATCH',
      body: { wallet_pub_key: [publicKey] },
    });
    expect(status).to.equal(200);
  };

  it('has a record of the writer by the key that the subject names', async () => {
    await contribute('8');
    const file = await makeHistory();
    const claim = file.claim as unknown as { authors: Json[]; events: number[] };
    expect(claim.authors).to.deep.equal([{ tenant_identity: parties.beta.identity, identity: parties.beta.identity }]);
    expect(claim.events).to.deep.equal([0, 1]);
    const trust = createEvidenceMaker(parties.ledger).trust({ blocks: hashesOf(file) });
    expect((await check(file, trust)).exitCode).to.equal(0);
    const { authors: _, ...others } = file.claim as EvidenceFile;
    const [records, proofs] = [file.records as Json[], file.proofs as Json[]];
    const leaves = Buffer.from(file.leaves as string, 'base64')
      .subarray(0, -80)
      .toString('base64');
    const without = { ...file, claim: others, records: records.slice(0, -1), proofs: proofs.slice(0, -1), leaves };
    expect((await check(without, trust)).exitCode).to.equal(1);
    expect((await check({ ...without, claim: { ...others, events: [0] } }, trust)).exitCode).to.equal(0);
  });

  it('has it also when the subject names the key of the contributions later', async () => {
    await nameKey(second.signingKey.publicKey.slice(2));
    await contribute('9');
    const { claim } = await makeHistory();
    const { authors, events } = claim as unknown as { authors: Json[]; events: number[] };
    expect([authors.length, events]).to.deep.equal([1, [0, 1, 2]]);
  });
});
