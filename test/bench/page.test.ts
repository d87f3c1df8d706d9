import { expect } from 'chai';
import { replaceSection } from '../../bench/page.ts';

const PAGE = '# Page\n\nIntro.\n\n## One\n\nold\n\n### Part\n\n## Two\n\nsecond\n';

describe('a section of a page', () => {
  it('is replaced up to the next heading of its level', () => {
    expect(replaceSection(PAGE, 'One', 'new\n')).to.equal('# Page\n\nIntro.\n\n## One\n\nnew\n\n## Two\n\nsecond\n');
  });

  it('is replaced at the end of the page', () => {
    expect(replaceSection(PAGE, 'Two', 'new')).to.equal(PAGE.replace('second', 'new'));
  });

  it('is added when there is none', () => {
    expect(replaceSection(PAGE, 'On', 'new')).to.equal(`${PAGE}\n## On\n\nnew\n`);
  });

  it('is the same after a second time', () => {
    const once = replaceSection(PAGE, 'One', 'new');
    expect(replaceSection(once, 'One', 'new')).to.equal(once);
  });
});
