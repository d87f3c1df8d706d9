// The size of a time stamp without certificates, as OpenSSL makes one with a key of RSA-2048.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CONFIG = `[tsa]
default_tsa = authority
[authority]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
`;

/**
 * Length of the token as Base64.
 * @throws Error where there is no `openssl`.
 */
export const measureTimestamp = async (): Promise<number> => {
  const cwd = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd });
  try {
    await Promise.all([
      writeFile(join(cwd, 'tsa.cnf'), CONFIG),
      writeFile(join(cwd, 'serial'), '01\n'),
      writeFile(join(cwd, 'message'), 'a checkpoint'),
    ]);
    const usage = ['-addext', 'extendedKeyUsage=critical,timeStamping', '-subj', '/CN=authority'];
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'key', '-out', 'certificate'];
    await openssl('req', '-x509', ...key, ...usage);
    await openssl('ts', '-query', '-data', 'message', '-sha256', '-out', 'query');
    const signer = ['-signer', 'certificate', '-inkey', 'key', '-config', 'tsa.cnf', '-section', 'authority'];
    await openssl('ts', '-reply', '-queryfile', 'query', ...signer, '-token_out', '-out', 'token');
    return (await readFile(join(cwd, 'token'))).toString('base64').length;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
};
