// The model of the ledger contract against the compiled contract on the real engine: random steps with the same status,
// logs, reverts and views, byte for byte.
import { expect } from 'chai';
import fc from 'fast-check';
import { toLedgerAddress } from '../../../chain/administration.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { toDomainSeparator } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { runs } from '../../support/propertyRuns.ts';
import { CHAIN_ID, type ChainPair, createChainPair, signFree, toCreation } from './support/chainPair.ts';
import {
  type LedgerStep,
  ledgerSteps,
  RECORDS,
  SIGNATURE_FAULTS,
  STREAMS,
  TENANTS,
  toCalldata,
  WALLETS,
} from './support/ledgerSteps.ts';

const RUNS = 40;
const OWNER = WALLETS[0]!;
const CONTRACT = toLedgerAddress(OWNER);
const SEPARATOR = toDomainSeparator({ chainId: CHAIN_ID, contract: fromHex(CONTRACT) });

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly Record<string, unknown>[];
}

// Hashes of blocks and gas differ between the engines.
const toComparable = ({ status, contractAddress, logs }: Receipt) => ({
  status,
  contractAddress,
  logs: logs.map(({ address, topics, data, logIndex, removed }) => ({ address, topics, data, logIndex, removed })),
});

const createSession = async (pair: ChainPair) => {
  const nonces = new Map<Hex, number>();
  const send = async (sender: number, to: Uint8Array | undefined, data: Uint8Array): Promise<Hex> => {
    const wallet = WALLETS[sender]!;
    const nonce = nonces.get(wallet.address) ?? 0;
    nonces.set(wallet.address, nonce + 1);
    const answer = await pair.askSame('eth_sendRawTransaction', [signFree(wallet, nonce, { to, data })]);
    const { result: hash } = answer as { result: Hex };
    const receipts = await Promise.all(
      [pair.real, pair.simulated].map((edr) => edr.request('eth_getTransactionReceipt', [hash]) as Promise<Receipt>),
    );
    expect(toComparable(receipts[1]!)).to.deep.equal(toComparable(receipts[0]!));
    return receipts[1]!.status;
  };
  await send(0, undefined, toCreation(OWNER));
  return { send };
};

const call = (pair: ChainPair, data: Hex, from: Hex) =>
  pair.askSame('eth_call', [{ to: CONTRACT, from, data }, 'latest']);

const runStep = async (pair: ChainPair, step: LedgerStep, send: Awaited<ReturnType<typeof createSession>>['send']) => {
  const data = toCalldata(step, SEPARATOR);
  const answer = await call(pair, data, WALLETS[step.sender]!.address);
  const status = await send(step.sender, fromHex(CONTRACT), fromHex(data));
  expect(status).to.equal('result' in answer ? '0x1' : '0x0');
  return status;
};

const VIEWS = [
  ...TENANTS.flatMap((tenant) => [
    ['administratorOf', tenant],
    ['successorOf', tenant],
    ...WALLETS.map(({ address }) => ['isWriter', tenant, address]),
    ...RECORDS.map((record) => ['recordOf', tenant, record]),
    ...STREAMS.map((stream) => ['streamOf', tenant, stream]),
    ['verifyHistory', tenant, STREAMS[0]!, []],
    ['verifyHistory', tenant, STREAMS[0]!, [RECORDS[0]!]],
  ]),
  ['MAX_PAYLOAD_BYTES'],
] as const;

const compareViews = async (pair: ChainPair): Promise<void> => {
  for (const [name, ...args] of VIEWS) {
    await call(pair, ledgerInterface.encodeFunctionData(name as string, args) as Hex, OWNER.address);
  }
};

