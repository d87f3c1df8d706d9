// Slips in the connection to a network: what is believed of a node's answers, what is final, and what is sent again.
import type { Defect } from './defect.ts';

const SUBMITTER = 'chain/network/transactionSubmitter.ts';
const KEEPER = 'chain/network/transactionKeeper.ts';
const NODE = 'chain/network/rpcNode.ts';
const CLIENT = 'chain/jsonRpc/jsonRpcClient.ts';
const QUERIES = 'chain/jsonRpc/chainQueries.ts';

const sendingDefects: readonly Defect[] = [
  {
    name: 'refusal-of-one-node-ends-request',
    file: 'chain/network/nodeSet.ts',
    find: 'return error instanceof RpcError && !isAboutRequest(error) ? error : undefined;',
    replace: 'return undefined;',
    breaks: 'what one node refuses for a reason of its own is requested from the next',
    foundBy: 'node that does not offer a method',
  },
  {
    name: 'bid-never-raised',
    file: KEEPER,
    find: 'if (isStuck) await raise();',
    replace: 'void raise;',
    breaks: 'the bid of a transaction that stays waiting is raised',
    foundBy: 'base fee that stays higher',
  },
];

const finalityDefects: readonly Defect[] = [
  {
    name: 'replaced-block-accepted',
    file: SUBMITTER,
    find: 'receipt.number <= final.number && (await isProven(options, receipt)))',
    replace: 'receipt.number <= final.number)',
    breaks: 'the block of a receipt is still on the chain',
    foundBy: 'reorganisation, lie about the block of a receipt',
  },
  {
    name: 'final-one-block-early',
    file: NODE,
    find: 'Math.max(0, head.number - confirmations + 1)',
    replace: 'Math.min(head.number, Math.max(0, head.number - confirmations + 2))',
    breaks: 'a block has as many confirmations as configured before it is final',
    foundBy: 'reorganisation of the configured depth',
  },
  {
    name: 'head-counts-as-final',
    file: NODE,
    find: 'return { head, final: { number, hash } };',
    replace: 'return { head, final: { number: head.number, hash: head.hash } };',
    breaks: 'the newest block is not final',
    foundBy: 'reorganisation',
  },
  {
    name: 'dropped-transaction-not-sent-again',
    file: KEEPER,
    find: `    if (isStuck) await raise();
    if (isStuck || isDue(lastSentMs)) await send(client);`,
    replace: '    if (isStuck && (await raise())) await send(client);',
    breaks: 'a transaction that a pool has dropped is sent again',
    foundBy: 'node that drops a transaction, restarted node',
  },
  {
    name: 'replaced-transaction-not-sent-again',
    file: KEEPER,
    find: `          sentAtMs = undefined;
          bidAtBlock = undefined;
          return found;`,
    replace: `          sentAtMs = Infinity;
          examinedAtBlock = Infinity;
          return found;`,
    breaks: 'a transaction whose block was replaced is sent again',
    foundBy: 'reorganisation that drops a transaction',
  },
];

const answerDefects: readonly Defect[] = [
  {
    name: 'receipts-not-proven',
    file: 'chain/network/provenReceipts.ts',
    find: 'assertHolds(client, isSameBytes(root, receiptsRoot),',
    replace: 'assertHolds(client, isSameBytes(root, root),',
    breaks: "the receipts of a block rebuild its header's root",
    foundBy: 'lie that leaves out or alters logs',
  },
  {
    name: 'headers-not-hashed',
    file: 'chain/network/decodeHeader.ts',
    find: 'return hash !== undefined && toHex(hash) === claimed;',
    replace: 'return hash !== undefined;',
    breaks: "a block's header has its hash",
    foundBy: "lie about a block's bloom filter or time",
  },
  {
    name: 'answer-id-not-compared',
    file: CLIENT,
    find: "if (answer.jsonrpc !== '2.0' || answer.id !== id)",
    replace: "if (answer.jsonrpc !== '2.0')",
    breaks: 'an answer belongs to its request',
    foundBy: 'answer to another request',
  },
  {
    name: 'no-request-timeout',
    file: CLIENT,
    find: "{ method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' }",
    replace: "{ method: 'POST', headers, body: JSON.stringify(body), redirect: 'error' }",
    breaks: 'a request to a node ends',
    foundBy: 'node that hangs',
  },
  {
    name: 'receipt-hash-not-compared',
    file: QUERIES,
    find: `  if (decodeHash(client, transactionHash, "a receipt's transaction") !== hash) {
    throw new InvalidAnswer(client, 'the receipt of another transaction');
  }
`,
    replace: '',
    breaks: 'a receipt is of the transaction that was queried',
    foundBy: 'lie with the receipt of another transaction',
  },
  {
    name: 'block-number-not-compared',
    file: QUERIES,
    find: "if (typeof block === 'number' && found.number !== block)",
    replace: 'if (found.number < 0)',
    breaks: 'a block is the one that was queried',
    foundBy: 'lie about the number of a block',
  },
  {
    name: 'failed-query-counts-as-no-logs',
    file: 'indexer/logBatches.ts',
    find: 'found: await chain.fetchContractLogs(query), toBlock',
    replace: 'found: await chain.fetchContractLogs(query).catch(() => ({ records: [], attestations: [] })), toBlock',
    breaks: 'the index has no block whose logs could not be read',
    foundBy: 'node that does not answer',
  },
];

/** Defects of the connection to a network. */
export const networkDefects: readonly Defect[] = [...sendingDefects, ...finalityDefects, ...answerDefects];
