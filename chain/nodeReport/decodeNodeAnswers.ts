// Converts a node's answers, besides its blocks, into the report's fields. A node may lack each method, disable it or
// answer with anything; then the field is empty and the rest of the report stands.
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import type { NodeSyncing } from '../port.ts';
import { toPublicKey } from './consensus/publicKey.ts';
import { decodeCappedQuantity } from './consensus/reportedHeader.ts';

/** Above the default limits of nodes (geth 50, Besu 25). */
const PEERS_MAX = 256;
const SIGNERS_MAX = 1024;

/** Client names of one kind: Hardhat's node, and its runtime alone, which is the embedded chain. */
const KINDS: Readonly<Record<string, string>> = { hardhatnetwork: 'hardhat', edr: 'hardhat' };

/**
 * The lower-case name before the first slash of `web3_clientVersion`: `geth` for
 * `Geth/v1.13.14-stable/linux-amd64/go1.21`.
 */
export const toKind = (clientVersion: unknown): string | undefined => {
  const name =
    typeof clientVersion === 'string' ? /^[a-z0-9][a-z0-9._-]{0,31}(?=\/|$)/i.exec(clientVersion)?.[0] : undefined;
  const kind = name?.toLowerCase();
  return kind && (KINDS[kind] ?? kind);
};

/**
 * Decodes `eth_syncing`: false means that the node isn't catching up; anything but the three quantities counts as no
 * answer. A quantity that is too large is shown as the largest number: to omit it would mean that the node isn't
 * behind.
 */
export const toSyncing = (answer: unknown): NodeSyncing | undefined => {
  if (!isJsonObject(answer)) return undefined;
  const startingBlock = decodeCappedQuantity(answer.startingBlock);
  const currentBlock = decodeCappedQuantity(answer.currentBlock);
  const highestBlock = decodeCappedQuantity(answer.highestBlock);
  if (startingBlock === undefined || currentBlock === undefined || highestBlock === undefined) return undefined;
  return { startingBlock, currentBlock, highestBlock };
};

/**
 * The key of a node as `admin_nodeInfo` and `admin_peers` describe it; undefined when they lack it. In devp2p the id of
 * a node is its public key. geth's `id` is a hash of it and has half the length; Besu's starts with 0x.
 */
export const toNodeKey = (node: unknown): Uint8Array | undefined => {
  if (!isJsonObject(node)) return undefined;
  const ofUrl = typeof node.enode === 'string' ? /^enode:\/\/([0-9a-f]{128})@/i.exec(node.enode)?.[1] : undefined;
  const ofId = typeof node.id === 'string' ? /^(?:0x)?([0-9a-f]{128})$/i.exec(node.id)?.[1] : undefined;
  const digits = ofUrl ?? ofId;
  return digits === undefined ? undefined : toPublicKey(fromHex(`0x${digits}`));
};

/** Decodes `admin_peers`: the keys of the connected nodes; undefined where a key can't be read. */
export const toPeerKeys = (peers: unknown): (Uint8Array | undefined)[] =>
  Array.isArray(peers) ? peers.slice(0, PEERS_MAX).filter(isJsonObject).map(toNodeKey) : [];

/** A lower-case address; undefined when it isn't one. */
export const toAddress = (address: unknown): Hex | undefined =>
  typeof address === 'string' && /^0x[0-9a-f]{40}$/i.test(address) ? (address.toLowerCase() as Hex) : undefined;

/** Decodes `clique_getSigners`: lower-case addresses, each once. */
export const toSigners = (signers: unknown): Hex[] => {
  const list = Array.isArray(signers) ? signers.slice(0, SIGNERS_MAX) : [];
  return [...new Set(list.map(toAddress))].filter((address) => address !== undefined);
};
