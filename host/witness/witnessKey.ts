// The key of a witness and its name, both fixed at the first start: what it signed with them can't be signed otherwise
// later. The text of the verifier key is in `witness.vkey`, the private key in `keys/witness.secret`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { readText } from '../../chain/blockLog/logFiles.ts';
import { createEd25519Signer, type Ed25519Signer } from '../../chain/ed25519Signer.ts';
import {
  decodeVerifierKey,
  encodeVerifierKey,
  isKeyName,
  SIGNATURE_TYPE,
  toVerifierKey,
  type VerifierKey,
} from '../../ledger/evidence/verifierKey.ts';
import { openKeyring } from '../keyring.ts';
import { createWitnessState } from './witnessState.ts';

const VKEY_FILE = 'witness.vkey';
const SECRET = 'witness';

/** The key of a witness. */
export interface WitnessKey extends Pick<Ed25519Signer, 'sign'> {
  /** Verifies its cosignatures. */
  readonly verifier: VerifierKey;
}

const toWitnessKey = (name: string, secret: Uint8Array): WitnessKey => {
  const { publicKey, sign } = createEd25519Signer(secret);
  return { verifier: toVerifierKey(name, SIGNATURE_TYPE.cosignature, publicKey), sign };
};

const refuse = (problem: string): Error =>
  new Error(`${problem}. Nothing was changed. Restore the file, or begin a new witness in an empty directory`);

const requireKnown = async (keys: string, text: string, name: string | undefined): Promise<WitnessKey> => {
  const known = decodeVerifierKey(text.trimEnd());
  if (name !== undefined && name !== known.name)
    throw new Error(`the name is ${name}, and this witness is ${known.name}: a witness keeps its name`);
  if (!existsSync(join(keys, `${SECRET}.secret`))) throw refuse(`keys/${SECRET}.secret is missing`);
  const key = toWitnessKey(known.name, await (await openKeyring(keys)).openSecret(SECRET));
  if (encodeVerifierKey(key.verifier) !== encodeVerifierKey(known))
    throw refuse(`keys/${SECRET}.secret isn't the key of ${VKEY_FILE}`);
  return key;
};

/**
 * The key of the witness in a directory, which exists; created at the first start.
 * @param name of the witness, at the first start required, later none or the same.
 * @throws Error without a name, with another one, with one that no key may have, or when key and name don't belong
 * together.
 */
export const openWitnessKey = async (directory: string, name: string | undefined): Promise<WitnessKey> => {
  const keys = join(directory, 'keys');
  const text = await readText(join(directory, VKEY_FILE));
  if (text !== undefined) return requireKnown(keys, text, name);
  if (name === undefined) throw new Error('the first start of a witness needs a name: --name witness.example/name');
  if (!isKeyName(name)) throw new Error('--name: the name of a witness is not empty, and has no blanks and no +');
  const key = toWitnessKey(name, await (await openKeyring(keys)).openSecret(SECRET));
  // Before the file that says that there was a first start: after it, a missing state is a loss.
  await createWitnessState(directory);
  const files = createDurableFiles(directory);
  await files.write(VKEY_FILE, `${encodeVerifierKey(key.verifier)}\n`);
  await files.syncNames();
  return key;
};
