// The questions that every check of evidence answers, in the same words.

/** What can be asked of evidence, in the order in which it is reported. */
export const QUESTIONS = [
  'content',
  'author',
  'position',
  'completeness',
  'absence',
  'verdict',
  'chain',
  'operator',
  'split-view',
  'seals',
  'elsewhere',
  'time',
  'code',
  'truth',
  'person',
] as const;
export type Question = (typeof QUESTIONS)[number];
export type EvidenceAnswer = 'proved' | 'refuted' | 'not answered';

/** The answer to one question, and by what. */
export interface EvidenceFinding {
  readonly question: Question;
  readonly answer: EvidenceAnswer;
  readonly text: string;
}

/** Thrown when a part of the file contradicts another: no other answer counts then. */
export class Refuted extends Error {
  readonly question: Question;

  constructor(question: Question, message: string) {
    super(message);
    this.name = 'Refuted';
    this.question = question;
  }
}

/** @throws Refuted with the question when the condition is false. */
export function assertProved(condition: boolean, question: Question, message: string): asserts condition {
  if (!condition) throw new Refuted(question, message);
}

/** A finding that something is proved. */
export const toProved = (question: Question, text: string): EvidenceFinding => ({ question, answer: 'proved', text });

/** A finding that something is not answered, and why. */
export const toUnanswered = (question: Question, text: string): EvidenceFinding => ({
  question,
  answer: 'not answered',
  text,
});

const NEVER: Partial<Record<Question, string>> = {
  truth: 'a ledger proves who wrote what and when, not that it is true',
  person: 'a key is not a person',
};

/** One finding for each question, in their order: what was found, and `not answered` for all others. */
export const answerAll = (found: readonly EvidenceFinding[]): EvidenceFinding[] =>
  QUESTIONS.map(
    (question) =>
      found.find((finding) => finding.question === question) ?? toUnanswered(question, NEVER[question] ?? ''),
  );
