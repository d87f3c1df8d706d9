// The verifier in Python as a process that answers many files, in the order in which it is asked.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const VERIFIER = fileURLToPath(new URL('../../verifiers/python/verify_evidence.py', import.meta.url));
export const REQUIREMENTS = fileURLToPath(new URL('../../verifiers/python/requirements.txt', import.meta.url));
const EXIT_CODES = ['0', '1', '2', '3'];

/** A file with roots of trust, as texts. */
export interface Case {
  readonly file: string;
  readonly trust: string;
  /** The second file, with leaves, as base64. */
  readonly leaves?: string | undefined;
}

/** Exit code and proved questions, as one text: `0 content chain`. */
export type Answer = string;

/** Answers cases until it is stopped. */
export interface PythonVerifier {
  verify(cases: readonly Case[]): Promise<Answer[]>;
  stop(): Promise<void>;
}

const toPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Reads test/vectors/records.json with it: resolves with how many records it has, unless it reads another one. */
export const readVectorsInPython = async (python: string): Promise<number> => {
  const args = [toPath('check_vectors.py'), dirname(VERIFIER), toPath('../vectors/records.json')];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  return Number((await promisify(execFile)(python, args, { env })).stdout);
};

/** Starts the verifier with the Python of an environment that has its packages. */
export const startPythonVerifier = (python: string): PythonVerifier => {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' };
  const child = spawn(python, [VERIFIER, '--batch'], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readAnswer = async (): Promise<Answer> => {
    const { value, done } = await lines.next();
    if (done || !EXIT_CODES.includes(value.split(' ')[0]!)) throw new Error('the verifier in Python ended');
    return value;
  };
  return {
    verify: async (cases) => {
      for (const one of cases) child.stdin.write(`${JSON.stringify(one)}\n`);
      const answers: Answer[] = [];
      for (const _ of cases) answers.push(await readAnswer());
      return answers;
    },
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
};
