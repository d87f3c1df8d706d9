// node verifyTimes.ts: reads a file and its trust.json from a message, and answers how long the first check took, and
// the later ones.
import { verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { quantile } from '../quantile.ts';

const WARM_CHECKS = 300;

/** What the parent sends. */
export interface VerifyOrder {
  readonly file: string;
  readonly trust: string;
}

/** How long checks took. */
export interface VerifyTimes {
  readonly exitCode: number;
  readonly firstMs: number;
  /** Median of the later ones. */
  readonly warmMs: number;
}

const time = async ({ file, trust }: VerifyOrder): Promise<[number, number]> => {
  const beganMs = performance.now();
  const { exitCode } = await verifyBundle(file, trust);
  return [exitCode, performance.now() - beganMs];
};

process.once('message', async (order: VerifyOrder) => {
  const [exitCode, firstMs] = await time(order);
  const later: number[] = [];
  for (let count = 0; count < WARM_CHECKS; count += 1) later.push((await time(order))[1]);
  const warmMs = quantile(
    later.sort((a, b) => a - b),
    0.5,
  );
  process.send!({ exitCode, firstMs, warmMs } satisfies VerifyTimes);
  process.disconnect();
});
