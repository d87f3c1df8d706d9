// The watched collections fit the sources: each is declared once, and the changed source passes it to the simulation.
import { expect } from 'chai';
import { readSource } from '../../support/sources.ts';
import { startProcess } from '../world/processes.ts';
import { applyWatch, readSize, WATCHED_COLLECTIONS, watchCollection } from './watchedCollections.ts';

const NAME = 'nonces in use';
const watchedIn = (source: string): string =>
  applyWatch({ name: NAME, file: 'file.ts', variable: 'taken' }, source).split('\n')[0]!;

describe('the watched collections', () => {
  for (const watched of WATCHED_COLLECTIONS) {
    it(`watch ${watched.name} in ${watched.file}, on the same line`, () => {
      const source = readSource(watched.file);
      const lines = applyWatch(watched, source).split('\n');
      const changed = source.split('\n').flatMap((line, at) => (line === lines[at] ? [] : [lines[at]!]));
      expect(changed).to.have.length(1);
      expect(changed[0]).to.include(`const ${watched.variable}`).and.to.include(`watchCollection('${watched.name}', `);
    });
  }

  it('are refused when the source declares them never or twice', () => {
    expect(() => watchedIn('let taken = [];')).to.throw('file.ts declares taken 0 times');
    expect(() => watchedIn('const taken = [];\nconst taken = [];')).to.throw('file.ts declares taken 2 times');
    expect(watchedIn('  const taken: A[] = [];')).to.equal(`  const taken: A[] = watchCollection('${NAME}', []);`);
  });

  it('have the sizes of all collections of one name that a process created', () => {
    const process = startProcess({ name: 'a', machine: 'a', onKilled: () => undefined });
    const [list, set] = process.run(() => [watchCollection(NAME, [1]), watchCollection(NAME, new Set([1, 2]))]);
    watchCollection(NAME, [1]);
    expect(readSize(process, NAME)).to.equal(3);
    list.pop();
    set.clear();
    expect(readSize(process, NAME)).to.equal(0);
    expect(readSize(process, 'names of exclusive tasks')).to.equal(0);
  });
});
