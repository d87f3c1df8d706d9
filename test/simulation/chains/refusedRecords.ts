// The records that the contract refused because their author was no writer, as the transactions of a chain show it.
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { decodePayload } from '../../../ledger/records/record.ts';

/** A transaction that reverted: its calldata, and the data of the revert. */
export interface RevertedCall {
  readonly data: Uint8Array;
  readonly output: Hex;
}

type Records = readonly (readonly [stream: Hex, id: Hex, payload: Hex])[];
type Batch = readonly [tenant: Hex, author: Hex, records: Records];

const NOT_WRITER = ledgerInterface.getError('LedgerNotWriter')!.selector;

const toPayloads = ({ data }: RevertedCall): Hex[] => {
  const call = ledgerInterface.parseTransaction({ data: toHex(data) });
  const toPayload = ([, , payload]: Records[number]): Hex => payload;
  if (call?.name === 'append') return (call.args[1] as Records).map(toPayload);
  const batches: readonly Batch[] = call?.name === 'appendSigned' ? call.args[0] : [];
  return batches.flatMap(([, , records]) => records.map(toPayload));
};

/** Identities of the records that a transaction with no other record contained, when their author was no writer. */
export const findRefusedAlone = (calls: readonly RevertedCall[]): Set<string> =>
  new Set(
    calls
      .filter(({ output }) => output.startsWith(NOT_WRITER))
      .map(toPayloads)
      .filter(({ length }) => length === 1)
      .map(([payload]) => decodePayload(fromHex(payload!))!.identity),
  );
