// A time stamping authority (RFC 3161) of OpenSSL, with a root and an intermediate certificate of its own.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CONFIG = `
[ tsa ]
default_tsa = authority
[ authority ]
serial = serial
digests = sha256, sha512
default_policy = 1.2.3.4
signer_digest = sha256
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[ stamps ]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[ mails ]
basicConstraints = CA:FALSE
extendedKeyUsage = critical, emailProtection, timeStamping
[ issuer ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[ req ]
distinguished_name = name
[ name ]
`;

/** How a stamp is made. */
export interface StampOptions {
  /** Whether the token has the certificates, too. Default: true. */
  readonly withCertificates?: boolean;
  /** Hash of the message. Default: sha256. */
  readonly hash?: 'sha256' | 'sha512';
}

/** An authority, in a directory. */
export interface TimestampAuthority {
  /** Path of a file with the root. */
  readonly rootFile: string;
  /** Path of a file with the root and every certificate below it. */
  readonly allFile: string;
  /** Path of a file with a certificate of the same key for more than time stamps. */
  readonly mailsFile: string;
  /** A token over a message. */
  stamp(message: Uint8Array, options?: StampOptions): Promise<Uint8Array>;
  /** The answer (TimeStampResp) to a request (TimeStampReq). */
  answer(query: Uint8Array): Promise<Uint8Array>;
  /** Whether OpenSSL verifies a token over a message. */
  verify(token: Uint8Array, message: Uint8Array): Promise<boolean>;
}

/** Creates an authority. */
export const createTimestampAuthority = async (directory: string): Promise<TimestampAuthority> => {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: directory });
  const at = (name: string): string => join(directory, name);
  await writeFile(at('openssl.cnf'), CONFIG);
  await writeFile(at('serial'), '01\n');
  const certify = async (name: string, issuer: string, section: string, as = name): Promise<void> => {
    const by = issuer === name ? ['-signkey', `${name}.key`] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
    const extensions = ['-extfile', 'openssl.cnf', '-extensions', section, '-days', '3650', '-set_serial', '7'];
    await openssl('x509', '-req', '-in', `${name}.csr`, ...by, ...extensions, '-out', `${as}.pem`);
  };
  const create = async (name: string, issuer: string, section: string): Promise<void> => {
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-subj', `/CN=${name}`];
    await openssl('req', '-new', '-config', 'openssl.cnf', ...key, '-out', `${name}.csr`);
    await certify(name, issuer, section);
  };
  await create('root', 'root', 'issuer');
  await create('middle', 'root', 'issuer');
  await create('signer', 'middle', 'stamps');
  await certify('signer', 'middle', 'mails', 'mails');
  const all = await Promise.all(['root', 'middle', 'signer'].map((name) => readFile(at(`${name}.pem`), 'utf8')));
  await writeFile(at('all.pem'), all.join(''));
  let count = 0;
  return {
    rootFile: at('root.pem'),
    allFile: at('all.pem'),
    mailsFile: at('mails.pem'),
    stamp: async (message, { withCertificates = true, hash = 'sha256' } = {}) => {
      count += 1;
      const name = String(count);
      await writeFile(at(`${name}.message`), message);
      const asked = ['-data', `${name}.message`, `-${hash}`, ...(withCertificates ? ['-cert'] : [])];
      await openssl('ts', '-query', ...asked, '-out', `${name}.query`);
      const by = ['-config', 'openssl.cnf', '-signer', 'signer.pem', '-inkey', 'signer.key', '-chain', 'middle.pem'];
      await openssl('ts', '-reply', '-queryfile', `${name}.query`, ...by, '-token_out', '-out', `${name}.token`);
      return new Uint8Array(await readFile(at(`${name}.token`)));
    },
    answer: async (query) => {
      count += 1;
      const name = String(count);
      await writeFile(at(`${name}.query`), query);
      const by = ['-config', 'openssl.cnf', '-signer', 'signer.pem', '-inkey', 'signer.key'];
      await openssl('ts', '-reply', '-queryfile', `${name}.query`, ...by, '-out', `${name}.answer`);
      return new Uint8Array(await readFile(at(`${name}.answer`)));
    },
    verify: async (token, message) => {
      await writeFile(at('checked.message'), message);
      await writeFile(at('checked.token'), token);
      const roots = ['-CAfile', 'all.pem', '-untrusted', 'all.pem'];
      const asked = openssl('ts', '-verify', '-in', 'checked.token', '-token_in', '-data', 'checked.message', ...roots);
      return asked.then(
        () => true,
        () => false,
      );
    },
  };
};
