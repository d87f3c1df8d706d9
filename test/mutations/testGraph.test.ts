import { expect } from 'chai';
import { createTestGraph } from './testGraph.ts';

const TEXTS = new Map([
  ['host/pay/bank.ts', 'export const pay = 1;'],
  ['host/open.ts', "import { pay } from './pay/bank.ts';\nexport const open = pay;"],
  ['scripts/run.ts', "await import('../host/open.ts');"],
  ['host/kinds.ts', "import type { Pay } from './pay/bank.ts';"],
  ['test/host/pay/bank.test.ts', "import { pay } from '../../../host/pay/bank.ts';"],
  ['test/host/pay/other.test.ts', "import {\n  open,\n} from '../../../host/open.ts';"],
  ['test/host/kinds.test.ts', "import { kinds } from '../../host/kinds.ts';"],
  ['test/system/cheap.test.ts', "import '../../host/open.ts';"],
  ['test/system/dear.test.ts', "import '../../host/open.ts';"],
  ['test/system/banks.test.ts', "const path = new URL('../../scripts/run.ts', import.meta.url);"],
  ['test/system/all.long.test.ts', "import { pay } from '../../host/pay/bank.ts';"],
]);

const graph = createTestGraph(TEXTS, (test) => (test.includes('dear') ? 9 : 1));

describe('the tests that can notice a change of a file', () => {
  it('are asked in the order of what they share with it, then of their cost', () => {
    expect(graph.findTests('host/pay/bank.ts')).to.deep.equal([
      'test/host/pay/bank.test.ts',
      'test/host/pay/other.test.ts',
      'test/system/banks.test.ts',
      'test/system/cheap.test.ts',
      'test/system/dear.test.ts',
      'test/system/all.long.test.ts',
    ]);
  });

  it('reach it by more than its types', () => {
    expect(graph.findTests('host/kinds.ts')).to.deep.equal(['test/host/kinds.test.ts']);
  });

  it('are other tests when something changes that they reach', () => {
    const changed = createTestGraph(new Map([...TEXTS, ['host/pay/bank.ts', 'export const pay = 2;']]), () => 1);
    expect(changed.digestOf('test/system/dear.test.ts')).not.to.equal(graph.digestOf('test/system/dear.test.ts'));
    expect(changed.digestOf('test/host/kinds.test.ts')).to.equal(graph.digestOf('test/host/kinds.test.ts'));
  });
});
