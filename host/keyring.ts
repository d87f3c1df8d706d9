// The secrets of an installation: one file each, mode 0600, created at first use and never logged.
import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { syncDirectory } from '../chain/leveldb/syncDirectory.ts';
import { createPrivateKey, createWallet, type Wallet } from '../chain/wallet.ts';
import { fromHex, toHex } from '../ledger/encoding/hex.ts';
import { closeDirectory, isPrivateMode, toOpenToOthers, trimText } from './files/privateFile.ts';
import { createPendingTenants, type PendingTenants } from './wallets/pendingTenants.ts';

export interface Keyring {
  /** The wallet of this name; created if it doesn't exist. */
  openWallet(name: string): Promise<Wallet>;
  /** The wallet of this name. @throws Error when it doesn't exist. */
  requireWallet(name: string): Promise<Wallet>;
  /** Gives a wallet another name, over a wallet that has it, whose key is lost; synced. */
  renameWallet(from: string, to: string): Promise<void>;
  /** Tenants that this installation doesn't serve yet. */
  readonly pendingTenants: PendingTenants;
  /** Names of all wallets. */
  listWallets(): Promise<string[]>;
  /** The 32 bytes of the block log's Ed25519 private key; created if they don't exist. */
  openLogKey(): Promise<Uint8Array>;
  /** The same. @throws Error when they don't exist. */
  requireLogKey(): Promise<Uint8Array>;
  /**
   * The private JWKs (ES256) of this name, at least one: the first signs, and what the others signed is accepted.
   * Created, with one, if they don't exist.
   */
  openSigningKeys(name: string): Promise<readonly [JWK, ...JWK[]]>;
  /** The 32 random bytes of this name; created if they don't exist. */
  openSecret(name: string): Promise<Uint8Array>;
}

const LOG_KEY = 'log.key';
const HEX_OF_32_BYTES = /^0x[0-9a-f]{64}$/;

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

const readSecretFile = async (path: string): Promise<string | undefined> => {
  try {
    const { mode } = await stat(path);
    if (!isPrivateMode(mode)) throw new Error(`${path} ${toOpenToOthers(path)}`);
    return trimText(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const writeSynced = async (path: string, text: string): Promise<void> => {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
};

// Atomic, never over another file, and synced before anything is signed with the key: a power loss must not lose a key
// that the chain knows. Rejects with EEXIST when another server has written it meanwhile.
const writeSecretFile = async (directory: string, name: string, text: string): Promise<void> => {
  const temporary = join(directory, `${name}.${randomUUID()}.tmp`);
  await writeSynced(temporary, text);
  try {
    await link(temporary, join(directory, name));
  } finally {
    await unlink(temporary);
  }
  await syncDirectory(directory);
};

const toWallet = (path: string, text: string): Wallet => {
  try {
    return createWallet(fromHex(text));
  } catch (cause) {
    throw new Error(`${path} holds no private key; it is damaged, restore it from a backup`, { cause });
  }
};

const toKeyBytes = (path: string, text: string, what = 'private key'): Uint8Array => {
  if (HEX_OF_32_BYTES.test(text)) return fromHex(text);
  throw new Error(`${path} holds no ${what}; it is damaged, restore it from a backup`);
};

const createJwk = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return exportJWK(privateKey);
};

// One key, or several as a JWK set.
const toSigningKeys = (path: string, text: string): readonly [JWK, ...JWK[]] => {
  const damaged = (cause?: unknown) =>
    new Error(`${path} holds neither a JWK nor a JWK set with a key; it is damaged, restore it from a backup`, {
      cause,
    });
  let parsed: JWK & { keys?: unknown };
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw damaged(cause);
  }
  if (parsed.keys === undefined) return [parsed];
  const [first, ...others] = Array.isArray(parsed.keys) ? (parsed.keys as JWK[]) : [];
  if (first === undefined) throw damaged();
  return [first, ...others];
};

const openDirectory = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await closeDirectory(directory);
  await syncDirectory(dirname(directory));
  // A key that an earlier process created is used from now on, and its name may not be on the disk yet.
  await syncDirectory(directory);
};

// Of several servers that create a file at once, one does, and all use that one's.
const openFileIn = async (directory: string, name: string, create: () => string | Promise<string>): Promise<string> => {
  const path = join(directory, name);
  const existing = await readSecretFile(path);
  if (existing !== undefined) return existing;
  const created = await create();
  try {
    await writeSecretFile(directory, name, created);
    return created;
  } catch (error) {
    const other = hasCode(error, 'EEXIST') ? await readSecretFile(path) : undefined;
    if (other === undefined) throw error;
    return other;
  }
};

/**
 * Opens the directory of keys; creates it with mode 0700, synced. `shared` is the directory of what all servers of an
 * organisation use: the keys of tokens, and the secrets. By default it is the same.
 */
export const openKeyring = async (directory: string, shared: string = directory): Promise<Keyring> => {
  await openDirectory(directory);
  if (shared !== directory) await openDirectory(shared);
  const openFile = (name: string, create: () => string) => openFileIn(directory, name, create);
  return {
    openWallet: async (name) =>
      toWallet(join(directory, `${name}.key`), await openFile(`${name}.key`, () => toHex(createPrivateKey()))),
    requireWallet: async (name) => {
      const text = await readSecretFile(join(directory, `${name}.key`));
      if (text !== undefined) return toWallet(join(directory, `${name}.key`), text);
      throw new Error(`${join(directory, `${name}.key`)} is missing, and the chain knows it; restore it from a backup`);
    },
    renameWallet: async (from, to) => {
      await rename(join(directory, `${from}.key`), join(directory, `${to}.key`));
      await syncDirectory(directory);
    },
    pendingTenants: createPendingTenants(directory),
    listWallets: async () =>
      (await readdir(directory))
        .filter((name) => name.endsWith('.key') && name !== LOG_KEY)
        .map((name) => name.slice(0, -'.key'.length)),
    openLogKey: async () => toKeyBytes(join(directory, LOG_KEY), await openFile(LOG_KEY, () => toHex(randomBytes(32)))),
    requireLogKey: async () => {
      const path = join(directory, LOG_KEY);
      const text = await readSecretFile(path);
      if (text !== undefined) return toKeyBytes(path, text);
      throw new Error(`${path} is missing, and checkpoints were signed with it; restore it from a backup`);
    },
    openSigningKeys: async (name) =>
      toSigningKeys(
        join(shared, `${name}.jwk`),
        await openFileIn(shared, `${name}.jwk`, async () => JSON.stringify(await createJwk())),
      ),
    openSecret: async (name) =>
      toKeyBytes(
        join(shared, `${name}.secret`),
        await openFileIn(shared, `${name}.secret`, () => toHex(randomBytes(32))),
        'secret',
      ),
  };
};
