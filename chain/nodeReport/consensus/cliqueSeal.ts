// The signers and the seal of a reported clique header.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { hashHeader } from '../../../ledger/evidence/blockHeader.ts';
import { readCliqueHeaderSeal, readCliqueSigners } from '../../../ledger/evidence/cliqueSeal.ts';
import type { BlockSeals } from './blockSeals.ts';
import type { ReportedHeader } from './reportedHeader.ts';

/**
 * The signers and the seal of a clique header; undefined for other chains. `signers` are the addresses that the node
 * itself names (`clique_getSigners`). Without them, the signers are those of the header if it begins an epoch, else
 * those of the genesis block.
 */
export const readCliqueSeal = (
  { header, hash }: ReportedHeader,
  genesis: ReportedHeader,
  signers: readonly Hex[],
): BlockSeals | undefined => {
  const first = readCliqueSigners(genesis.header);
  const own = readCliqueHeaderSeal(header);
  if (first === undefined || own === undefined || toHex(hashHeader(header)) !== hash) return undefined;
  const current = signers.length > 0 ? signers : own.validators;
  const isListCurrent = current.length > 0;
  return { ...own, validators: isListCurrent ? current : first, isListCurrent };
};
