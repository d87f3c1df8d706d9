// Which nodes carry the ledger, and when a block of theirs counts as final.
import type { Confirmations } from '../chain/rpc/rpcNode.ts';

export interface NetworkSettings {
  /** URLs of nodes of one chain, the preferred first. */
  readonly urls: readonly string[];
  readonly confirmations: Confirmations;
}

const toUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  throw new Error(`CHAIN_RPC_URL has ${JSON.stringify(text)}; it must be http or https URLs, separated by commas`);
};

const toConfirmations = (text: string): Confirmations => {
  if (text === 'finalized') return text;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`CHAIN_CONFIRMATIONS is ${JSON.stringify(text)}; it must be a number from 1 to 999999, or finalized`);
};

/** The settings of two texts. @throws Error that names the one that makes no sense. */
export const toNetworkSettings = (urls: string, confirmations = '1'): NetworkSettings => ({
  urls: urls.split(',').map((text) => toUrl(text.trim())),
  confirmations: toConfirmations(confirmations),
});
