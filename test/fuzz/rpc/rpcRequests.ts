// Requests to the public JSON-RPC port that a client may get wrong, or get wrong on purpose: legal ones with the
// largest and smallest values, and malformed ones. All follow from a seed.
import fc from 'fast-check';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { PANICS, toPanicCode } from '../../support/panicCode.ts';
import { type TransactionFields, toRawTransaction } from './rawTransactions.ts';

/** A JSON-RPC request without its envelope. */
export interface FuzzedRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The chain that requests are made for. */
export interface FuzzedChain {
  readonly contract: Hex;
  readonly chainId: number;
}

const EDGES = [0n, 1n, 2n, 31n, 32n, 255n, 2n ** 16n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];
const WIDE_EDGES = [2n ** 64n, 2n ** 127n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 255n, 2n ** 256n - 1n];
const SELECTOR_CHARACTERS = 10;

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 3, arbitrary: fc.constantFrom(...WIDE_EDGES) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }) },
);
const NO_QUANTITY: readonly unknown[] = [
  '0x',
  '',
  '0x00',
  '-0x1',
  '0xg',
  `0x1${'0'.repeat(64)}`,
  5,
  1e30,
  null,
  [],
  {},
];
const quantity: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: word.map(toQuantity) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_QUANTITY) },
);
const toHash = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const SYSTEM: readonly Hex[] = [
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x00000961ef480eb55e80d19ad83579a64c007002',
];
const PRECOMPILES = 20;
const toAddress = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;
const NO_ADDRESS: readonly unknown[] = ['0x', '0x1', 7, {}];

const toAddresses = (contract: Hex): fc.Arbitrary<Hex> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(contract) },
    { weight: 3, arbitrary: fc.nat({ max: PRECOMPILES }).map(toAddress) },
    { weight: 1, arbitrary: fc.constantFrom(...SYSTEM, toAddress(0x100)) },
  );

const words = (max: number): fc.Arbitrary<string> =>
  fc.array(word.map(toHash), { maxLength: max }).map((values) => values.map((value) => value.slice(2)).join(''));
const selector = fc.constantFrom(
  '0x',
  ...['append', 'appendSigned', 'recordOf', 'verifyHistory', 'attest', 'admitTenant', 'addWriter'].map((name) =>
    ledgerInterface.getFunction(name)!.selector.slice(0, SELECTOR_CHARACTERS),
  ),
);
const bytes: fc.Arbitrary<Hex> = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 120 }).map(toHex) },
  { weight: 6, arbitrary: fc.tuple(selector, words(24)).map(([start, rest]): Hex => `${start as Hex}${rest}`) },
  { weight: 2, arbitrary: fc.nat({ max: 20_000 }).map((length): Hex => `0x${'00'.repeat(length)}`) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.values(PANICS), toPanicCode()) },
);
const TAGS: readonly unknown[] = ['latest', 'earliest', 'pending', 'safe', 'finalized', null, '', 5, {}, []];
const block: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('latest') },
  { weight: 2, arbitrary: fc.constantFrom(...TAGS) },
  { weight: 1, arbitrary: quantity },
  { weight: 1, arbitrary: word.map((value) => ({ blockHash: toHash(value), requireCanonical: true })) },
  { weight: 1, arbitrary: quantity.map((blockNumber) => ({ blockNumber })) },
);

const toAccessLists = (address: fc.Arbitrary<Hex>) =>
  fc.array(fc.record({ address, storageKeys: fc.array(word.map(toHash), { maxLength: 3 }) }), { maxLength: 3 });

