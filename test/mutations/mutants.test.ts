import { expect } from 'chai';
import ts from 'typescript';
import { findEquivalent } from './equivalents.ts';
import { chooseMutants, mutantsOf, toChange, toMutated } from './mutants.ts';

const SOURCE = `import { log } from './log.ts';
// A comment: 1 < 2
type Size = 1 | 2;
export const findFirst = async (values: readonly number[], save?: (value: number) => Promise<void>) => {
  if (values.length === 0) return undefined;
  log.info('found', 1);
  assert(values.length < 9);
  const found = values.filter((value) => value > 1 && !Number.isNaN(value)).find((value) => value % 2 === 0);
  await save?.(found ?? -1);
  if (found === undefined) throw new Error(\`none of \${1 + 2}\`);
  return { found, isDone: true, kinds: ['a', 'b'], message: 'all is well' };
};
`;

const mutated = (text: string): string[] => mutantsOf('a.ts', text).map((mutant) => toMutated(text, mutant).trim());

describe('the mutants of a program', () => {
  it('are other programs that can be run', () => {
    const all = mutantsOf('a.ts', SOURCE);
    expect(all.length).to.be.greaterThan(20);
    for (const mutant of all) {
      const text = toMutated(SOURCE, mutant);
      expect(text).not.to.equal(SOURCE);
      const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
      expect(diagnostics).to.deep.equal([]);
    }
  });

  for (const [name, before, afters] of [
    ['compare otherwise', 'f(a < b);', ['f(a <= b);', 'f(a >= b);']],
    ['join conditions otherwise', 'f(a && b);', ['f(a || b);']],
    ['calculate otherwise', 'f(a + b);', ['f(a - b);']],
    ['negate a condition', 'f(a ? b : c);', ['f(!(a) ? b : c);']],
    ['are off by one', 'f(1_000);', ['f(1001);']],
    ['are off by one in large numbers', 'f(5n);', ['f(6n);']],
    ['exchange true and false', 'f(true);', ['f(false);']],
    ['have a text less', "f('a');", ["f('');"]],
    ['have an empty list', 'f([a]);', ['f([]);']],
    ['need what was optional', 'f(a?.b);', ['f(a.b);']],
    ['do not negate', 'f(!a);', ['f(a);']],
    ['ask for all instead of some', 'f(a.some(b));', ['f(a.every(b));']],
    ['do not filter', 'f(a.filter(b));', ['f(a);']],
  ] as const)
    it(name, () => {
      expect(mutated(before)).to.deep.equal([';', ...afters]);
    });

  it('lack a statement, or do not wait for it', () => {
    expect(mutated('await f();')).to.deep.equal([';', 'void f();']);
  });

  it('lack an early exit', () => {
    expect(mutated('for (const a of b) { if (a) continue; c; }')).to.include('for (const a of b) { ; c; }');
    expect(mutated('function f() { if (a) { b; return; } }')).to.include('function f() { ; }');
  });

  it('do not concern types, imports, comments, logs, texts for people and checks of the program itself', () => {
    const changed = mutantsOf('a.ts', SOURCE).map(({ start, end }) => SOURCE.slice(start, end));
    expect(changed.filter((text) => /^(?:'\.\/log|log|assert|1 \+ 2|'all is well|'found)/.test(text))).to.deep.equal(
      [],
    );
    expect(mutantsOf('a.ts', SOURCE).filter(({ line }) => line <= 3)).to.deep.equal([]);
  });

  it('are shown as the lines that they change', () => {
    const text = 'f(\n  a,\n  b < c,\n);\n';
    const changes = mutantsOf('a.ts', text).map((mutant) => toChange(text, mutant));
    expect(changes).to.deep.equal([
      { before: 'f(\n  a,\n  b < c,\n);', after: ';' },
      { before: 'b < c,', after: 'b <= c,' },
      { before: 'b < c,', after: 'b >= c,' },
    ]);
  });

  it('are chosen by a seed alone, at most one in a line', () => {
    const texts = new Map([
      ['a.ts', SOURCE],
      ['b.ts', SOURCE],
    ]);
    const chosen = chooseMutants(texts, 8, 5);
    expect(chosen).to.deep.equal(chooseMutants(texts, 8, 5));
    expect(chosen).not.to.deep.equal(chooseMutants(texts, 8, 6));
    expect(chosen.length).to.equal(8);
    expect(new Set(chosen.map(({ file, line }) => `${file}:${line}`)).size).to.equal(8);
  });

  it('are known as equivalent by their file and their change', () => {
    const entry = { file: 'a.ts', before: 'f(1);', after: 'f(2);', reason: 'f ignores it.' };
    const change = { before: 'f(1);', after: 'f(2);' };
    expect(findEquivalent([entry], { file: 'a.ts' }, change)).to.equal(entry);
    expect(findEquivalent([entry], { file: 'b.ts' }, change)).to.equal(undefined);
    expect(findEquivalent([entry], { file: 'a.ts' }, { ...change, after: 'f(3);' })).to.equal(undefined);
  });
});
