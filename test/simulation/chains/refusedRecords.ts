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

interface RefusedRecord {
  readonly tenant: Hex;
  readonly identity: string;
}

const toRecords = ({ data }: RevertedCall): RefusedRecord[] => {
  const call = ledgerInterface.parseTransaction({ data: toHex(data) });
  const read = (tenant: Hex, records: Records): RefusedRecord[] =>
    records.map(([, , payload]) => ({ tenant, identity: decodePayload(fromHex(payload))!.identity }));
  if (call?.name === 'append') return read(call.args[0] as Hex, call.args[1] as Records);
  const batches: readonly Batch[] = call?.name === 'appendSigned' ? call.args[0] : [];
  return batches.flatMap(([tenant, , records]) => read(tenant, records));
};

/**
 * Identities of the records that the contract refused because their author was no writer: those that were alone in a
 * transaction, and those of the same tenant that were in an earlier transaction with one of these.
 */
export const findRefused = (calls: readonly RevertedCall[]): Set<string> => {
  const refused = calls.filter(({ output }) => output.startsWith(NOT_WRITER)).map(toRecords);
  const alone = new Map<string, number>();
  for (const [at, [first, ...others]] of refused.entries()) if (others.length === 0) alone.set(first!.identity, at);
  const together = refused.flatMap((records, at) => {
    const decided = records.filter(({ identity }) => (alone.get(identity) ?? -1) > at).map(({ tenant }) => tenant);
    return records.filter(({ tenant }) => decided.includes(tenant)).map(({ identity }) => identity);
  });
  return new Set([...alone.keys(), ...together]);
};
