// The EIP-712 types that a tenant's writer signs, written down independently of ledger/encoding/digest.ts.

/** The members of `Record`, in the order of the contract's type. */
export const RECORD = [
  { name: 'tenant', type: 'bytes32' },
  { name: 'stream', type: 'bytes32' },
  { name: 'id', type: 'bytes32' },
  { name: 'author', type: 'address' },
  { name: 'payload', type: 'bytes' },
];

/** A batch of records, and what it contains. */
export const APPEND = { Append: [{ name: 'records', type: 'Record[]' }], Record: RECORD };
