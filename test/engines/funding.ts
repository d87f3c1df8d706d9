// Money for the accounts of a ledger, from an account that has some.
import { JsonRpcProvider, parseEther, Wallet } from 'ethers';

const AMOUNT = parseEther('100');
const POLL_MS = 200;

/**
 * Sends an account 100 ether, or nothing where gas is free; resolves when that is in a block. `key` is the private key
 * of an account that has more; undefined: there is none.
 * @throws Error when gas has a price and there is no key.
 */
export const fundAccount = async (url: string, key: string | undefined, address: string): Promise<void> => {
  const provider = new JsonRpcProvider(url, undefined, { pollingInterval: POLL_MS });
  try {
    if (BigInt((await provider.send('eth_gasPrice', [])) as string) === 0n) return;
    if (key === undefined) throw new Error('gas has a price: set ENGINE_FUNDER_KEY, the key of an account with ether');
    const sent = await new Wallet(key, provider).sendTransaction({ to: address, value: AMOUNT });
    await sent.wait();
  } finally {
    provider.destroy();
  }
};
