// Runs one scenario of the simulated network with the project's own code as its client, and prints the result as JSON.
// Arguments: the scenario, its parameter. Run it under `test/simulation/edges/replaceModules.ts`.
import { type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { readAccount } from '../../chain/chainState.ts';
import type { Note } from '../../world/world.ts';
import { LIES } from '../lies.ts';
import { MESSAGE_FAULTS, type MessageFault } from '../messageFaults.ts';
import { applyNetworkFault, drawNetworkFault } from '../networkFaults.ts';
import { findNonceGaps, readFinalLogs, readMined } from '../networkReads.ts';
import type { SimulatedNode } from '../node.ts';
import { fund, isFunding } from '../thirdParty.ts';
import { unsigned } from './falseChain.ts';
import { appendRecord, deployLedger, readKeys, retry } from './ledgerClient.ts';
import { createSimulatedClient, type SimulatedClient, walletOf } from './simulatedClient.ts';

/** Virtual milliseconds that a task may take while faults last. */
const LEDGER_MS = 600_000;
const NO_DATA = new Uint8Array(0);
const TRANSFER = { to: walletOf('recipient').address, data: NO_DATA, gasLimit: 21_000 };

const submit = async () => {
  const client = createSimulatedClient(1);
  const { sender } = await client.connect();
  const finals: boolean[] = [];
  for (let sent = 0; sent < 3; sent += 1) {
    const { blockNumber } = await client.run(async () => sender.awaitFinal(await sender.send(TRANSFER)));
    finals.push(blockNumber <= client.network.chain.finalNumber);
  }
  const nonces = readMined(client.network, client.wallet.address).map(({ transaction }) => transaction.nonce);
  return { finals, nonces };
};

const spike = async () => {
  const client = createSimulatedClient(2);
  const { chain, sender } = await client.connect();
  const fees = await client.run(() => chain.fetchFees());
  client.network.miner.conditions.feeFactor = 12;
  const { hash } = await client.run(() => sender.send(TRANSFER));
  const mined = readMined(client.network, client.wallet.address).map(({ transaction }) => transaction);
  return {
    isMined: mined.length === 1 && mined[0]!.hash === hash,
    bidBefore: 'gasPrice' in fees ? '0' : String(fees.maxFeePerGas),
    bidMined: String(mined[0]!.maxFeePerGas),
  };
};

const reorg = async () => {
  const client = createSimulatedClient(3, { finalDepth: 5 });
  const { network } = client;
  const { sender } = await client.connect();
  const mined = await client.run(() => sender.send(TRANSFER));
  const depth = network.chain.head.number - mined.blockNumber + 1;
  network.reorganize({ depth, extraBlocks: 1, replacement: 'empty', vanishing: 1 });
  const isDropped = network.chain.findTransaction(mined.hash) === undefined;
  const final = await client.run(() => sender.awaitFinal(mined));
  const places = network.tree.placesOf(mined.hash).map(({ block }) => block.number);
  return { isDropped, places, first: mined.blockNumber, final: final.blockNumber };
};

const finality = async () => {
  const client = createSimulatedClient(4, { finalDepth: 3 });
  const { network } = client;
  const { chain } = await client.connect();
  await client.pass(20_000);
  const final = await client.run(() => chain.fetchFinalHead());
  const deep = { depth: 10, extraBlocks: 1, replacement: 'same', vanishing: 0 } as const;
  network.reorganize(deep);
  const isHonoured = network.chain.blockByNumber(final.number)?.hash === final.hash;
  network.reorganize({ ...deep, breaksFinality: true });
  await client.pass(5_000);
  const refusal = await client.run(() =>
    chain.fetchFinalHead().then(
      () => 'none',
      ({ code }: { code: string }) => code,
    ),
  );
  return { isHonoured, refusal };
};

// Removes the newest blocks down to that of a transaction, and the transactions from all pools.
const removeFrom = ({ network }: SimulatedClient, blockNumber: number): void => {
  const depth = network.chain.head.number - blockNumber + 1;
  network.reorganize({ depth, extraBlocks: 1, replacement: 'empty', vanishing: 1 });
};

// The same once a transaction with the nonce waits.
const removeWhenWaiting = (client: SimulatedClient, { nonce, blockNumber }: { nonce: number; blockNumber: number }) =>
  client.world.schedule(0, function watch(): void {
    if (client.network.validator.pool.list().some((waiting) => waiting.nonce === nonce))
      removeFrom(client, blockNumber);
    else client.world.schedule(1, watch);
  });

const GAP_OPTIONS = { finalDepth: 30 };

// A transaction waits behind that of an earlier process, which a reorg has removed: nobody sends it again.
const gapBeforePending = async (baseFeePerGas: string) => {
  const client = createSimulatedClient(8, { ...GAP_OPTIONS, baseFeePerGas: BigInt(baseFeePerGas) });
  const { network } = client;
  const before = await client.connect();
  const { blockNumber } = await client.run(() => before.sender.send(TRANSFER));
  const { sender } = await client.connect();
  removeWhenWaiting(client, { nonce: 1, blockNumber });
  await client.run(() => retry(() => sender.send(TRANSFER)));
  return { nonces: readMined(network, client.wallet.address).map(({ transaction }) => transaction.nonce) };
};

// The same with two of them: the waiting call gets the nonce of one, and pools keep its first transaction.
const gapOfTwo = async (baseFeePerGas: string) => {
  const client = createSimulatedClient(11, { ...GAP_OPTIONS, baseFeePerGas: BigInt(baseFeePerGas) });
  const before = await client.connect();
  const { blockNumber } = await client.run(() => before.sender.send(TRANSFER));
  await client.run(() => before.sender.send(TRANSFER));
  const { sender } = await client.connect();
  removeWhenWaiting(client, { nonce: 2, blockNumber });
  const { account } = await client.run(() => sender.send({ ...TRANSFER, isIdempotent: true }), LEDGER_MS);
  await client.pass(20_000);
  const mined = readMined(client.network, client.wallet.address).map(({ transaction }) => transaction.nonce);
  return { nonce: account.nonce, mined };
};

// The same after it was mined, with two more.
const gapBeforeMined = async (baseFeePerGas: string) => {
  const client = createSimulatedClient(9, { ...GAP_OPTIONS, baseFeePerGas: BigInt(baseFeePerGas) });
  const before = await client.connect();
  const { blockNumber } = await client.run(() => before.sender.send(TRANSFER));
  const { sender } = await client.connect();
  const values = [1n, 2n, 3n];
  const finals: Promise<unknown>[] = [];
  for (const value of values) {
    const call = { ...TRANSFER, value, isIdempotent: true };
    const mined = await client.run(() => sender.send(call));
    finals.push(client.process.run(() => retry(() => sender.awaitFinal(mined))));
  }
  removeFrom(client, blockNumber);
  await client.run(() => Promise.all(finals), LEDGER_MS);
  const transfers = readMined(client.network, client.wallet.address).map(({ transaction }) => transaction.value);
  return { firsts: values.map((value) => transfers.indexOf(value)), count: transfers.length };
};

// The node answers after its client has stopped waiting, and the transaction takes effect all the same.
const hangingNode = async () => {
  const client = createSimulatedClient(5);
  const [node] = client.network.nodes;
  const { chain, sender } = await client.connect();
  const bid = await client.run(() => chain.fetchBid({ ...TRANSFER, from: client.wallet.address }));
  node!.hang();
  client.world.schedule(20_000, node!.resume);
  const { hash } = await client.run(() => retry(() => sender.send(TRANSFER)));
  const mined = readMined(client.network, client.wallet.address).map(({ transaction }) => transaction.hash);
  return { isMined: mined.includes(hash), count: mined.length, gasLimit: bid.gasLimit, atMs: client.world.nowMs() };
};

// A request that has left reaches its node, also when the process ends at that moment.
const killed = async () => {
  const client = createSimulatedClient(6);
  const { network } = client;
  const { sender } = await client.connect();
  void client.process.run(() => sender.send(TRANSFER));
  const isSent = (): boolean =>
    network.validator.pool.list().length > 0 || network.nodes[0]!.peer.pool.list().length > 0;
  client.world.schedule(0, function watch(): void {
    if (isSent()) client.process.kill('SIGKILL');
    else client.world.schedule(1, watch);
  });
  await client.pass(10_000);
  return { isAlive: client.process.isAlive(), mined: readMined(network, client.wallet.address).length };
};

const RECORDS_MIN = 3;
const RECORDS_MAX = 30;
/** Occurrences after which a fault ends. */
const OCCURRENCES = 8;
const WATCH_MS = 100;

const deploy = async (client: SimulatedClient) => {
  const { chain, sender } = await client.connect();
  const contract = await client.run(() => deployLedger(client, sender));
  await client.run(() => chain.close());
  return contract;
};

// Appends a record and reads its block, through a new connection, as after a restart. What is read must be true. A
// transaction that counted as refused may have appended the record before.
const appendAndRead = async (client: SimulatedClient, contract: Hex, record: string): Promise<boolean> => {
  const { chain, sender } = await client.run(() => retry(client.open), LEDGER_MS);
  await client.run(() => appendRecord(sender, contract, record), LEDGER_MS);
  const key = toHex(toKey(record));
  const found = readFinalLogs(client.network, contract).find(({ log }) => log.recordKey === key);
  const keys = await client.run(() => readKeys(chain, contract, found?.log.blockNumber ?? 0), LEDGER_MS);
  await client.run(() => chain.close());
  return keys.length === 1 && keys[0] === key;
};

// Every record exists once.
const isComplete = ({ network }: SimulatedClient, contract: Hex, records: number): boolean => {
  const keys = readFinalLogs(network, contract).map(({ log }) => log.recordKey);
  return keys.length === records && new Set(keys).size === records;
};

// Appends and reads while a fault of the first node lasts, and after it.
const writeUnder = async (client: SimulatedClient, kind: string, condition: Parameters<SimulatedNode['change']>[0]) => {
  const contract = await deploy(client);
  const { counts, nodes } = client.network;
  const occurrences = (): number => counts.get(`lies: ${kind}`) ?? counts.get(`faulty messages: ${kind}`) ?? 0;
  const watch = (): void => {
    if (occurrences() >= OCCURRENCES) client.network.heal();
    else client.world.schedule(WATCH_MS, watch);
  };
  nodes[0]!.change(condition);
  watch();
  let records = 0;
  let wrong = 0;
  for (let healed = 0; healed < RECORDS_MIN && records < RECORDS_MAX; records += 1) {
    if (occurrences() >= OCCURRENCES) healed += 1;
    if (!(await appendAndRead(client, contract, `record ${records}`))) wrong += 1;
  }
  const gaps = findNonceGaps(client.network, client.wallet.address);
  return { kind, wrong, isComplete: isComplete(client, contract, records), gaps, occurrences: occurrences() };
};

const funding = async () => {
  const { world, network } = createSimulatedClient(10, { nodes: 3 });
  const { address } = walletOf('recipient');
  const isBegun = isFunding(network);
  fund(network, address, 1n);
  const isSent = isFunding(network);
  await world.runUntil(() => !isFunding(network), 20_000);
  const balances = network.nodes.map(({ peer }) => Number(readAccount(peer.view.head.state, address).balance));
  return { isBegun, isSent, isFunding: isFunding(network), balances };
};

const messages = (kind: string) => {
  const client = createSimulatedClient(7 + MESSAGE_FAULTS.indexOf(kind as MessageFault));
  return writeUnder(client, kind, { lossy: { rate: 0.15, kinds: [kind as MessageFault] } });
};

// Requests arrive twice, so that submissions are refused. A check of a node needs several blocks, so lies about blocks
// are rarer.
const lie = (kind: string) => {
  const client = createSimulatedClient(100 + Object.keys(LIES).indexOf(kind));
  const rate = LIES[kind]!.methods.includes('eth_getBlockByNumber') ? 0.3 : 0.8;
  return writeUnder(client, kind, { lie: { kind, rate }, lossy: { rate: 0.5, kinds: ['repeatRequest'] } });
};

// The same seed gives the same story.
const story = async (seed: string) => {
  const notes: Note[] = [];
  const context = { nodes: 3, confirmations: 3, finalDepth: 3, blockMs: 1_000, timeoutMs: 5_000, tenants: 0 };
  const client = createSimulatedClient(Number(seed), { nodes: 3 }, (note) => notes.push(note));
  const contract = await deploy(client);
  const actors = { contract, relayer: client.wallet, tenants: [] };
  const random = client.world.stream('plan');
  for (let fault = 0; fault < 6; fault += 1) {
    const drawn = drawNetworkFault(random, random.integer(0, 20_000), context);
    if (drawn !== undefined) client.world.schedule(drawn.atMs, () => applyNetworkFault(client.network, drawn, actors));
  }
  for (let record = 1; record <= 4; record += 1) await appendAndRead(client, contract, `record ${record}`);
  return { notes, tasks: client.world.tasks(), tip: client.network.tree.tip.hash };
};

const SCENARIOS: Readonly<Record<string, (parameter: string) => Promise<unknown>>> = {
  submit,
  spike,
  reorg,
  finality,
  unsigned,
  gapBeforePending,
  gapBeforeMined,
  gapOfTwo,
  hangingNode,
  killed,
  funding,
  messages,
  lie,
  story,
};

const write = process.stdout.write.bind(process.stdout);
const [, , scenario = '', ...parameters] = process.argv;
const results: unknown[] = [];
for (const parameter of parameters.length === 0 ? [''] : parameters)
  results.push(await SCENARIOS[scenario]!(parameter));
write(`${JSON.stringify(results)}\n`);
