// Prints what a check answers to each question.
import type { EvidenceFinding } from '../../ledger/evidence/bundle/findings.ts';
import { console } from '../commandProcess.ts';

const QUESTION_WIDTH = 14;
const ANSWER_WIDTH = 14;

/** A line for each answer, as the demo and the commands print it. */
export const toAnswerLine = ({ question, answer, text }: EvidenceFinding): string =>
  `${question.padEnd(QUESTION_WIDTH)}${answer.padEnd(ANSWER_WIDTH)}${text}`.trimEnd();

/** Prints a line for each answer, and one for the members of the JSON that no proof reaches. */
export const printAnswers = (verdict: {
  readonly findings: readonly EvidenceFinding[];
  readonly uncovered: readonly string[];
}): void => {
  for (const finding of verdict.findings) console.log(toAnswerLine(finding));
  if (verdict.uncovered.length > 0) console.log(`no proof reaches ${verdict.uncovered.join(', ')}`);
};
