// Tables of the measurement pages, in Markdown.

/**
 * Returns a Markdown table: a header, then rows of as many cells. The first column is text; numbers of the others align
 * right.
 */
export const toTable = (header: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [header, header.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
