// A defect whose place in the code was changed is planted nowhere, and what finds it proves nothing then.
import { expect } from 'chai';
import { readSource } from '../../support/sources.ts';
import { defects } from './defects.ts';

describe('the places of the planted defects', () => {
  it('are in the code, each once', () => {
    const lost = defects.filter(({ file, find }) => readSource(file).split(find).length !== 2);
    expect(lost.map(({ name, file }) => `${name} in ${file}`)).to.deep.equal([]);
  });
});
