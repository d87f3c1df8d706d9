import { createWallet, type Wallet } from '../../../chain/wallet.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';

/** Pays for the transactions of accounts without a balance. */
export const SPONSOR: Wallet = createWallet(keccak256(Buffer.from('sponsor of the simulated network', 'ascii')));
