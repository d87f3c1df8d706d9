// The validators' keys of a node's peers. A peer reports its devp2p key. On QBFT and IBFT that is its validator's key.
// A signer of clique has a key of its own: which peer is which signer is known only for a node that reported both.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKeyAddress } from '../../ledger/evidence/sealers.ts';
import type { NodeStatus } from '../port.ts';
import type { FetchedStatus } from './fetchNodeStatus.ts';

/** The signers' keys of nodes that have reported both keys, by their devp2p keys. */
export interface KnownSigners {
  /** Learns from a node of the ledger's chain. */
  note(fetched: FetchedStatus): void;
  /** The peers of a node with the keys of their validators. */
  toPeers(fetched: FetchedStatus): NodeStatus['peers'];
}

const isSigner = (signers: readonly Hex[], key: Uint8Array): boolean => signers.includes(toKeyAddress(key));

/** No node is known at first; there are as many as the settings name. */
export const createKnownSigners = (): KnownSigners => {
  const signerKeys = new Map<Hex, Uint8Array>();
  const match = (signers: readonly Hex[], key: Uint8Array): Uint8Array | undefined => {
    const found = isSigner(signers, key) ? key : signerKeys.get(toHex(key));
    return found && isSigner(signers, found) ? found : undefined;
  };
  return {
    note: ({ nodeKey, status: { validatorKey } }) => {
      if (nodeKey !== undefined && validatorKey !== undefined) signerKeys.set(toHex(nodeKey), validatorKey);
    },
    toPeers: ({ peerKeys, signers }) =>
      peerKeys.map((key) => ({
        validatorKey: signers === undefined || key === undefined ? key : match(signers, key),
      })),
  };
};
