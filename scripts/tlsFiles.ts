// The certificate and key that the API proves its name with. The key is a secret like those of the keyring.
import { readFile, stat } from 'node:fs/promises';
import type { TlsIdentity } from '../server/listen.ts';
import type { Config } from './config.ts';

const OTHERS = 0o077;

const readKey = async (path: string): Promise<string> => {
  const { mode } = await stat(path);
  if ((mode & OTHERS) !== 0) throw new Error(`${path} is open to others; run: chmod 600 ${path}`);
  return readFile(path, 'utf8');
};

/**
 * The configured certificate and key; undefined when none are.
 * @throws Error that names the file when one is missing, or the key is open to others.
 */
export const readTlsIdentity = async ({
  tlsCertFile,
  tlsKeyFile,
}: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>): Promise<TlsIdentity | undefined> => {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined;
  return { cert: await readFile(tlsCertFile, 'utf8'), key: await readKey(tlsKeyFile) };
};
