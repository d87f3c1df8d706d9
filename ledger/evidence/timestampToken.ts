// Tokens of a time stamping authority (RFC 3161): that bytes existed at a time, by the authority's word.
import { fromBER, OctetString, Sequence } from 'asn1js';
import type { Attribute, Certificate, SignedData, SignerInfo, TSTInfo } from 'pkijs';
import { isSameBytes } from './bytes.ts';
import { encodeCertificate, isUnderRoot } from './certificateChain.ts';
import { isDer } from './der.ts';
import { assertReadable } from './unreadableEvidence.ts';

const SHA_256 = '2.16.840.1.101.3.4.2.1';
/** Hashes of signatures, with their names in WebCrypto. */
const HASHES: Readonly<Record<string, string>> = {
  [SHA_256]: 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
};
/** RSA (PKCS #1, version 1.5), also with each of the hashes, and ECDSA with each. */
const SIGNATURES = [
  '1.2.840.113549.1.1.1',
  ...[11, 12, 13].map((last) => `1.2.840.113549.1.1.${last}`),
  ...[2, 3, 4].map((last) => `1.2.840.10045.4.3.${last}`),
];
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const DATA = '1.2.840.113549.1.7.1';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const CERTIFICATES_MAX = 8;

/** A token whose form is right, and who is named as its signer. */
interface Token {
  readonly signed: SignedData;
  readonly info: TSTInfo;
  readonly signer: SignerInfo;
  readonly certificates: readonly Certificate[];
}

/** What a token says of bytes: that they existed at a time, nothing that is under the caller's roots, or a lie. */
export type Timestamp = { readonly isUnderRoot: false } | { readonly isUnderRoot: true; readonly at: Date | undefined };

// The libraries throw errors of many kinds for bytes that are no token.
const decodeToken = async (bytes: Uint8Array): Promise<Token | undefined> => {
  if (!isDer(bytes)) return undefined;
  try {
    const pkijs = await import('pkijs');
    const content = new pkijs.ContentInfo({ schema: fromBER(bytes).result });
    const signed = new pkijs.SignedData({ schema: content.content });
    const { eContentType, eContent } = signed.encapContentInfo;
    const [signer, ...others] = signed.signerInfos;
    const isToken = content.contentType === SIGNED_DATA && eContentType === TST_INFO && others.length === 0;
    const [algorithm, ...more] = signed.digestAlgorithms;
    const isOne = more.length === 0 && algorithm?.algorithmId === signer?.digestAlgorithm.algorithmId;
    const isKnown = SIGNATURES.includes(String(signer?.signatureAlgorithm.algorithmId));
    if (!isToken || !isOne || !isKnown || signer?.signedAttrs === undefined || eContent === undefined) return undefined;
    const info = pkijs.TSTInfo.fromBER(eContent.getValue());
    const certificates = (signed.certificates ?? []).filter((one) => one instanceof pkijs.Certificate);
    return certificates.length > CERTIFICATES_MAX ? undefined : { signed, info, signer, certificates };
  } catch {
    return undefined;
  }
};

const digest = async (name: string, bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest(name, new Uint8Array(bytes)));

const findSigner = async (
  { signer }: Token,
  certificates: readonly Certificate[],
): Promise<Certificate | undefined> => {
  const { IssuerAndSerialNumber } = await import('pkijs');
  const { sid } = signer;
  if (!(sid instanceof IssuerAndSerialNumber)) return undefined;
  return certificates.find((one) => one.issuer.isEqual(sid.issuer) && one.serialNumber.isEqual(sid.serialNumber));
};

const attributesOf = ({ signer }: Token, type: string): Attribute[] =>
  (signer.signedAttrs?.attributes ?? []).filter((attribute) => attribute.type === type);

const itemsOf = (value: unknown): unknown[] => (value instanceof Sequence ? value.valueBlock.value : []);

// SigningCertificate: a list of certificates, of which the first is the signer's. Each begins with its hash, after the
// algorithm where that isn't the default.
const isNamed = async (attribute: Attribute, certificate: Certificate): Promise<boolean> => {
  const [first] = itemsOf(itemsOf(attribute.values[0])[0]);
  const [algorithm, other] = itemsOf(first);
  const hash = algorithm instanceof OctetString ? algorithm : other;
  const id = algorithm instanceof OctetString ? undefined : String(itemsOf(algorithm)[0]);
  const standard = attribute.type === SIGNING_CERTIFICATE ? 'SHA-1' : 'SHA-256';
  const name = id === undefined ? standard : Object.entries(HASHES).find(([oid]) => id.includes(oid))?.[1];
  if (name === undefined || !(hash instanceof OctetString)) return false;
  return isSameBytes(await digest(name, encodeCertificate(certificate)), hash.valueBlock.valueHexView);
};

const isSignedBy = async (token: Token, certificate: Certificate): Promise<boolean> => {
  const { signed, signer } = token;
  const types = attributesOf(token, CONTENT_TYPE).map(({ values }) => values[0]?.valueBlock?.toString());
  const named = [SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_V2].flatMap((type) => attributesOf(token, type));
  const isMeant =
    signer.digestAlgorithm.algorithmId in HASHES && types.length === 1 && types[0] === TST_INFO && named.length > 0;
  if (!isMeant) return false;
  for (const attribute of named) if (!(await isNamed(attribute, certificate))) return false;
  signed.certificates = [certificate];
  delete signed.crls;
  // The library looks at the message first if it knows that the content is a time stamp.
  signed.encapContentInfo.eContentType = DATA;
  return signed.verify({ signer: 0 }).catch(() => false);
};

const isOf = async ({ info }: Token, message: Uint8Array): Promise<boolean> => {
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const hash = hashedMessage.valueBlock.valueHexView;
  return hashAlgorithm.algorithmId === SHA_256 && isSameBytes(await digest('SHA-256', message), hash);
};

/**
 * What a token says of a message. Its time is undefined when an authority under a root of the caller signed the token
 * for another message. A token that it didn't sign is nobody's word.
 * @param named certificates of the caller: roots, and any below them.
 * @throws UnreadableEvidence in a page of another machine without https, which has no cryptography.
 */
export const checkTimestamp = async (
  bytes: Uint8Array,
  message: Uint8Array,
  named: readonly Certificate[],
): Promise<Timestamp> => {
  assertReadable(crypto.subtle !== undefined, 'its time stamps can be checked only on a page that was opened by https');
  const token = await decodeToken(bytes);
  const given = token?.certificates ?? [];
  const certificate = token && (await findSigner(token, [...given, ...named]));
  if (token === undefined || certificate === undefined) return { isUnderRoot: false };
  const { genTime } = token.info;
  const isRight = (await isUnderRoot(certificate, { named, given }, genTime)) && (await isSignedBy(token, certificate));
  if (!isRight) return { isUnderRoot: false };
  return { isUnderRoot: true, at: (await isOf(token, message)) ? genTime : undefined };
};
