// Sends a chain the heaviest requests that its public methods allow. After each, prints a line of JSON with the number
// of bytes by which the memory of this process and of its sandbox has exceeded that before the first. Runs as a process
// of its own with `--expose-gc`; only Linux reports the peak.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { admitTenant } from '../../../chain/administration.ts';
import type { EmbeddedChain } from '../../../chain/embedded/embeddedChain.ts';
import { EXECUTION_GAS_MAX } from '../../../chain/embedded/rpc/executionGas.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { createTransactionSender } from '../../../chain/writing/transactionSender.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { deployTestLedger, openChain, walletOf } from '../../support/chainLedger.ts';
import { toHeavyPrograms, toLoop } from './heavyPrograms.ts';

const TENANT = 'tenant/5ddbb3a5-0f83-4a36-a8a0-6f4fd7a2a1c0';
const HISTORY_RECORDS = 4_000;
const BATCH_RECORDS = 200;
const LOOP_GAS = 6_000_000;

const { pid } = process;

const readPids = (): number[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number)];
};

const readKibibytes = (name: string, of: number): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${of}/status`, 'utf8'))![1]);

const toKibibytes = (name: string): number => readPids().reduce((sum, of) => sum + readKibibytes(name, of), 0);

const randomWord = (): Hex => toHex(randomBytes(32));

// Memory that an earlier call left to the process counts for the later ones too.
let baseline = 0;
const measure = async (name: string, task: () => Promise<unknown>): Promise<void> => {
  globalThis.gc!();
  if (baseline === 0) baseline = toKibibytes('VmRSS');
  for (const of of readPids()) writeFileSync(`/proc/${of}/clear_refs`, '5');
  const code = await task().then(
    () => 0,
    (error: { code: number }) => error.code,
  );
  console.log(JSON.stringify({ name, code, grewBytes: (toKibibytes('VmHWM') - baseline) * 1024 }));
};

const createLedger = async (chain: EmbeddedChain) => {
  const { address } = await deployTestLedger(chain);
  const [ledgerAdministrator, tenantAdministrator, writer] = ['ledger administrator', 'administrator', 'writer'].map(
    walletOf,
  );
  const wallets = {
    ledgerAdministrator: ledgerAdministrator!,
    tenantAdministrator: tenantAdministrator!,
    writer: writer!,
  };
  await admitTenant(chain, address, TENANT, wallets);
  return { contract: address, writer: writer! };
};

const tenantKey = toHex(toKey(TENANT));

const encodeAppend = (records: number, stream: Hex, payload: Hex): Hex =>
  ledgerInterface.encodeFunctionData('append', [
    tenantKey,
    Array.from({ length: records }, () => [stream, randomWord(), payload]),
  ]) as Hex;

// The first executions allocate what a process needs once.
const warmUp = async (chain: EmbeddedChain): Promise<void> => {
  const { pushes: data } = toHeavyPrograms(1_000);
  for (let count = 0; count < 3; count += 1)
    await chain.request('eth_call', [{ data }, 'latest']).catch(() => undefined);
};

const measureAnyCode = async (chain: EmbeddedChain, looping: Hex): Promise<void> => {
  const call = (fields: object) => chain.request('eth_call', [fields, 'latest']);
  const zeros = `0x${'00'.repeat(1_000_000)}`;
  await measure('a loop with 1 MB of zeros', () => call({ to: looping, data: zeros }));
  const accessList = [{ address: looping, storageKeys: Array.from({ length: 10_000 }, randomWord) }];
  await measure('a loop with a long access list', () => call({ to: looping, accessList }));
  for (const [name, data] of Object.entries(toHeavyPrograms(EXECUTION_GAS_MAX))) {
    await measure(name, () => call({ data }));
    await measure(`estimate of ${name}`, () => chain.request('eth_estimateGas', [{ data }]));
  }
  const { 'static calls with a large input': worst } = toHeavyPrograms(EXECUTION_GAS_MAX);
  await measure('two of the worst at once', () => Promise.allSettled([call({ data: worst }), call({ data: worst })]));
};

const measureLedger = async (chain: EmbeddedChain): Promise<void> => {
  const { contract, writer } = await createLedger(chain);
  const sender = createTransactionSender(chain, writer);
  const stream = randomWord();
  for (let count = 0; count < HISTORY_RECORDS; count += BATCH_RECORDS) {
    await sender.send({
      to: contract,
      data: fromHex(encodeAppend(BATCH_RECORDS, stream, '0x01')),
      gasLimit: 40_000_000,
    });
  }
  const digests = Array.from({ length: HISTORY_RECORDS }, randomWord);
  const history = ledgerInterface.encodeFunctionData('verifyHistory', [tenantKey, stream, digests]);
  const ask = (method: string, data: string) => () =>
    chain.request(method, [{ from: writer.address, to: contract, data }, 'latest']);
  await measure('a complete history', ask('eth_call', history));
  await measure('estimate of a complete history', ask('eth_estimateGas', history));
  await measure('append', ask('eth_estimateGas', encodeAppend(BATCH_RECORDS, stream, toHex(randomBytes(1_000)))));
  await measure('append of too many', ask('eth_call', encodeAppend(5_000, stream, '0x')));
  await measure('logs of all blocks', () => chain.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]));
  const keys = Array.from({ length: 64 }, randomWord);
  await measure('proof of 64 slots', () => chain.request('eth_getProof', [contract, keys, 'latest']));
};

const [directory] = process.argv.slice(2);
const chain = await openChain(directory!);
await warmUp(chain);
await measureLedger(chain);
const deployer = createTransactionSender(chain, walletOf('deployer'));
// A contract that loops, whatever its calldata: PUSH1 n, DUP1, PUSH1 9, PUSH0, CODECOPY, PUSH0, RETURN, and the loop.
const loop = toLoop('', '5b', 255).slice(2);
const code = `0x60${(loop.length / 2).toString(16)}8060095f395ff3${loop}`;
const { hash } = await deployer.send({ to: undefined, data: fromHex(code as Hex), gasLimit: LOOP_GAS });
const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as { contractAddress: Hex };
await measureAnyCode(chain, receipt.contractAddress);
await chain.close();
