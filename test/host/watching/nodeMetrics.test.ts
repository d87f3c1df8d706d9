// Labels of the metrics of nodes: hosts, without what else a URL has, and few of them.
import { expect } from 'chai';
import { countByHost } from '../../../host/watching/nodeMetrics.ts';

const nodeOf = (name: string, falseAnswers: number) => ({ name, isLeft: false, falseAnswers, seen: undefined });

describe('false answers by host', () => {
  it('are those of all nodes of the host', () => {
    const nodes = [nodeOf('http://one:8545', 2), nodeOf('http://one:8546', 3), nodeOf('https://two', 0)];
    expect([...countByHost(nodes)]).to.deep.equal([
      ['one', 5],
      ['two', 0],
    ]);
  });

  it('have at most 17 labels', () => {
    const counts = countByHost(Array.from({ length: 99 }, (_, n) => nodeOf(`http://node${n}`, 1)));
    expect(counts.size).to.equal(17);
    expect(counts.get('node15')).to.equal(1);
    expect(counts.get('others')).to.equal(83);
  });
});
