// Fills nonces that are missing before transactions which pools may still have, with transfers of nothing from the
// account to itself: else those would wait until the next call, and each of several would have to move by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { raiseIfMistake } from '../defects.ts';
import type { ChainPort, Fees, MinedTransaction } from '../port.ts';
import type { AccountNonces } from './accountNonces.ts';
import type { createCallSubmit, Sent } from './submitCall.ts';

/** More than twice the gas of a transfer on a chain with Ethereum's gas costs. */
const GAS_LIMIT = 50_000;

const NOTHING = new Uint8Array(0);

/** Pause before a transfer is looked up again when no node has answered, in milliseconds. */
const RETRY_MS = 1_000;

/** Parts that gaps are filled with. */
export interface GapFillDeps {
  readonly chain: Pick<ChainPort, 'awaitFinal'>;
  /** The account. */
  readonly address: Hex;
  readonly nonces: Pick<AccountNonces, 'takeMissing' | 'release' | 'giveUp'>;
  readonly unmined: Set<Sent>;
  readonly submit: ReturnType<typeof createCallSubmit>;
}

/**
 * Returns a function that begins to fill the missing nonces below `end`, at these fees. A nonce that can't be filled is
 * free again: the next call gets it, or the first transaction behind it.
 */
export const createGapFill = ({ chain, address, nonces, unmined, submit }: GapFillDeps) => {
  const awaitFinal = async (mined: MinedTransaction, signal: AbortSignal | undefined): Promise<void> => {
    for (;;) {
      try {
        await chain.awaitFinal(mined, signal);
        return;
      } catch (cause) {
        if (!(cause instanceof LedgerError) || cause.code !== 'CHAIN_UNAVAILABLE') throw cause;
        await sleep(RETRY_MS, undefined, signal && { signal });
      }
    }
  };
  const fill = async (nonce: number, fees: Fees, signal: AbortSignal | undefined): Promise<void> => {
    const over = Promise.withResolvers<void>();
    const call = { to: address, data: NOTHING, gasLimit: GAS_LIMIT };
    const sent: Sent = { call, nonce, gasLimit: GAS_LIMIT, isBehindGap: false, transaction: undefined, over };
    unmined.add(sent);
    const end = (): void => {
      unmined.delete(sent);
      over.resolve();
    };
    const mined = await submit(sent, { gasLimit: GAS_LIMIT, fees }, { signal }).finally(end);
    await awaitFinal(mined, signal);
    nonces.release(nonce);
  };
  return (end: number, fees: Fees, signal: AbortSignal | undefined): void => {
    for (const nonce of nonces.takeMissing(end))
      fill(nonce, fees, signal).catch((cause: unknown) => {
        raiseIfMistake(cause);
        nonces.giveUp(nonce);
      });
  };
};
