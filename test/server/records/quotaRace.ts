// Creations that race for what a quota leaves.
import type { LedgerErrorCode } from '../../../ledger/errors.ts';
import { expectProblem } from '../support/expectProblem.ts';
import type { ServerAnswer } from '../support/testServer.ts';

/** Statuses of so many creations: those that were accepted first. */
export const toStatuses = (created: number, refused: number): number[] => [
  ...Array<number>(created).fill(200),
  ...Array<number>(refused).fill(402),
];

/** Sends creations at the same time. The refused ones have this code. */
export const race = async (
  creations: number,
  post: () => Promise<ServerAnswer>,
  code: LedgerErrorCode,
  field?: string,
): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: creations }, post));
  for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(answer, 402, code, field);
  return answers.map(({ status }) => status).sort();
};
