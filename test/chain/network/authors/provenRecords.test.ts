// What a transaction proves about the authors of records.
import { expect } from 'chai';
import { Wallet as EthersWallet, Transaction } from 'ethers';
import {
  type AuthorCheck,
  type ProvenTransaction,
  readProvenDigests,
} from '../../../../chain/network/authors/provenRecords.ts';
import { createWallet, toSignatureBytes } from '../../../../chain/wallet.ts';
import { encodeAppendCall, encodeAppendSignedCall } from '../../../../chain/writing/appendCalls.ts';
import { finish } from '../../../../ledger/compliance/steps.ts';
import {
  type RecordContent,
  toAppendDigest,
  toDomainSeparator,
  toRecordDigest,
} from '../../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../../ledger/encoding/keccak.ts';
import { countCopiedItems } from '../../../support/copiedItems.ts';

const CHAIN_ID = 424_242;
const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
const OTHER: Hex = `0x${'0c'.repeat(20)}`;
const DOMAIN = toDomainSeparator({ chainId: CHAIN_ID, contract: fromHex(CONTRACT) });

const toKey = (name: string): Uint8Array => keccak256(Buffer.from(name));
const author = createWallet(toKey('author'));
const other = createWallet(toKey('other'));
const check: AuthorCheck = {
  accounts: new Set([author.address]),
  chainId: CHAIN_ID,
  contract: CONTRACT,
  domain: DOMAIN,
};

const toRecord = (name: string, by = author): RecordContent => ({
  tenantKey: toKey('tenant'),
  streamKey: toKey('stream'),
  recordKey: toKey(name),
  author: by.addressBytes,
  payload: Buffer.from(`payload of ${name}`),
});
const RECORDS = ['one', 'two', 'three'].map((name) => toRecord(name));
const DIGESTS = RECORDS.map((record) => toHex(toRecordDigest(DOMAIN, record)));

const toBatch = (records: readonly RecordContent[], signer = author, domain = DOMAIN) => ({
  tenantKey: records[0]!.tenantKey,
  author: records[0]!.author,
  records,
  signature: toSignatureBytes(signer.sign(toAppendDigest(domain, records))),
});
const toCall = (...batches: ReturnType<typeof toBatch>[]): Uint8Array => encodeAppendSignedCall(batches);
const prove = (transaction: ProvenTransaction): Hex[] => finish(readProvenDigests(check, transaction));
const read = (input: Uint8Array | Hex, to = CONTRACT): Hex[] =>
  prove({ to, input: typeof input === 'string' ? input : toHex(input) });

