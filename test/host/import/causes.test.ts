import { expect } from 'chai';
import { createCauses } from '../../../host/import/causes.ts';

const EVENT = 'assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a/events/00000000-0000-4000-8000-00000000000';

describe('the causes of failures', () => {
  it('are the reasons, whatever their identities and quoted texts', () => {
    const causes = createCauses();
    causes.add(3, `${EVENT}1: 400 there is no location "a\\"b"`);
    causes.add(7, `${EVENT}2: 400 there is no location ""`);
    causes.add(8, 'is not JSON');
    causes.add(0, 'its file is not here');
    expect(causes.toLines()).to.eql([
      `lines 3, 7: ${EVENT}1: 400 there is no location "a\\"b"`,
      'line 8: is not JSON',
      'its file is not here',
    ]);
  });

  it('have one line each, at most 15, and one line for all others', () => {
    const causes = createCauses();
    for (let line = 1; line <= 3_000; line += 1) causes.add(line, `attribute n${line} is wrong`);
    for (let line = 1; line <= 5; line += 1) causes.add(line, 'frequent');
    const lines = causes.toLines();
    expect([lines.length, lines[0]]).to.eql(
      [16, 'attribute n1 is wrong'].map((text, at) => (at ? `line 1: ${text}` : text)),
    );
    expect(lines.at(-1)).to.match(/^2990 more/);
  });
});
