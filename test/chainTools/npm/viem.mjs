// Watches, reads and sends with viem, as its users do. Run in a folder that has viem.
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const { createPublicClient, createWalletClient, defineChain, http } = require('viem');
const { generatePrivateKey, privateKeyToAccount } = require('viem/accounts');

const { RPC_URL, EMITTER, CALL, EVENT_ABI } = process.env;
const batch = { batchSize: 1_000, wait: 10 };
const transport = http(RPC_URL, { batch });
const bare = createPublicClient({ transport });
const chain = defineChain({
  id: await bare.getChainId(),
  name: 'ledger',
  nativeCurrency: { name: 'none', symbol: 'NONE', decimals: 18 },
  rpcUrls: { default: { http: [RPC_URL] } },
});
const client = createPublicClient({ chain, transport });
const wallet = createWalletClient({ chain, transport, account: privateKeyToAccount(generatePrivateKey()) });
const abi = [JSON.parse(EVENT_ABI)];

const watched = Promise.withResolvers();
const seen = [];
const stop = client.watchContractEvent({
  abi,
  address: EMITTER,
  pollingInterval: 50,
  onLogs: (logs) => {
    seen.push(...logs.map(({ args }) => args.sequence));
    watched.resolve();
  },
  onError: watched.reject,
});
const filter = await client.createContractEventFilter({ abi, address: EMITTER, fromBlock: 0n });
const blocks = await client.createBlockFilter();
const hash = await wallet.sendTransaction({ to: EMITTER, data: CALL });
const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
// The first poll of a watch creates its filter, perhaps after the block of this transaction.
const sending = setInterval(() => void wallet.sendTransaction({ to: EMITTER, data: CALL }).catch(watched.reject), 300);
await watched.promise;
clearInterval(sending);
stop();
const numbers = await Promise.all(Array.from({ length: 1_000 }, () => client.getBlock({ blockNumber: 1n })));
const proof = await client.getProof({ address: EMITTER, storageKeys: [`0x${'00'.repeat(32)}`] });
const history = await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [25] });
const changes = await client.getFilterChanges({ filter });
const uninstalled = await client.uninstallFilter({ filter });
console.log(
  JSON.stringify({
    status: receipt.status,
    watched: seen[0],
    changes: changes[0]?.args.sequence,
    blocks: (await client.getFilterChanges({ filter: blocks })).includes(receipt.blockHash),
    uninstalled,
    numbers: new Set(numbers.map(({ hash }) => hash)).size,
    baseFees: history.baseFeePerGas.map(String),
    slots: proof.storageProof.length,
  }),
);
process.exit(0);