describe('the records that a transaction proves to be their authors', () => {
  it('are those of each batch that its author signed, any account may send it', () => {
    expect(read(toCall(toBatch(RECORDS)))).to.deep.equal(DIGESTS);
    expect(read(toCall(toBatch(RECORDS.slice(1)), toBatch(RECORDS.slice(0, 1))))).to.deep.equal([
      ...DIGESTS.slice(1),
      DIGESTS[0],
    ]);
  });

  it('are those of a call within a call of another contract', () => {
    const passedOn = `0x12345678${'00'.repeat(37)}${toHex(toCall(toBatch(RECORDS))).slice(2)}${'00'.repeat(5)}` as Hex;
    expect(read(passedOn, OTHER)).to.deep.equal(DIGESTS);
  });

  const signed = toHex(toCall(toBatch(RECORDS)));
  const changed = (text: string): Hex => {
    const at = signed.indexOf(Buffer.from(text).toString('hex'));
    return `${signed.slice(0, at)}ff${signed.slice(at + 2)}` as Hex;
  };
  const otherDomain = toDomainSeparator({ chainId: CHAIN_ID, contract: fromHex(OTHER) });
  const UNPROVEN: Readonly<Record<string, Uint8Array | Hex>> = {
    'a batch that another account signed': toCall(toBatch(RECORDS, other)),
    'a batch with another payload than the signed one': changed('payload of two'),
    'a batch that is signed for another ledger': toCall(toBatch(RECORDS, author, otherDomain)),
    'a batch of an account that is not checked': toCall(toBatch([toRecord('one', other)], other)),
    'a batch with a signature of another length': toCall({ ...toBatch(RECORDS), signature: new Uint8Array(64) }),
    'a batch with values outside of any signature': toCall({ ...toBatch(RECORDS), signature: Buffer.alloc(65, 27) }),
    'calldata that is cut off': signed.slice(0, -200) as Hex,
    'the selector alone': signed.slice(0, 10) as Hex,
    'no calldata': '0x',
  };
  for (const [name, input] of Object.entries(UNPROVEN))
    it(`are none for ${name}`, () => {
      expect(read(input)).to.deep.equal([]);
    });

  it('are checked with a step for each signature', () => {
    const batches = RECORDS.map((record) => toBatch([record]));
    const steps = readProvenDigests(check, { to: CONTRACT, input: toHex(toCall(...batches)) });
    for (const _ of batches) expect(steps.next().done).to.equal(false);
    expect(steps.next()).to.deep.equal({ done: true, value: DIGESTS });
  });

  it('are those that remain when one of two batches is not signed', () => {
    expect(read(toCall(toBatch(RECORDS.slice(0, 1), other), toBatch(RECORDS.slice(1))))).to.deep.equal(
      DIGESTS.slice(1),
    );
  });

  const send = (wallet: EthersWallet, fields: object): ProvenTransaction => {
    const data = toHex(
      encodeAppendCall({ tenantKey: RECORDS[0]!.tenantKey, author: author.addressBytes, records: RECORDS }),
    );
    const sent = Transaction.from({ to: CONTRACT, chainId: CHAIN_ID, nonce: 7, gasLimit: 90_000, data, ...fields });
    sent.signature = wallet.signingKey.sign(sent.unsignedHash);
    const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
    const { r, s, yParity } = sent.signature;
    const v = sent.chainId === 0n ? 27n : 35n + 2n * sent.chainId;
    const isLegacy = sent.type === 0;
    return {
      ...(isLegacy ? { v: quantity(v + BigInt(yParity)), gasPrice: quantity(sent.gasPrice!) } : {}),
      ...(isLegacy ? {} : { yParity: quantity(yParity), accessList: [], chainId: quantity(sent.chainId) }),
      ...(isLegacy ? {} : { maxFeePerGas: quantity(sent.maxFeePerGas!), maxPriorityFeePerGas: quantity(1) }),
      type: quantity(sent.type!),
      nonce: '0x7',
      gas: quantity(sent.gasLimit),
      to: sent.to,
      value: '0x0',
      input: data,
      r: quantity(BigInt(r)),
      s: quantity(BigInt(s)),
    };
  };
  const own = new EthersWallet(toHex(toKey('author')));
  const otherSender = new EthersWallet(toHex(toKey('other')));
  const PRICED = { type: 2, maxFeePerGas: 9, maxPriorityFeePerGas: 1 };

  it('are all that the author sends to the ledger, with a transaction of either kind', () => {
    expect(prove(send(own, PRICED))).to.deep.equal(DIGESTS);
    expect(prove(send(own, { type: 0, gasPrice: 9 }))).to.deep.equal(DIGESTS);
    expect(prove(send(own, { type: 0, gasPrice: 9, chainId: 0 }))).to.deep.equal(DIGESTS);
  });

  it('are found without copying the access list of the transaction for each entry', () => {
    const accessList = Array.from({ length: 500 }, () => ({ address: OTHER, storageKeys: [] }));
    const sent = { ...send(own, { ...PRICED, accessList }), accessList };
    const copied = countCopiedItems(() => {
      expect(prove(sent)).to.deep.equal(DIGESTS);
    });
    expect(copied).to.be.lessThan(500 * 23);
  });

  it('are none that another account, or the author to another contract or on another chain, has sent', () => {
    expect(prove(send(otherSender, PRICED))).to.deep.equal([]);
    expect(prove(send(own, { ...PRICED, to: OTHER }))).to.deep.equal([]);
    expect(prove(send(own, { ...PRICED, chainId: 1 }))).to.deep.equal([]);
  });

  it('are none of a transaction whose sender is only claimed', () => {
    const claimed = { ...send(otherSender, PRICED), from: author.address };
    expect(prove(claimed)).to.deep.equal([]);
  });
});
