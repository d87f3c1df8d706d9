// The lines of a body, among blank ones.
import { expect } from 'chai';
import { splitLines } from '../../../server/lines/splitLines.ts';

const LIMITS = { linesMax: 10_000, lineBytesMax: 1_000, groupLinesMax: 100, groupBytesMax: 10_000 };

describe('the lines of a body', () => {
  const split = async (
    texts: readonly string[],
    { linesMax = LIMITS.linesMax, pause = async () => undefined } = {},
  ) => {
    async function* chunks() {
      for (const text of texts) yield Buffer.from(text);
    }
    const lines: [number, string][] = [];
    for await (const group of splitLines(chunks(), { ...LIMITS, linesMax }, pause))
      lines.push(...group.map(({ number, bytes }): [number, string] => [number, String(bytes)]));
    return lines;
  };

  it('are those that have more than blanks', async () => {
    expect(await split(['a\n\n', ' \t\r\n', '\nb', 'c\n \n\n', '\r'])).to.eql([
      [1, 'a'],
      [5, 'bc'],
    ]);
  });

  const bodies: [string, string[], [number, string]][] = [
    ['in the chunk of the others', ['a\n\n\n', '\n\n\n'], [4, '']],
    ['without a newline', ['a\n\n\n', ' '], [4, ' ']],
    ['before many', ['a\n', '\n'.repeat(5_000)], [4, '']],
    ['that is not blank', ['a\n\n\nb\nc\n'], [4, 'b']],
  ];
  for (const [title, texts, last] of bodies) {
    it(`end with the first line over the largest number, ${title}`, async () => {
      expect(await split(texts, { linesMax: 3 })).to.eql([[1, 'a'], last]);
    });
  }

  it('may be so many, blank ones included', async () => {
    expect(await split(['\n\na\n'], { linesMax: 3 })).to.eql([[3, 'a']]);
  });

  it('leave the event loop to others after each chunk without any', async () => {
    let pauses = 0;
    const pause = async (): Promise<undefined> => {
      pauses += 1;
    };
    expect(await split(['\n'.repeat(500), ' '.repeat(500), '\n \n', 'a\n'], { pause })).to.eql([[503, 'a']]);
    expect(pauses).to.equal(3);
  });
});
