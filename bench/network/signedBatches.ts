// Transactions with the calldata of the server's, signed before they are sent: records of the same events, by the
// tenant's author, for the relayer.
import { randomUUID } from 'node:crypto';
import type { Fees } from '../../chain/port.ts';
import { toSignatureBytes, type Wallet } from '../../chain/wallet.ts';
import { encodeAppendSignedCall } from '../../chain/writing/appendCalls.ts';
import { signTransaction } from '../../chain/writing/signTransaction.ts';
import { type RecordContent, toAppendDigest, toDomainSeparator } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { toPrincipal } from '../../ledger/principal.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { toEventRecord, toProposedEvent } from '../../server/records/newEvent.ts';
import { toLoadEvent } from '../load/loadEvent.ts';

/** The ledger that gets the transactions, and the wallets that sign them. */
export interface Signers {
  readonly chainId: number;
  readonly contract: Hex;
  readonly tenantIdentity: string;
  readonly author: Wallet;
  readonly relayer: Wallet;
  /** The assets that the events go to, in turn. */
  readonly assets: readonly string[];
}

/** The fields of a transaction that are the same in all of them. */
export interface CommonFields {
  readonly gasLimit: number;
  readonly fees: Fees;
}

const toContent = (signers: Signers, count: number): RecordContent => {
  const asset = signers.assets[count % signers.assets.length]!;
  const identity = `${asset}/events/${randomUUID()}`;
  const principal = toPrincipal({
    issuer: 'urn:bench',
    subject: `root@${signers.tenantIdentity}`,
    display_name: 'root',
  });
  const acceptance = { atTimestamp: new Date().toISOString(), principal };
  const record = toEventRecord(toProposedEvent(toLoadEvent(0, count), identity), acceptance);
  return {
    tenantKey: toKey(signers.tenantIdentity),
    streamKey: toKey(asset),
    recordKey: toKey(identity),
    author: signers.author.addressBytes,
    payload: encodePayload(record),
  };
};

/** Calldata that appends so many new events, the first with the number `first`. */
export const toCalldata = (signers: Signers, first: number, events: number): Uint8Array => {
  const { chainId, contract, author, tenantIdentity } = signers;
  const records = Array.from({ length: events }, (_, at) => toContent(signers, first + at));
  const domain = toDomainSeparator({ chainId, contract: fromHex(contract) });
  const signature = toSignatureBytes(author.sign(toAppendDigest(domain, records)));
  return encodeAppendSignedCall([
    { tenantKey: toKey(tenantIdentity), author: author.addressBytes, records, signature },
  ]);
};

/** A signed transaction of the relayer, as bytes. */
export const signCalldata = (signers: Signers, data: Uint8Array, nonce: number, common: CommonFields): Uint8Array => {
  const { chainId, contract, relayer } = signers;
  return signTransaction({ ...common, chainId, nonce, to: fromHex(contract), data }, relayer);
};
