// The embedded chain's own key. It signs nothing: blocks name its address as their beneficiary, so that the node report has a key to
// show. A chain that began without one keeps the beneficiary that its blocks' hashes are made of, and shows no key.
import type { Hex } from '../ledger/encoding/hex.ts';
import type { Keyring } from './keyring.ts';

const WALLET = 'embedded-chain';

/** Address of the key, for the blocks of a new chain; the key is made when it isn't there. */
export const openCoinbase = async (keyring: Keyring): Promise<Hex> => (await keyring.openWallet(WALLET)).address;

/** The 64 bytes x, y of the key; undefined when its file is gone, or the chain's blocks name another beneficiary. */
export const findValidatorKey = async (keyring: Keyring, coinbase: Hex): Promise<Uint8Array | undefined> => {
  if (!(await keyring.listWallets()).includes(WALLET)) return undefined;
  const { address, publicKey } = await keyring.requireWallet(WALLET);
  return address === coinbase ? publicKey : undefined;
};
