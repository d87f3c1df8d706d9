// The pages that several benchmarks write, each its own section.

/**
 * Returns a Markdown page with a section replaced, or added at the end. A section reaches from its heading of the
 * second level to the next one. `text` follows the heading.
 */
export const replaceSection = (page: string, heading: string, text: string): string => {
  const [intro, ...sections] = page.trimEnd().split(/\n(?=## )/);
  const section = `## ${heading}\n\n${text.trim()}\n`;
  const at = sections.findIndex((old) => old.split('\n')[0] === `## ${heading}`);
  if (at < 0) sections.push(section);
  else sections[at] = section;
  return `${[intro!, ...sections].map((part) => part.trimEnd()).join('\n\n')}\n`;
};
