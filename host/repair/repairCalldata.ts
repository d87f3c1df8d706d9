// Reads the records in the calldata of the ledger's transactions, with their payloads. The chain's own reader
// (chain/embedded/rpc/appendCalldata.ts) runs for every transaction, and reads only keys.
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';

export interface CalldataBatch {
  readonly tenantKey: Hex;
  /** Lower-case. */
  readonly author: Hex;
  readonly records: readonly { readonly recordKey: Hex; readonly payload: Uint8Array }[];
}

interface Tuple {
  readonly id: Hex;
  readonly payload: Hex;
}

interface SignedTuple {
  readonly tenant: Hex;
  readonly author: Hex;
  readonly records: readonly Tuple[];
}

const toBatch = ({ tenant, author, records }: SignedTuple): CalldataBatch => ({
  tenantKey: tenant,
  author: author.toLowerCase() as Hex,
  records: records.map(({ id, payload }) => ({ recordKey: id, payload: fromHex(payload) })),
});

/**
 * The function of the ledger contract that calldata calls, with its arguments; undefined when it calls none, or when
 * the arguments can't be decoded.
 */
const parseCall = (data: Uint8Array): { name: string; args: readonly unknown[] } | undefined => {
  try {
    const call = ledgerInterface.parseTransaction({ data: `0x${Buffer.from(data).toString('hex')}` });
    // ethers decodes arguments only when they are read, nested ones too.
    return call === null ? undefined : { name: call.name, args: call.args.toArray(true) };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
};

/** Name of the contract's function that calldata calls; undefined when it is none of them. */
export const findFunction = (data: Uint8Array): string | undefined => parseCall(data)?.name;

/** Batches that a transaction to the contract appends; empty when it appends none. */
export const readBatches = ({ data, from }: { data: Uint8Array; from: Hex }): CalldataBatch[] => {
  const call = parseCall(data);
  if (call?.name === 'appendSigned') {
    const [batches] = call.args as [readonly [Hex, Hex, readonly (readonly [Hex, Hex, Hex])[], Hex][]];
    return batches.map(([tenant, author, records]) => toBatch({ tenant, author, records: records.map(toTuple) }));
  }
  if (call?.name !== 'append') return [];
  const [tenant, records] = call.args as [Hex, readonly (readonly [Hex, Hex, Hex])[]];
  return [toBatch({ tenant, author: from, records: records.map(toTuple) })];
};

const toTuple = ([, id, payload]: readonly [Hex, Hex, Hex]): Tuple => ({ id, payload });
