// Lies about blocks, the identity of the chain, accounts and prices.
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import { believed, type Lie, type LyingContext, onObject, onResult, readBlock, survived } from './lie.ts';

const BLOCK = ['eth_getBlockByNumber'];
const COUNT = ['eth_getTransactionCount'];

const isTag = ({ params }: LyingContext, tag: string): boolean => params[0] === tag;

const shiftHead =
  (shift: number): Lie['falsify'] =>
  (honest, context) => {
    if (!isTag(context, 'latest')) return honest;
    const block = readBlock(context, toQuantity(Math.max(0, context.headNumber - shift)));
    return block === undefined ? honest : { result: block };
  };

// A block that doesn't exist, so many blocks ahead.
const inventHead = (ahead: number): Lie['falsify'] =>
  onObject((block, context) =>
    isTag(context, 'latest')
      ? { ...block, number: toQuantity(context.headNumber + ahead), hash: context.inventHash() }
      : block,
  );

/** One with a hash of its own would need CHAIN_VALIDATORS, more confirmations or more nodes that agree. */
const HEAD_HASH = 'a newest block must have the hash of its header';
const DISTANT_BLOCKS = 1_000;
const DISTANT_NONCES = 1_000;

/** Lies about blocks and the identity of the chain. */
export const BLOCK_LIES = {
  staleHead: survived(BLOCK, shiftHead(8), 'final blocks stay final, and nodes that are ahead are preferred'),
  distantHead: survived(BLOCK, inventHead(DISTANT_BLOCKS), HEAD_HASH),
  futureHead: survived(BLOCK, inventHead(1), HEAD_HASH),
  otherFinalHash: survived(
    BLOCK,
    onObject((block, context) => (isTag(context, 'latest') ? block : { ...block, hash: context.inventHash() })),
    'records are read only below headers that have their hashes',
  ),
  denyBlock: survived(
    BLOCK,
    onResult((result, context) => (isTag(context, 'latest') ? null : result)),
    'a node without a newest block is left',
  ),
  otherBlockNumber: survived(
    BLOCK,
    onObject((block, context) => (isTag(context, 'latest') ? block : { ...block, number: '0x0' })),
    'a block must have the number that was queried',
  ),
  malformedBlock: survived(
    BLOCK,
    onObject((block) => ({ ...block, timestamp: 'soon' })),
    'the answer is refused',
  ),
  otherChainId: survived(
    ['eth_chainId'],
    onResult(() => '0x1'),
    'a node of another chain is not used',
  ),
  otherGenesis: survived(
    BLOCK,
    onObject((block, context) => (isTag(context, '0x0') ? { ...block, hash: context.inventHash() } : block)),
    'a node of another chain is not used',
  ),
} satisfies Record<string, Lie>;

/** Lies about accounts and prices. */
export const ACCOUNT_LIES = {
  lowTransactionCount: survived(
    COUNT,
    onResult((result) => toQuantity(Math.max(0, Number(result) - 1))),
    'a nonce that is used is refused, and the chain is queried again',
  ),
  highTransactionCount: survived(
    COUNT,
    onResult((result) => toQuantity(Number(result) + 1)),
    'when true counts show that an earlier nonce stays missing, the call gets that nonce',
  ),
  distantTransactionCount: believed(
    COUNT,
    onResult((result) => toQuantity(Number(result) + DISTANT_NONCES)),
    'the call gets another nonce when the lie ends, but pools keep its transaction with the distant one, so that a ' +
      'refused record is submitted again until that nonce is used; counts of several nodes must be compared',
  ),
  malformedCount: survived(
    COUNT,
    onResult(() => '07'),
    'the answer is refused',
  ),
  lowTip: survived(
    ['eth_maxPriorityFeePerGas'],
    onResult(() => '0x0'),
    'a bid that is too low is refused, or raised after 3 blocks',
  ),
  highTip: survived(
    ['eth_maxPriorityFeePerGas'],
    onResult((result) => `0x${(BigInt(String(result)) * 1_000_000n).toString(16)}`),
    'the account cannot pay for it, so that nothing is sent while the lie lasts, or it pays too much',
  ),
  noBalance: survived(
    ['eth_getBalance'],
    onResult(() => '0x0'),
    'records wait in the outbox while the balance is too low',
  ),
  highBalance: survived(
    ['eth_getBalance'],
    onResult(() => '0xffffffffffffffffffffff'),
    'the node refuses a transaction that the account cannot pay for',
  ),
} satisfies Record<string, Lie>;
