// Writes PDF files of one page of text, by PDF 1.4 (ISO 32000).

const LINE_HEIGHT = 20;
const TOP = 780;
const LEFT = 60;
const FONT_SIZE = 12;

const escapeText = (text: string): string => text.replace(/[\\()]/g, '\\$&');

const toContent = (lines: readonly string[]): string =>
  [
    'BT',
    `/F1 ${FONT_SIZE} Tf`,
    `${LINE_HEIGHT} TL`,
    `${LEFT} ${TOP} Td`,
    ...lines.map((line) => `(${escapeText(line)}) Tj T*`),
    'ET',
  ].join('\n');

const toObjects = (content: string): readonly string[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
];

// An entry of the table of offsets has exactly 20 bytes.
const toEntry = (offset: number): string => `${String(offset).padStart(10, '0')} 00000 n \n`;

/** A PDF file of one A4 page with these lines, each of at most 80 printable ASCII characters. */
export const createPdf = (lines: readonly string[]): Buffer => {
  let text = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of toObjects(toContent(lines)).entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = offsets.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.map(toEntry).join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
};
