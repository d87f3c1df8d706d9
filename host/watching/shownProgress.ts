// What the API shows of the progress of a network's chain.
import type { ServerDeps } from '../../server/deps.ts';
import { CHAIN_STALLED } from '../../server/http/health.ts';
import { toHeadJson } from '../../server/operations/node/chainReport.ts';
import type { Ledger } from '../openLedger.ts';

/** The newest block at `/readyz`, and the header of answers to writes while the chain has stalled. */
export const toProgressDeps = ({
  chain: { readProgress },
  now,
}: Pick<Ledger, 'chain' | 'now'>): Pick<ServerDeps, 'readHead' | 'findWriteNotice'> => ({
  readHead: () => {
    const head = readProgress?.().head;
    return head && toHeadJson(head, now());
  },
  findWriteNotice: () => (readProgress?.().stall === undefined ? undefined : CHAIN_STALLED),
});
