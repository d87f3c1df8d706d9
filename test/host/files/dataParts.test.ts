import { relative } from 'node:path';
import { expect } from 'chai';
import { DATA_PARTS, toCopiedPaths } from '../../../host/files/dataParts.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';

describe('the parts of a data directory', () => {
  const names = DATA_PARTS.map(({ name }) => name);

  it('are those that have a path, each once', () => {
    const paths = Object.values(dataPaths('/data')).map((path) => relative('/data', path).split('/')[0]!);
    expect([...names].sort()).to.deep.equal([...new Set(paths)].sort());
  });

  it('that are copied are restored, the chain or its network last', () => {
    const lost = DATA_PARTS.filter(({ copying, isRestored }) => copying !== 'none' && !isRestored);
    expect(lost).to.deep.equal([]);
    const restored = DATA_PARTS.filter(({ isRestored }) => isRestored).map(({ name }) => name);
    expect(restored.slice(-2)).to.deep.equal(['chain', 'network.json']);
  });

  it('that no chain can give back are copied', () => {
    expect(toCopiedPaths('database', 'folder', 'file')).to.include.members([
      'keys',
      'blobs/content',
      'outbox',
      'log',
      'gone',
      'ledger.json',
      'clock.json',
    ]);
  });
});
