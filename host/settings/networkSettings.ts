// The nodes of the network that carries the ledger, and the finality of its blocks.
import type { Confirmations } from '../../chain/network/rpcNode.ts';
import type { ReadText } from './settingReaders.ts';

export interface NetworkSettings {
  /** URLs of nodes of one chain, the preferred first. */
  readonly urls: readonly string[];
  readonly confirmations: Confirmations;
}

const toUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  throw new Error('must be http or https URLs, with commas between');
};

/** URLs of nodes. */
export const asNodeUrls: ReadText<readonly string[]> = (text) => text.split(',').map((part) => toUrl(part.trim()));

/** Blocks that make a block final, itself included; or the node's own tag. */
export const asConfirmations: ReadText<Confirmations> = (text) => {
  if (text === 'finalized') return text;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error('must be a number from 1 to 999999, or finalized');
};

/** The network of a configuration; undefined for the embedded chain. */
export const toNetwork = ({
  chainRpcUrls,
  chainConfirmations,
}: {
  readonly chainRpcUrls: readonly string[] | undefined;
  readonly chainConfirmations: Confirmations;
}): NetworkSettings | undefined =>
  chainRpcUrls === undefined ? undefined : { urls: chainRpcUrls, confirmations: chainConfirmations };
