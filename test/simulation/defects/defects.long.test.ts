// The planted defects fit the sources: each changes one place, and the changed source still compiles.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { ROOT, readSource } from '../../support/sources.ts';
import { defects, findDefect } from './defects.ts';
import { applyDefect } from './plantDefect.ts';

const UNUSED: readonly number[] = [6133, 6192, 6196, 6198];

const { compilerOptions } = JSON.parse(readSource('tsconfig.json'));
const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, ROOT);
const host = ts.createCompilerHost(options);
const files = new Map<string, ts.SourceFile | undefined>();

const readFile: ts.CompilerHost['getSourceFile'] = (path, version) => {
  if (!files.has(path)) files.set(path, host.getSourceFile(path, version));
  return files.get(path);
};

// The errors of one file with other text, without those about unused names. All other files are read once.
const findErrors = (file: string, source: string): string[] => {
  const changed = join(ROOT, file);
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (path, version) =>
    path === changed ? ts.createSourceFile(path, source, version, true) : readFile(path, version);
  const program = ts.createProgram([changed], options, { ...host, getSourceFile });
  const parsed = program.getSourceFile(changed);
  return [...program.getSyntacticDiagnostics(parsed), ...program.getSemanticDiagnostics(parsed)]
    .filter(({ code }) => !UNUSED.includes(code))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};

describe('the planted defects', () => {
  it('are at least 30, with unique names', () => {
    const names = defects.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    expect(names.length).to.be.at.least(30);
    for (const name of names) expect(name).to.match(/^[a-z]+(-[a-z]+)*$/);
  });

  for (const defect of defects) {
    it(`${defect.name} changes one place of ${defect.file}, which still compiles`, () => {
      const source = readSource(defect.file);
      const changed = applyDefect(defect, source);
      expect(changed).not.to.equal(source);
      expect(findErrors(defect.file, changed)).to.deep.equal([]);
    });
  }

  it('are refused when their text is missing, or there twice', () => {
    const defect = { ...defects[0]!, find: 'a', replace: 'b' };
    expect(() => applyDefect(defect, 'x')).to.throw('0 times');
    expect(() => applyDefect(defect, 'a a')).to.throw('2 times');
    expect(applyDefect(defect, 'x a x')).to.equal('x b x');
  });

  it('are found by their names', () => {
    expect(findDefect(defects[0]!.name)).to.equal(defects[0]);
    expect(() => findDefect('none')).to.throw(`there is no defect none; there are: ${defects[0]!.name}, `);
  });

  it('change the code that a process loads', () => {
    const program = `
      import { plantDefect } from './test/simulation/defects/plantDefect.ts';
      plantDefect({ name: 'a', file: 'chain/jsonRpc/toQuantity.ts', find: 'toString(16)', replace: 'toString(2)' });
      const { toQuantity } = await import('./chain/jsonRpc/toQuantity.ts');
      console.log(toQuantity(5));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: ROOT });
    expect(printed.toString()).to.equal('0x101\n');
  });

  it('are reported when the source has an error', () => {
    const [file, source] = ['chain/jsonRpc/toQuantity.ts', readSource('chain/jsonRpc/toQuantity.ts')];
    expect(findErrors(file, source)).to.deep.equal([]);
    expect(findErrors(file, `${source}\nconst a = ;`)).to.include('Expression expected.');
    expect(findErrors(file, source.replace('number.toString', 'missing.toString'))).to.deep.equal([
      "Cannot find name 'missing'.",
    ]);
  });
});
