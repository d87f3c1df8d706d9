// What a node answers has any form. Whatever reads it refuses it as an answer of that node, and never with an error
// that the language has for mistakes of a program, which would end the process.
import { expect } from 'chai';
import fc from 'fast-check';
import { findFinalContract, findLedger } from '../../../chain/administration.ts';
import { fetchOwner, findDomainName } from '../../../chain/contractViews.ts';
import { isDefect } from '../../../chain/defects.ts';
import { fetchAccountNodes } from '../../../chain/evidence/accountProof.ts';
import { fetchEvidenceBlock } from '../../../chain/evidence/evidenceBlock.ts';
import { isWriter } from '../../../chain/isWriter.ts';
import {
  fetchReceipt,
  fetchTransactionCount,
  fetchTransactions,
  isTransactionKnown,
} from '../../../chain/jsonRpc/chainQueries.ts';
import { readHeader } from '../../../chain/jsonRpc/headerFields.ts';
import type { JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../../chain/jsonRpc/nodeMarks.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { createSignatureSearch } from '../../../chain/network/authors/signatureSearch.ts';
import { readEngine, readIntervals } from '../../../chain/network/blockIntervals.ts';
import { assertCheckpoint, fetchIdentity } from '../../../chain/network/chainIdentity.ts';
import { fetchHashedHeader } from '../../../chain/network/decodeHeader.ts';
import { fetchBid, fetchFees } from '../../../chain/network/fetchBid.ts';
import { fetchNodeLogs } from '../../../chain/network/fetchNodeLogs.ts';
import { createHeaderChain } from '../../../chain/network/headerChain.ts';
import { createProvenOutcomes } from '../../../chain/network/provenOutcomes.ts';
import { createRecentHeaders } from '../../../chain/network/recentHeaders.ts';
import { createSealReader } from '../../../chain/network/validatorSeals.ts';
import { fetchNodeStatus } from '../../../chain/nodeReport/fetchNodeStatus.ts';
import type { BlockRef, ChainPort, UnsignedCall } from '../../../chain/port.ts';
import { createTenantRoles } from '../../../chain/tenantRoles.ts';
import type { SubmittedRecord } from '../../../chain/writing/submission.ts';
import { toDomainSeparator } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toBlockTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { toBlockHash } from '../../../ledger/evidence/blockHash.ts';
import { readCliqueSigners } from '../../../ledger/evidence/cliqueSeal.ts';
import { encodeRlp } from '../../../ledger/evidence/rlp.ts';
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { CHAIN_ID, useTenantsOnChain, walletOf } from '../../support/chainLedger.ts';
import { runs } from '../../support/propertyRuns.ts';
import { ALPHA, aCreation, anEvent, eventOf } from '../../support/records.ts';
import { failureOf } from '../../support/refusals.ts';
import { makeBlocks, sealBftChain, toHeaderClient } from '../../support/sealedChains.ts';

const toSubmitted = (record: LedgerRecord): SubmittedRecord => ({
  tenantIdentity: ALPHA,
  streamIdentity: toStreamIdentityOf(record),
  record,
  payload: encodePayload(record),
});

type Json = unknown;
type Answers = Map<string, Json>;

/** A value in place of any member of any answer: one of each type, and those that numbers and texts fail at. */
const VALUES: readonly Json[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  '',
  '0x',
  '0x0',
  '0x1',
  '0xzz',
  '\u{d800}',
  `0x${'f'.repeat(13)}`,
  `0x${'f'.repeat(64)}`,
  `0x${'00'.repeat(20)}`,
  `0x${'ff'.repeat(300)}`,
  [],
  [null],
  [[]],
  {},
  { length: 1e9 },
];

const replace = (value: Json, path: readonly string[], by: Json): Json => {
  const [first, ...rest] = path;
  if (first === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string, Json>)[first] = replace((value as Record<string, Json>)[first], rest, by);
  return copy;
};

const pathsOf = (value: Json): string[][] => {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([name, member]) => pathsOf(member).map((path) => [name, ...path]));
  return [[], ...inner];
};

