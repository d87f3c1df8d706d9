import { expect } from 'chai';
import { fileTypeFromBuffer } from 'file-type';
import { createPdf } from '../../../host/demo/pdf.ts';

const LINES = ['Certificate (first) \\ issue', 'Range 0 to 10 bar'];

describe('a generated PDF file', () => {
  const bytes = createPdf(LINES);
  const text = bytes.toString('latin1');

  it('is recognised as one', async () => {
    expect((await fileTypeFromBuffer(bytes))?.mime).to.equal('application/pdf');
  });

  it('has a table with the offset of each of its objects', () => {
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]);
    const table = /^xref\n0 (\d+)\n((?:\d{10} \d{5} [nf] \n)+)trailer\n<< \/Size (\d+) /.exec(text.slice(start))!;
    const entries = table[2]!.split('\n').slice(0, -1);
    expect([Number(table[1]), Number(table[3])]).to.deep.equal([entries.length, entries.length]);
    const offsets = entries.slice(1).map((entry) => Number(entry.slice(0, 10)));
    expect(offsets).to.have.length(5);
    for (const [index, offset] of offsets.entries())
      expect(text.slice(offset, offset + 8)).to.equal(`${index + 1} 0 obj\n`);
  });

  it('states the length of its content, which has the lines with escaped characters', () => {
    const [, length, content] = /\/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(text)!;
    expect(content).to.have.length(Number(length));
    expect(content).to.include('(Certificate \\(first\\) \\\\ issue) Tj').and.to.include('(Range 0 to 10 bar) Tj');
  });
});