// Most fields are left out, so that most calls are executed.
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const mostly = <T>(arbitrary: fc.Arbitrary<T>, others: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 16, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const toCalls = (address: fc.Arbitrary<Hex>): fc.Arbitrary<object> =>
  fc.record({
    to: mostly(address, [undefined, ...NO_ADDRESS]),
    from: rarely(address),
    data: bytes,
    value: rarely(quantity),
    gas: rarely(quantity),
    gasPrice: rarely(quantity),
    maxFeePerGas: rarely(quantity),
    maxPriorityFeePerGas: rarely(quantity),
    nonce: rarely(quantity),
    type: rarely(fc.nat({ max: 6 }).map(toQuantity)),
    chainId: rarely(quantity),
    accessList: rarely(toAccessLists(address)),
  });

// Mostly those of a transaction that is mined.
const mostlyOf = <T>(good: T, others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const nonces = mostlyOf(0n, [1n, 2n ** 53n, 2n ** 64n - 2n, 2n ** 64n - 1n, 2n ** 64n]);
const amounts = mostlyOf(0n, [1n, 2n ** 100n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 255n, 2n ** 256n - 1n]);
const gasLimits = mostlyOf(100_000n, [0n, 21_000n, 53_000n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n]);

const toTransactions = (address: fc.Arbitrary<Hex>, chainId: number): fc.Arbitrary<TransactionFields> =>
  fc.record({
    sender: fc.nat(),
    type: fc.nat({ max: 4 }),
    to: fc.oneof({ weight: 4, arbitrary: address }, { weight: 1, arbitrary: fc.constant(null) }),
    nonce: nonces,
    gasLimit: gasLimits,
    price: amounts,
    tip: amounts,
    value: amounts,
    data: bytes,
    chainId: mostlyOf(chainId, [1, 2 ** 53 - 1]),
    accessList: toAccessLists(address),
    blobHashes: fc.array(word.map(toHash), { maxLength: 3 }),
    authorizations: fc.array(fc.record({ address, nonce: nonces }), { maxLength: 3 }),
    flippedBit: rarely(fc.nat({ max: 10_000 })),
  });

const topics = fc.constantFrom<unknown>([], [null], [[null]], [[]], [[[]]], toHash(0n), [toHash(0n)], 7);
const toFilters = (address: fc.Arbitrary<Hex>): fc.Arbitrary<object> =>
  fc.record({
    fromBlock: rarely(block),
    toBlock: rarely(block),
    blockHash: rarely(mostly(word.map(toHash), ['0x', 5, null])),
    address: rarely(mostly(address, [[], null, [null], 'x'])),
    topics: rarely(topics),
  });

/** Methods that the port doesn't have, or not for everybody. */
const REFUSED = ['debug_traceCall', 'hardhat_setBalance', 'evm_mine', 'eth_subscribe', 'eth_sign', 'eth_coinbase'];
const READS = ['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount'];
const BY_HASH = [
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'eth_getRawTransactionByHash',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
];
const FILTERED = ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter'];
const INDEXED = ['eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByBlockHashAndIndex'];
const COUNTS = ['eth_getBlockTransactionCountByNumber', 'eth_getBlockTransactionCountByHash'];
const anything: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(true, false, 1, null, '', {}, 'x', [[]]);

const requestOf = (methods: readonly string[], ...params: fc.Arbitrary<unknown>[]): fc.Arbitrary<FuzzedRequest> =>
  fc.record({ method: fc.constantFrom(...methods), params: fc.tuple(...params) });

/** Requests for a chain: mostly executions and transactions, of which the engine has the most to do. */
export const toRequests = ({ contract, chainId }: FuzzedChain): fc.Arbitrary<FuzzedRequest> => {
  const address = toAddresses(contract);
  const call = toCalls(address);
  const raw = toTransactions(address, chainId).map(toRawTransaction);
  return fc.oneof(
    { weight: 6, arbitrary: requestOf(['eth_call', 'eth_estimateGas'], call, fc.constant('latest')) },
    { weight: 2, arbitrary: requestOf(['eth_call', 'eth_estimateGas'], call, block) },
    {
      weight: 1,
      arbitrary: requestOf(['eth_call'], call, block, fc.dictionary(fc.constant(contract), fc.constant({}))),
    },
    { weight: 6, arbitrary: requestOf(['eth_sendRawTransaction'], mostly(raw, [null, '0x', '0xc0', 5])) },
    { weight: 1, arbitrary: requestOf(['eth_getProof'], address, fc.array(quantity, { maxLength: 3 }), block) },
    { weight: 1, arbitrary: requestOf(['eth_getStorageAt'], address, quantity, block) },
    { weight: 1, arbitrary: requestOf(READS, mostly(address, NO_ADDRESS), block) },
    { weight: 1, arbitrary: requestOf(['eth_getBlockByNumber'], block, anything) },
    { weight: 1, arbitrary: requestOf(BY_HASH, mostly(word.map(toHash), ['0x', null])) },
    { weight: 1, arbitrary: requestOf([...INDEXED], fc.oneof(block, word.map(toHash)), quantity) },
    { weight: 1, arbitrary: requestOf(COUNTS, fc.oneof(block, word.map(toHash))) },
    { weight: 2, arbitrary: requestOf(['eth_getLogs', 'eth_newFilter'], mostly(toFilters(address), [null, [], 'x'])) },
    { weight: 1, arbitrary: requestOf(FILTERED, mostly(word.map(toHash), ['0x', null, 5])) },
    { weight: 1, arbitrary: requestOf(['eth_getBlockReceipts'], block) },
    { weight: 1, arbitrary: requestOf(['eth_feeHistory'], quantity, block, fc.array(fc.double(), { maxLength: 3 })) },
    { weight: 1, arbitrary: requestOf(['web3_sha3', 'eth_chainId', ...REFUSED], mostly(bytes, [null, '0x1', {}])) },
  );
};
