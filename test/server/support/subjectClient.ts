// Requests about subjects, by an administrator of the first tenant unless they name another caller.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import { toWalletAddress } from '../../../ledger/records/subject.ts';
import { aLocationRecord } from '../../support/records.ts';
import type { RequestOptions, ServerAnswer, TestServer } from './testServer.ts';

/** The address of `WALLET_KEY`. */
export const WALLET_ADDRESS = '0x99Fa4AAB0AF2B53f158083D8f244bb4523388197';

/** The public key of the wallet of this number. */
export const walletKeyOf = (wallet: number): string =>
  Buffer.from(secp256k1.getPublicKey(Buffer.alloc(32, wallet), false)).toString('hex');

export interface SubjectClient {
  create(json: unknown, options?: RequestOptions): Promise<ServerAnswer>;
  /** `path`: below `iam/v1/`. */
  read(path: string, options?: RequestOptions): Promise<ServerAnswer>;
  patch(path: string, json: unknown, options?: RequestOptions): Promise<ServerAnswer>;
  remove(path: string, options?: RequestOptions): Promise<ServerAnswer>;
  /** A page of the list, counted, and the names on it. */
  list(query?: string): Promise<ServerAnswer & { readonly names: readonly string[] }>;
  /** Puts a record on the chain that a wallet has written for a tenant. */
  write(tenantIdentity: string, wallet: number, location: number): Promise<unknown>;
}

export const createSubjectClient = (server: TestServer): SubjectClient => {
  const send = (method: string, path: string, options: RequestOptions = {}): Promise<ServerAnswer> =>
    server.request(method, `/svc/iam/v1/${path}`, { as: server.tenant.administrator, ...options });
  return {
    create: (json, options) => send('POST', 'subjects', { json, ...options }),
    read: (path, options) => send('GET', path, options),
    patch: (path, json, options) => send('PATCH', path, { json, ...options }),
    remove: (path, options) => send('DELETE', path, options),
    list: async (query = '') => {
      const answer = await send('GET', `subjects?${query}`, { headers: { 'x-request-total-count': 'true' } });
      expect(answer.status).to.be.oneOf([200, 206]);
      return { ...answer, names: answer.body.subjects.map((each: { display_name: string }) => each.display_name) };
    },
    write: (tenantIdentity, wallet, location) =>
      server.ledger.mine({
        tenantIdentity,
        record: aLocationRecord(location),
        changed: { author: toWalletAddress(walletKeyOf(wallet)) },
      }),
  };
};
