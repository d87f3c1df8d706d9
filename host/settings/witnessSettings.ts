// The witnesses of the block log, how many of them make a checkpoint valid, and who stamps it.
import type { WitnessAddress } from '../../chain/blockLog/witnessClient.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { decodeVerifierKey, SIGNATURE_TYPE } from '../../ledger/evidence/verifierKey.ts';
import type { ReadText } from './settingReaders.ts';

const WITNESSES_MAX = 16;
const FORM = 'must be verifier keys for cosignatures, each with a blank and an http or https URL, and commas between';

const toUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return url.search === '' && url.hash === '' ? url.href.replace(/\/+$/, '') : undefined;
};

/** The address of a time stamping authority. */
export const asTsaUrl: ReadText<string> = (text) => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href;
  throw new Error('must be an http or https URL without a password');
};

const toWitness = (text: string): WitnessAddress => {
  const [vkey = '', address = '', ...rest] = text.trim().split(/\s+/);
  const url = toUrl(address);
  if (url === undefined || rest.length > 0) throw new Error(FORM);
  try {
    const key = decodeVerifierKey(vkey);
    if (key.type === SIGNATURE_TYPE.cosignature) return { key, url };
  } catch (cause) {
    throw new Error(FORM, { cause });
  }
  throw new Error(FORM);
};

/** Witnesses: verifier key and URL of each, and each key once. */
export const asWitnesses: ReadText<readonly WitnessAddress[]> = (text) => {
  const witnesses = text.split(',').map(toWitness);
  const keys = new Set(witnesses.map(({ key }) => toHex(key.publicKey)));
  if (keys.size < witnesses.length) throw new Error('must be different witnesses, each key once');
  if (witnesses.length > WITNESSES_MAX) throw new Error(`must be at most ${WITNESSES_MAX} witnesses`);
  return witnesses;
};

/** How many of the witnesses must cosign: all unless the setting says fewer. @throws Error when it says more. */
export const toQuorum = (witnesses: readonly WitnessAddress[], quorum: number | undefined): number => {
  if (quorum === undefined || quorum <= witnesses.length) return quorum ?? witnesses.length;
  throw new Error(`WITNESS_QUORUM is ${quorum}, and WITNESSES has ${witnesses.length} witnesses`);
};
