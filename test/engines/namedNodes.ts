// The nodes of a chain that somebody else runs, each behind a gate and a proxy: what the ledger sees of a fault is
// real, and the node isn't affected.
import { createRpcClient, type RpcRequest } from '../../chain/jsonRpc/rpcRequest.ts';
import { createLagProxy, type LagProxy } from '../support/lagProxy.ts';
import type { Engine, EngineKind, EngineNode } from './engine.ts';
import { fundAccount } from './funding.ts';
import { createGate, type Gate } from './gate.ts';

/** How the nodes are reached, and what a ledger on them needs. */
export interface NamedNodes {
  /** URLs of nodes of one chain. */
  readonly urls: readonly string[];
  readonly confirmations: number;
  /** Private key of an account with ether; undefined where gas is free. */
  readonly funderKey: string | undefined;
}

interface Passage {
  readonly gate: Gate;
  readonly proxy: LagProxy;
}

const TIMEOUT_MS = 10_000;

const openPassage = async (url: string): Promise<Passage> => {
  const gate = await createGate(url);
  return { gate, proxy: await createLagProxy(gate.url) };
};

const toNode = ({ gate, proxy }: Passage): EngineNode => ({
  url: proxy.url,
  kill: async () => gate.set('closed'),
  stop: async () => gate.set('closed'),
  start: async () => gate.set('open'),
  suspend: () => gate.set('suspended'),
  resume: () => gate.set('open'),
});

const fetchHead = async (request: RpcRequest): Promise<number> => Number(await request('eth_blockNumber', []));

const open = async ({ urls, confirmations, funderKey }: NamedNodes): Promise<Engine> => {
  const passages: Passage[] = [];
  for (const url of urls) passages.push(await openPassage(url));
  const request = createRpcClient(passages[0]!.gate.url, TIMEOUT_MS);
  return {
    nodes: passages.map(toNode),
    confirmations,
    validators: undefined,
    fund: (address) => fundAccount(passages[0]!.gate.url, funderKey, address),
    // The ledger sees no block that is made from now on.
    stall: async () => {
      const newest = await fetchHead(request);
      for (const { proxy } of passages) proxy.newest = newest;
    },
    continue: async () => {
      for (const { proxy } of passages) proxy.newest = undefined;
    },
    close: async () => {
      for (const { gate, proxy } of passages) {
        await proxy.close();
        await gate.close();
      }
    },
  };
};

/** The chain of these nodes. */
export const namedEngine = (named: NamedNodes): EngineKind => ({
  name: `the nodes of ENGINE_RPC_URLS (${named.urls.map((url) => new URL(url).host).join(', ')})`,
  open: () => open(named),
});

const toUrls = (text: string): string[] => {
  const urls = text.split(',').map((part) => part.trim());
  if (urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))) return urls;
  throw new Error('ENGINE_RPC_URLS must be http or https URLs, with commas between');
};

const toConfirmations = (text: string): number => {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new Error('ENGINE_CONFIRMATIONS must be a number from 1 to 999');
};

/** The nodes that the environment names; undefined: none. @throws Error for a value that can't be read. */
export const readNamedNodes = (env: NodeJS.ProcessEnv): NamedNodes | undefined => {
  const { ENGINE_RPC_URLS = '', ENGINE_CONFIRMATIONS = '1', ENGINE_FUNDER_KEY: funderKey } = env;
  if (ENGINE_RPC_URLS.trim() === '') return undefined;
  return { urls: toUrls(ENGINE_RPC_URLS), confirmations: toConfirmations(ENGINE_CONFIRMATIONS), funderKey };
};
