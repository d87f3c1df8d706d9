import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../support/propertyRuns.ts';
import { createLayeredMap, type LayeredMap } from './layeredMap.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

const changes = fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.nat()), { maxLength: 6 });
const steps = fc.array(fc.record({ from: fc.nat(), drafted: changes, isCommitted: fc.boolean(), changes }), {
  maxLength: 60,
});

const readAll = (map: LayeredMap<number>): (number | undefined)[] => KEYS.map((key) => map.get(key));

describe('a layered map', () => {
  it('has its own changes and those before it, in every copy, as copies of a Map have', () => {
    const property = fc.property(steps, (list) => {
      const versions = [{ map: createLayeredMap<number>(), model: new Map<string, number>() }];
      for (const { from, drafted, isCommitted, changes } of list) {
        const parent = versions[from % versions.length]!;
        const map = parent.map.fork();
        const model = new Map(parent.model);
        for (const [key, value] of changes) {
          map.set(key, value);
          model.set(key, value);
        }
        const draft = map.draft();
        for (const [key, value] of drafted) draft.set(key, value);
        for (const [key, value] of new Map(drafted)) expect(draft.get(key)).to.equal(value);
        if (isCommitted) {
          draft.commit();
          for (const [key, value] of drafted) model.set(key, value);
        }
        versions.push({ map, model });
      }
      for (const { map, model } of versions) expect(readAll(map)).to.deep.equal(KEYS.map((key) => model.get(key)));
    });
    fc.assert(property, runs(300));
  });
});
