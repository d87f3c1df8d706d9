// Certificates (RFC 5280) from a signer to a root that the caller named. Each certificate is used once, so that those
// that name each other cost no more than others. Revocation isn't checked: a file must be checkable without a network.
import type { Certificate, Extension } from 'pkijs';
import { fromBase64 } from './base64.ts';
import { isSameBytes } from './bytes.ts';
import { isDer } from './der.ts';
import { toUtf8 } from './lines.ts';
import { assertReadable, UnreadableEvidence } from './unreadableEvidence.ts';

const PEM_MAX = 256 * 1024;
const CERTIFICATES_MAX = 32;
const PEM = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
/** Critical extensions that are understood here. */
const UNDERSTOOD = [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE];
const KEY_CERT_SIGN = 0x04;

// A megabyte that only time stamps need.
const loadPkijs = () => import('pkijs');

const decodeCertificate = async (bytes: Uint8Array): Promise<Certificate> => {
  const pkijs = await loadPkijs();
  try {
    return pkijs.Certificate.fromBER(new Uint8Array(bytes));
  } catch {
    throw new UnreadableEvidence('a certificate is none');
  }
};

/** The certificates in a PEM text. @throws UnreadableEvidence without any, or beyond 256 KiB or 32 of them. */
export const readCertificates = (pem: string): Promise<Certificate[]> => {
  assertReadable(
    pem.length <= PEM_MAX && toUtf8(pem).length <= PEM_MAX,
    'a file with certificates is longer than 256 KiB',
  );
  const bodies = [...pem.matchAll(PEM)].map(([, body]) => fromBase64(body!.replace(/\s/g, '')));
  assertReadable(bodies.length > 0 && bodies.length <= CERTIFICATES_MAX, 'not a file with 1 to 32 certificates');
  assertReadable(bodies.every(isDer), 'a certificate is none');
  return Promise.all(bodies.map(decodeCertificate));
};

/** The bytes of a certificate (DER). */
export const encodeCertificate = (certificate: Certificate): Uint8Array =>
  new Uint8Array(certificate.toSchema().toBER());

const isSame = (a: Certificate, b: Certificate): boolean => isSameBytes(encodeCertificate(a), encodeCertificate(b));

const findExtension = ({ extensions = [] }: Certificate, id: string): Extension | undefined =>
  extensions.find(({ extnID }) => extnID === id);

const isUsable = (certificate: Certificate, at: Date): boolean =>
  certificate.notBefore.value <= at &&
  certificate.notAfter.value >= at &&
  (certificate.extensions ?? []).every(({ critical, extnID }) => !critical || UNDERSTOOD.includes(extnID));

/** Whether a certificate is for time stamps and nothing else (RFC 3161, section 2.3). */
const isForTimestamps = (certificate: Certificate): boolean => {
  const extension = findExtension(certificate, EXTENDED_KEY_USAGE);
  const purposes: readonly string[] = extension?.parsedValue?.keyPurposes ?? [];
  return extension?.critical === true && purposes.length === 1 && purposes[0] === TIME_STAMPING;
};

const isAuthority = (certificate: Certificate, below: number): boolean => {
  const constraints = findExtension(certificate, BASIC_CONSTRAINTS)?.parsedValue;
  const usage = findExtension(certificate, KEY_USAGE)?.parsedValue?.valueBlock?.valueHexView as Uint8Array | undefined;
  const length: unknown = constraints?.pathLenConstraint;
  const isLong = typeof length === 'number' && below > length;
  return constraints?.cA === true && !isLong && (usage === undefined || (usage[0]! & KEY_CERT_SIGN) !== 0);
};

const isSignedBy = async (certificate: Certificate, issuer: Certificate): Promise<boolean> =>
  certificate.issuer.isEqual(issuer.subject) && (await certificate.verify(issuer).catch(() => false));

/** Who may vouch for a signer. */
export interface Issuers {
  /** Certificates that the caller named: those that signed themselves are roots. */
  readonly named: readonly Certificate[];
  /** Certificates that somebody gave with a signature. */
  readonly given: readonly Certificate[];
}

/** Whether a certificate for time stamps is under a root that the caller named, at a time. */
export const isUnderRoot = async (signer: Certificate, { named, given }: Issuers, at: Date): Promise<boolean> => {
  if (!isForTimestamps(signer) || !isUsable(signer, at)) return false;
  const unused = new Set([...named, ...given]);
  let reached = [signer];
  for (let below = 0; reached.length > 0; below += 1) {
    const next: Certificate[] = [];
    for (const certificate of reached) {
      for (const issuer of unused) {
        const isIssuer = isUsable(issuer, at) && isAuthority(issuer, below) && (await isSignedBy(certificate, issuer));
        if (!isIssuer) continue;
        unused.delete(issuer);
        if (named.some((one) => isSame(one, issuer)) && (await isSignedBy(issuer, issuer))) return true;
        next.push(issuer);
      }
    }
    reached = next;
  }
  return false;
};
