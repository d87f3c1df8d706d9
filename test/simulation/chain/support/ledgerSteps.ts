// Random uses of the ledger contract, most of them valid, for comparing the model with the contract.
import fc from 'fast-check';
import { ledgerInterface } from '../../../../chain/ledgerAbi.ts';
import { toSignatureBytes, type Wallet } from '../../../../chain/wallet.ts';
import { encodeAppendSignedCall } from '../../../../chain/writing/appendCalls.ts';
import { type RecordContent, toAppendDigest } from '../../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { walletOf } from './chainPair.ts';

/** Accounts of the steps: the owner is also the first tenant's administrator. */
export const WALLETS = [1, 2, 3, 4].map(walletOf);
export const ZERO: Hex = `0x${'00'.repeat(20)}`;
const ACCOUNTS = [...WALLETS.map(({ address }) => address), ZERO];

const keyOf = (kind: number, number: number): Uint8Array => {
  const key = new Uint8Array(32).fill(kind);
  key[31] = number;
  return key;
};
export const TENANTS = [1, 2, 3].map((number) => keyOf(0xaa, number));
export const STREAMS = [1, 2].map((number) => keyOf(0xbb, number));
export const RECORDS = [1, 2, 3, 4, 5, 6].map((number) => keyOf(0xcc, number));

/** Ways in which a batch's signature is not the author's. */
export const SIGNATURE_FAULTS = ['other signer', 'changed', 'short', 'wrong v', 'upper s'] as const;

type SignatureFault = 'none' | (typeof SIGNATURE_FAULTS)[number];

interface BatchStep {
  readonly tenant: number;
  readonly author: number;
  readonly records: readonly { stream: number; record: number; payload: Uint8Array }[];
  readonly fault: SignatureFault;
}

/** One transaction. */
export type LedgerStep = { readonly sender: number } & (
  | { readonly kind: 'role'; readonly name: string; readonly tenant: number; readonly account: number }
  | { readonly kind: 'append'; readonly batch: BatchStep }
  | { readonly kind: 'appendSigned'; readonly batches: readonly BatchStep[] }
  | { readonly kind: 'raw'; readonly data: Uint8Array }
);

const TOO_LARGE = new Uint8Array(65_537).fill(1);
const payloads = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(Buffer.from('same'), Buffer.alloc(32, 1), Buffer.alloc(100, 2)) },
  { weight: 4, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constantFrom(new Uint8Array(0), TOO_LARGE) },
);
const index = (list: readonly unknown[]): fc.Arbitrary<number> => fc.nat(list.length - 1);
// The first of a list more often than the others.
const mostlyFirst = (list: readonly unknown[]): fc.Arbitrary<number> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: index(list) });
const records = fc.array(fc.record({ stream: index(STREAMS), record: index(RECORDS), payload: payloads }), {
  maxLength: 4,
});
const faults: fc.Arbitrary<SignatureFault> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...SIGNATURE_FAULTS) },
);
const batches = fc.record({ tenant: mostlyFirst(TENANTS), author: mostlyFirst(WALLETS), records, fault: faults });
const roles = fc.constantFrom(
  'admitTenant',
  'addWriter',
  'removeWriter',
  'transferTenantAdministration',
  'acceptTenantAdministration',
);
const sender = mostlyFirst(WALLETS);

export const ledgerSteps: fc.Arbitrary<LedgerStep[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('role' as const),
        sender,
        name: roles,
        tenant: index(TENANTS),
        account: index(ACCOUNTS),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('append' as const), sender, batch: batches }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('appendSigned' as const),
        sender: index(WALLETS),
        batches: fc.array(batches, { maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('raw' as const), sender, data: fc.uint8Array({ maxLength: 80 }) }),
    },
  ),
  { minLength: 3, maxLength: 12 },
);

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const spoil = (signature: Uint8Array, fault: SignatureFault): Uint8Array => {
  if (fault === 'short') return signature.subarray(0, 64);
  const spoilt = Uint8Array.from(signature);
  if (fault === 'changed') spoilt[5]! ^= 1;
  if (fault === 'wrong v') spoilt[64] = 1;
  if (fault === 'upper s') {
    const upper = ORDER - BigInt(toHex(signature.subarray(32, 64)));
    spoilt.set(fromHex(`0x${upper.toString(16).padStart(64, '0')}`), 32);
    spoilt[64] = spoilt[64] === 27 ? 28 : 27;
  }
  return spoilt;
};

const toContents = ({ tenant, author, records }: BatchStep): RecordContent[] =>
  records.map(({ stream, record, payload }) => ({
    tenantKey: TENANTS[tenant]!,
    streamKey: STREAMS[stream]!,
    recordKey: RECORDS[record]!,
    author: WALLETS[author]!.addressBytes,
    payload,
  }));

const toSignedBatch = (domainSeparator: Uint8Array, step: BatchStep) => {
  const records = toContents(step);
  const signer: Wallet = WALLETS[(step.author + (step.fault === 'other signer' ? 1 : 0)) % WALLETS.length]!;
  const signature = toSignatureBytes(signer.sign(toAppendDigest(domainSeparator, records)));
  return {
    tenantKey: TENANTS[step.tenant]!,
    author: WALLETS[step.author]!.addressBytes,
    records,
    signature: spoil(signature, step.fault),
  };
};

const encodeAppend = ({ tenant, records }: BatchStep): Hex => {
  const encoded = records.map(({ stream, record, payload }) => [STREAMS[stream]!, RECORDS[record]!, payload]);
  return ledgerInterface.encodeFunctionData('append', [TENANTS[tenant]!, encoded]) as Hex;
};

/** Calldata of a step. */
export const toCalldata = (step: LedgerStep, domainSeparator: Uint8Array): Hex => {
  switch (step.kind) {
    case 'raw':
      return toHex(step.data);
    case 'append':
      return encodeAppend(step.batch);
    case 'appendSigned':
      return toHex(encodeAppendSignedCall(step.batches.map((batch) => toSignedBatch(domainSeparator, batch))));
    case 'role': {
      const args = [TENANTS[step.tenant]!, ACCOUNTS[step.account]!];
      const { length } = ledgerInterface.getFunction(step.name)!.inputs;
      return ledgerInterface.encodeFunctionData(step.name, args.slice(0, length)) as Hex;
    }
  }
};
