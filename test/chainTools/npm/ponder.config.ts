import { createConfig } from 'ponder';

const { RPC_URL, CHAIN_ID, EMITTER, EVENT_ABI } = process.env;

export default createConfig({
  chains: { ledger: { id: Number(CHAIN_ID), rpc: RPC_URL, pollingInterval: 100 } },
  contracts: { Emitter: { abi: [JSON.parse(EVENT_ABI!)] as const, chain: 'ledger', address: EMITTER, startBlock: 0 } },
});
