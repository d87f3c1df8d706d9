// Requests a time stamp of a message from a time stamping authority (RFC 3161, over HTTP).
import { randomBytes } from 'node:crypto';
import { fromBER, Integer, Null, OctetString, Sequence } from 'asn1js';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { isDer } from '../../ledger/evidence/der.ts';
import { sha256 } from '../../ledger/evidence/sha256.ts';
import { readBounded } from '../jsonRpc/readBounded.ts';

const SHA_256 = '2.16.840.1.101.3.4.2.1';
const NONCE_BYTES = 8;
/** Each evidence file has the token. One has less than 2 kB without certificates, and some 6 kB with three of them. */
const ANSWER_BYTES_MAX = 8_192;
const GRANTED = 0;
const GRANTED_WITH_CHANGES = 1;

const load = () => import('pkijs');

// A positive number of exactly 8 bytes.
const newNonce = (): Uint8Array => {
  const nonce = randomBytes(NONCE_BYTES);
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  return nonce;
};

const encodeRequest = async (message: Uint8Array, nonce: Uint8Array): Promise<Uint8Array> => {
  const { AlgorithmIdentifier, MessageImprint, TimeStampReq } = await load();
  const hashAlgorithm = new AlgorithmIdentifier({ algorithmId: SHA_256, algorithmParams: new Null() });
  const hashedMessage = new OctetString({ valueHex: new Uint8Array(sha256(message)).buffer });
  const messageImprint = new MessageImprint({ hashAlgorithm, hashedMessage });
  const request = new TimeStampReq({
    version: 1,
    messageImprint,
    nonce: new Integer({ valueHex: new Uint8Array(nonce).buffer }),
  });
  return new Uint8Array(request.toSchema().toBER());
};

// The bytes as the authority sent them, which its signature is over.
const toToken = (response: Uint8Array): Uint8Array => {
  const { result } = fromBER(response);
  const token = result instanceof Sequence ? result.valueBlock.value[1] : undefined;
  if (token === undefined) throw new Error('an answer without a token');
  return new Uint8Array(token.valueBeforeDecodeView);
};

const isOf = (token: { info: import('pkijs').TSTInfo }, message: Uint8Array, nonce: Uint8Array): boolean => {
  const { messageImprint, nonce: answered } = token.info;
  const isHash = messageImprint.hashAlgorithm.algorithmId === SHA_256;
  const isMessage = isSameBytes(messageImprint.hashedMessage.valueBlock.valueHexView, sha256(message));
  return isHash && isMessage && answered !== undefined && isSameBytes(answered.valueBlock.valueHexView, nonce);
};

/**
 * The token in an answer.
 * @throws Error when it isn't granted, or the token is that of another message or another request.
 */
const readAnswer = async (bytes: Uint8Array, message: Uint8Array, nonce: Uint8Array): Promise<Uint8Array> => {
  const { SignedData, TimeStampResp, TSTInfo } = await load();
  if (!isDer(bytes)) throw new Error('an answer that is no DER');
  const { status, timeStampToken } = TimeStampResp.fromBER(new Uint8Array(bytes).buffer);
  const isGranted = status.status === GRANTED || status.status === GRANTED_WITH_CHANGES;
  if (!isGranted || timeStampToken === undefined) throw new Error(`it answers with status ${status.status}`);
  const { eContent } = new SignedData({ schema: timeStampToken.content }).encapContentInfo;
  if (eContent === undefined) throw new Error('a token without content');
  if (!isOf({ info: TSTInfo.fromBER(eContent.getValue()) }, message, nonce))
    throw new Error('a token of another message or request');
  return toToken(bytes);
};

/**
 * A token (DER) of a message, without certificates. Status, message and nonce are checked, the signature isn't.
 * @throws Error when the authority doesn't answer, or not with such a token, or with more than 8 KiB.
 */
export const requestTimestamp = async (url: string, message: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
  const nonce = newNonce();
  const body = new Uint8Array(await encodeRequest(message, nonce));
  const headers = { 'content-type': 'application/timestamp-query' };
  const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it answers ${response.status}`);
  }
  const answer = await readBounded(response, ANSWER_BYTES_MAX);
  if (answer === undefined) throw new Error(`an answer of more than ${ANSWER_BYTES_MAX} bytes`);
  return readAnswer(answer, message, nonce);
};
