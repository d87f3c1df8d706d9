// The embedded chain's own key. It signs nothing: blocks name its address as their beneficiary, so that the node report
// can show a key. A chain that began without one keeps its beneficiary, which is part of its blocks' hashes, and shows
// no key.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { Keyring } from '../keyring.ts';

const WALLET = 'embedded-chain';

/** Address of the key, for the blocks of a new chain; the key is created if it doesn't exist. */
export const openCoinbase = async (keyring: Keyring): Promise<Hex> => (await keyring.openWallet(WALLET)).address;

/**
 * The 64 bytes x, y of the key; undefined when its file is missing, or when the chain's blocks name another
 * beneficiary.
 */
export const findValidatorKey = async (keyring: Keyring, coinbase: Hex): Promise<Uint8Array | undefined> => {
  if (!(await keyring.listWallets()).includes(WALLET)) return undefined;
  const { address, publicKey } = await keyring.requireWallet(WALLET);
  return address === coinbase ? publicKey : undefined;
};
