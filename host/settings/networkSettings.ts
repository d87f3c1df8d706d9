// The nodes of the network that carries the ledger, and the finality of its blocks.
import { isAddress } from 'ethers';
import type { Confirmations } from '../../chain/network/rpcNode.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { parseTenantIdentity } from '../../ledger/identity.ts';
import type { ReadText } from './settingReaders.ts';

export interface NetworkSettings {
  /** Lower-case address of a ledger that another installation deployed; undefined: the directory's own. */
  readonly contract?: Hex | undefined;
  /** URLs of nodes of one chain, the preferred first. */
  readonly urls: readonly string[];
  /** URLs of WebSocket at which nodes announce their new blocks; undefined: all blocks are polled. */
  readonly headUrls?: readonly string[] | undefined;
  readonly confirmations: Confirmations;
  /** How many URLs must agree on a final block; undefined for a majority of them. */
  readonly agreeing?: number | undefined;
  /** Lower-case addresses of the validators whose seals make a block final; undefined: the nodes' word does. */
  readonly validators?: readonly Hex[] | undefined;
  /** Whether the network promises blocks without transactions; undefined: its engine and its blocks decide. */
  readonly promisesBlocks?: boolean | undefined;
}

/** The seals of a header that are read. */
const VALIDATORS_MAX = 256;

const toUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  throw new Error('must be http or https URLs, with commas between');
};

/** URLs of nodes. */
export const asNodeUrls: ReadText<readonly string[]> = (text) => text.split(',').map((part) => toUrl(part.trim()));

/** Addresses at which a server subscribes: each has a connection. */
const HEAD_URLS_MAX = 16;

const toHeadUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url !== null && /^wss?:$/.test(url.protocol) && url.hash === '') return url.href;
  throw new Error(`must be at most ${HEAD_URLS_MAX} ws or wss URLs, with commas between`);
};

/** URLs of WebSocket. */
export const asHeadUrls: ReadText<readonly string[]> = (text) => {
  const parts = text.split(',');
  // The last one's error states the number, too.
  return parts.map((part, at) => toHeadUrl(at < HEAD_URLS_MAX ? part.trim() : ''));
};

/** Blocks that make a block final, itself included; or the node's own tag. */
export const asConfirmations: ReadText<Confirmations> = (text) => {
  if (text === 'finalized') return text;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error('must be a number from 1 to 999999, or finalized');
};

/** How many URLs must agree. */
export const asAgreeing: ReadText<number> = (text) => {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Error('must be a number from 1 to 99');
};

/** Addresses of validators. */
export const asValidators: ReadText<readonly Hex[]> = (text) => {
  const addresses = text.split(',').map((part) => part.trim().toLowerCase());
  const isList = addresses.every((address) => /^0x[0-9a-f]{40}$/.test(address)) && addresses.length <= VALIDATORS_MAX;
  if (isList && new Set(addresses).size === addresses.length) return addresses as Hex[];
  throw new Error(`must be at most ${VALIDATORS_MAX} different addresses, with commas between`);
};

/** The address of a contract, in lower case. One with upper-case letters too has its checksum (EIP-55). */
export const asContract: ReadText<Hex> = (text) => {
  if (isAddress(text) && text.startsWith('0x')) return text.toLowerCase() as Hex;
  throw new Error('must be the address of a contract: 0x and 40 hexadecimal digits, copied without a change');
};

/** Whether blocks come without transactions. */
export const asPromise: ReadText<boolean> = (text) => {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new Error('must be yes or no');
};

/** Tenants that a server may list. */
const SERVED_TENANTS_MAX = 10_000;

/** Identities of tenants. */
export const asTenants: ReadText<readonly string[]> = (text) => {
  const parts = text.split(',');
  const identities = parts.flatMap((part) => parseTenantIdentity(part.trim()) ?? []);
  const isList = identities.length === parts.length && parts.length <= SERVED_TENANTS_MAX;
  if (isList && new Set(identities).size === parts.length) return identities;
  throw new Error(`must be at most ${SERVED_TENANTS_MAX} different tenants, tenant/<uuid>, with commas between`);
};

/** The network of a configuration; undefined for the embedded chain. */
export const toNetwork = ({
  chainRpcUrls,
  chainWsUrls,
  chainConfirmations,
  chainAgreeing,
  chainValidators,
  chainEmptyBlocks,
  ledgerContract,
}: {
  readonly chainRpcUrls: readonly string[] | undefined;
  readonly chainWsUrls?: readonly string[] | undefined;
  readonly chainConfirmations: Confirmations;
  readonly chainAgreeing: number | undefined;
  readonly chainValidators: readonly Hex[] | undefined;
  readonly chainEmptyBlocks?: boolean | undefined;
  readonly ledgerContract?: Hex | undefined;
}): NetworkSettings | undefined => {
  if (chainRpcUrls === undefined) {
    if (chainWsUrls !== undefined)
      throw new Error('CHAIN_WS_URL only announces the blocks of a network; name its nodes with CHAIN_RPC_URL');
    if (ledgerContract === undefined) return undefined;
    throw new Error('LEDGER_CONTRACT names a ledger on a network; name its nodes with CHAIN_RPC_URL');
  }
  if (chainAgreeing !== undefined && chainAgreeing > chainRpcUrls.length) {
    throw new Error(`CHAIN_AGREEING is ${chainAgreeing}, and CHAIN_RPC_URL has ${chainRpcUrls.length} URLs`);
  }
  if (chainAgreeing !== undefined && chainValidators !== undefined) {
    throw new Error(
      'CHAIN_AGREEING has no effect with CHAIN_VALIDATORS: a block is final by seals, whichever node has it',
    );
  }
  return {
    contract: ledgerContract,
    urls: chainRpcUrls,
    headUrls: chainWsUrls,
    confirmations: chainConfirmations,
    agreeing: chainAgreeing,
    validators: chainValidators,
    promisesBlocks: chainEmptyBlocks,
  };
};