const toClient = (answer: JsonRpcClient['request']): JsonRpcClient => ({
  name: 'http://node',
  marks: createNodeMarks(() => 0),
  request: answer,
  requestBatch: (calls) => Promise.all(calls.map(({ method, params }) => answer(method, params))),
});

/** Reads something of a node. `chain` asks it as the port does. */
type Reader = (client: JsonRpcClient, chain: ChainPort) => Promise<unknown>;

describe('malformed answers of a node', () => {
  const ledger = useTenantsOnChain(ALPHA);
  let final: BlockRef;
  let transaction: Hex;
  let honest: JsonRpcClient['request'];

  beforeEach(async () => {
    const { chain } = ledger;
    for (const record of [aCreation(), anEvent({ identity: eventOf(1, 2) })]) await ledger.submit(toSubmitted(record));
    final = await chain.fetchFinalHead();
    const ask = async (method: string, params: readonly unknown[]): Promise<Json> =>
      JSON.parse(await chain.answer(method, params));
    const { transactions } = (await ask('eth_getBlockByNumber', ['latest', false])) as { transactions: Hex[] };
    transaction = transactions[0]!;
    honest = async (method, params) => {
      if (method !== 'eth_getBlockReceipts') return ask(method, params);
      const block = (await ask('eth_getBlockByNumber', [params[0], false])) as { transactions: Hex[] };
      return Promise.all(block.transactions.map((hash) => ask('eth_getTransactionReceipt', [hash])));
    };
  });

  const author = walletOf(ALPHA);
  const readLogs: Reader = (client) => {
    const { contract } = ledger;
    const domain = toDomainSeparator({ chainId: CHAIN_ID, contract: fromHex(contract) });
    const accounts = new Set([author.address]);
    const authors = { accounts, chainId: CHAIN_ID, contract, domain, search: createSignatureSearch() };
    return fetchNodeLogs(
      client,
      createHeaderChain(),
      { address: contract, fromBlock: 0, toBlock: final.number, authors },
      final,
    );
  };
  const call = (): UnsignedCall => ({
    from: author.address,
    to: ledger.contract,
    data: new Uint8Array(4),
    gasLimit: 1,
  });

  const READERS: Readonly<Record<string, Reader>> = {
    identity: fetchIdentity,
    checkpoint: (client) => assertCheckpoint(client, { contract: ledger.contract, block: final }),
    header: (client) => fetchHashedHeader(client, 'latest'),
    transactions: (client) => fetchTransactions(client, 'latest'),
    receipt: (client) => fetchReceipt(client, transaction),
    'known transaction': (client) => isTransactionKnown(client, transaction),
    'transaction count': (client) => fetchTransactionCount(client, author.address),
    fees: fetchFees,
    bid: (client) => fetchBid(client, call(), 1_000_000),
    logs: readLogs,
    outcomes: async (client) => {
      const receipt = await fetchReceipt(client, transaction);
      return receipt && createProvenOutcomes().check(client, final, receipt);
    },
    'evidence of a block': (client) => fetchEvidenceBlock(client, final),
    'proof of an account': (client) => fetchAccountNodes(client, ledger.contract, final),
    status: (client) => fetchNodeStatus(client, `0x${'00'.repeat(32)}`, () => () => undefined),
    'newest headers': async (client) => {
      const recent = createRecentHeaders();
      await recent.follow(client, final.number);
      return readIntervals(recent.read(), 'clique');
    },
    writer: (_client, chain) => isWriter(chain, ledger.contract, ALPHA, author.address),
    roles: (_client, chain) => createTenantRoles(chain, ledger.contract).findAdministrator(ALPHA),
    owner: (client) => fetchOwner(client.request, ledger.contract),
    domain: (client) => findDomainName(client.request, ledger.contract),
    ledger: (_client, chain) => findLedger(chain, ledger.contract, AbortSignal.abort()),
    contract: (_client, chain) => findFinalContract(chain, ledger.contract),
  };

  it('are none where a node proves the state after its newest block: it is used for all else', async () => {
    const client = toClient((method, params) =>
      honest(method, method === 'eth_getProof' ? params.with(2, 'latest') : params),
    );
    const { hash } = (await fetchHashedHeader(client, final.number - 1))!;
    const failure = fetchAccountNodes(client, ledger.contract, { number: final.number - 1, hash });
    expect(await failureOf(failure)).to.be.instanceOf(RpcError);
  });

  // The answers to what a reader asks.
  const record = async (read: Reader): Promise<Answers> => {
    const answers: Answers = new Map();
    const client = toClient(async (method, params) => {
      const answer = await honest(method, params);
      answers.set(JSON.stringify([method, params]), answer);
      return answer;
    });
    await read(client, toChain(client));
    return answers;
  };
  const toChain = ({ request }: JsonRpcClient) =>
    ({ request, fetchFinalHead: async () => final }) as unknown as ChainPort;

  for (const [name, read] of Object.entries(READERS))
    it(`are refused as answers of that node by what reads its ${name}`, async () => {
      const answers = await record(read);
      const places = [...answers].flatMap(([key, answer]) => pathsOf(answer).map((path) => [key, path] as const));
      const property = fc.asyncProperty(
        fc.constantFrom(...places),
        fc.constantFrom(...VALUES),
        async ([key, path], value) => {
          const client = toClient(async (method, params) => {
            const asked = JSON.stringify([method, params]);
            const answer = answers.has(asked) ? answers.get(asked) : await honest(method, params);
            return asked === key ? replace(answer, path, value) : answer;
          });
          const failure = await read(client, toChain(client)).then(
            () => undefined,
            (cause: unknown) => cause,
          );
          if (failure !== undefined && isDefect(failure))
            throw new Error(`a mistake at ${key} ${path.join('.')}`, { cause: failure });
        },
      );
      await fc.assert(property, runs(400));
    });
});