interface Appended {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

// What the logs contain must verify, and nothing that differs from it.
const compareVerification = async (pair: ChainPair): Promise<void> => {
  const query = [
    { fromBlock: '0x0', toBlock: 'latest', topics: [ledgerInterface.getEvent('RecordAppended')!.topicHash] },
  ];
  const logs = (await pair.simulated.request('eth_getLogs', query)) as Appended[];
  for (const { topics, data } of logs) {
    const { author, sequence, digest, payload } = ledgerInterface.decodeEventLog('RecordAppended', data, topics);
    const record = [...topics.slice(1), author];
    const encode = (name: string, args: readonly unknown[]) => ledgerInterface.encodeFunctionData(name, args) as Hex;
    const digestCall = await call(pair, encode('digestOf', [...record, payload]), OWNER.address);
    expect(digestCall).to.deep.equal({ result: digest });
    for (const claimed of [sequence, sequence + 1n]) {
      const verified = await call(pair, encode('verifyRecord', [...record, claimed, payload]), OWNER.address);
      expect(verified).to.deep.equal({ result: toHex(Buffer.alloc(32).fill(claimed === sequence ? 1 : 0, 31)) });
    }
    await call(pair, encode('verifyRecord', [...record, sequence, '0x1234']), OWNER.address);
  }
  for (const stream of STREAMS) await compareHistory(pair, logs, toHex(stream));
};

const compareHistory = async (pair: ChainPair, logs: readonly Appended[], stream: Hex): Promise<void> => {
  const tenant = toHex(TENANTS[0]!);
  const ofStream = logs.filter(({ topics }) => topics[1] === tenant && topics[2] === stream);
  const digests = ofStream.map(
    ({ topics, data }) => ledgerInterface.decodeEventLog('RecordAppended', data, topics).digest,
  );
  for (const list of [digests, digests.toReversed(), digests.slice(1)]) {
    const data = ledgerInterface.encodeFunctionData('verifyHistory', [tenant, stream, list]) as Hex;
    await call(pair, data, OWNER.address);
  }
};

const role = (sender: number, name: string, account = sender, tenant = 0) =>
  ({ kind: 'role', sender, name, tenant, account }) as const;

// The owner administers the first tenant and writes to it.
const startSession = async () => {
  const pair = await createChainPair();
  const { send } = await createSession(pair);
  for (const name of ['admitTenant', 'addWriter']) await runStep(pair, role(0, name), send);
  return { pair, run: (step: LedgerStep) => runStep(pair, step, send) };
};

describe("the simulation's model of the contract", () => {
  it('hands over a tenant once', async () => {
    const { run } = await startSession();
    const steps = [
      role(0, 'transferTenantAdministration', 1),
      role(2, 'acceptTenantAdministration'),
      role(1, 'acceptTenantAdministration'),
      role(1, 'acceptTenantAdministration'),
      role(0, 'addWriter', 3),
      role(1, 'addWriter', 3),
    ];
    const statuses = [];
    for (const step of steps) statuses.push(await run(step));
    expect(statuses).to.deep.equal(['0x1', '0x0', '0x1', '0x0', '0x0', '0x1']);
  });

  it('accepts the signature of the author only', async () => {
    const { run } = await startSession();
    const records = [{ stream: 0, record: 0, payload: Buffer.from('payload') }];
    const statuses = [];
    for (const fault of [...SIGNATURE_FAULTS, 'none'] as const)
      statuses.push(
        await run({ kind: 'appendSigned', sender: 1, batches: [{ tenant: 0, author: 0, records, fault }] }),
      );
    expect(statuses).to.deep.equal([...SIGNATURE_FAULTS.map(() => '0x0'), '0x1']);
  });

  it('has the same status, logs, reverts and views as the compiled contract', async () => {
    const statuses = new Map<string, number>();
    const property = fc.asyncProperty(ledgerSteps, async (steps) => {
      const { pair, run } = await startSession();
      for (const step of steps) {
        const status = `${step.kind} ${await run(step)}`;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      await compareViews(pair);
      await compareVerification(pair);
    });
    await fc.assert(property, runs(RUNS));
    // Both outcomes of each kind were compared.
    const kinds = ['role', 'append', 'appendSigned'].flatMap((kind) => [`${kind} 0x0`, `${kind} 0x1`]);
    expect([...statuses.keys()]).to.include.members(kinds);
  });
});
