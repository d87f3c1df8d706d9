// The certificate and key of the API. The key is a secret like those of the keyring.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsIdentity } from '../../server/listen.ts';
import { isPrivateMode, toOpenToOthers } from '../files/privateFile.ts';
import type { Config } from './config.ts';

const assertClosed = async (path: string): Promise<void> => {
  const { mode } = await stat(path);
  if (!isPrivateMode(mode)) throw new Error(`it ${toOpenToOthers(path)}`);
};

const naming = async <T>(what: string, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (cause) {
    throw new Error(`${what}: ${(cause as Error).message}`, { cause });
  }
};

const readCertificate = async (path: string): Promise<string> => {
  const cert = await readFile(path, 'utf8');
  new X509Certificate(cert);
  return cert;
};

const readKey = async (path: string): Promise<string> => {
  await assertClosed(path);
  const key = await readFile(path, 'utf8');
  createPrivateKey(key);
  return key;
};

/**
 * The configured certificate and key; undefined when none are.
 * @throws Error that names setting and file when one is missing or invalid, when the key is open to others, or is not
 * the certificate's key.
 */
export const readTlsIdentity = async ({
  tlsCertFile,
  tlsKeyFile,
}: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>): Promise<TlsIdentity | undefined> => {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined;
  const [certName, keyName] = [`TLS_CERT_FILE ${tlsCertFile}`, `TLS_KEY_FILE ${tlsKeyFile}`];
  const cert = await naming(certName, () => readCertificate(tlsCertFile));
  const key = await naming(keyName, () => readKey(tlsKeyFile));
  await naming(`${certName} and ${keyName}`, () => createSecureContext({ cert, key }));
  return { cert, key };
};