/** Well-formed values that headers of honest chains don't have. */
const QUANTITIES = ['0x0', '0x1', '0xffffffff', '0x1fffffffffffff', '0xffffffffffffffff', `0x${'f'.repeat(64)}`];
const hostileHeader = (rule: 'ethereum' | 'qbft') =>
  fc
    .record({
      timestamp: fc.constantFrom(...QUANTITIES),
      difficulty: fc.constantFrom(...QUANTITIES),
      gasLimit: fc.constantFrom(...QUANTITIES),
      baseFeePerGas: fc.constantFrom(...QUANTITIES),
      extraData: fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc
          .record({ vanity: fc.uint8Array({ minLength: 32, maxLength: 32 }), round: fc.uint8Array({ maxLength: 5 }) })
          .map(({ vanity, round }) => encodeRlp([vanity, [], new Uint8Array(), round, [new Uint8Array(65)]])),
      ),
    })
    .map(({ extraData, ...fields }) => ({ ...fields, extraData: toHex(extraData), rule }));

describe('headers of a node that have the hash of their fields', () => {
  const good = sealBftChain(
    'qbft',
    [1],
    makeBlocks(4, () => [1]),
  );

  it('are read or refused as answers of that node, whatever their fields are', async () => {
    const rules = fc.constantFrom('ethereum' as const, 'qbft' as const).chain(hostileHeader);
    const property = fc.asyncProperty(rules, fc.integer({ min: 0, max: 3 }), async ({ rule, ...fields }, at) => {
      const forged = { ...good[at]!, ...fields };
      const header = readHeader(forged);
      const hash = typeof header === 'string' ? undefined : toBlockHash(header, rule);
      const headers = good.with(at, hash === undefined ? forged : { ...forged, hash: toHex(hash) });
      // A forged header has no right successor.
      const client = toHeaderClient(() => headers.slice(0, at + 1));
      const read = async (): Promise<void> => {
        const recent = createRecentHeaders();
        await recent.follow(client, at);
        const kept = recent.read();
        const newest = kept.at(-1);
        if (newest === undefined) return;
        const engine = readEngine(newest, readCliqueSigners(kept[0]!.header) !== undefined);
        readIntervals(kept, engine);
        if (engine !== undefined) await createSealReader().read(kept, { engine, named: [], genesis: kept[0]! });
        toBlockTimestamp(newest.timestampSeconds);
      };
      await read().catch((cause: unknown) => {
        if (isDefect(cause)) throw cause;
      });
    });
    await fc.assert(property, runs(1_000));
  });
});
