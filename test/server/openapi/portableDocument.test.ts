// What programs that generate clients, and readers of YAML in other languages, need of server/openapi.yaml.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isNode, parseDocument, visit } from 'yaml';
import { readDocument } from '../../../server/openapi/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document
type Node = any;

const document: Node = readDocument();
const text = readFileSync(new URL('../../../server/openapi.yaml', import.meta.url), 'utf8');

// The objects of the document for which a condition holds, by their path.
const find = (isWanted: (node: Node) => boolean, node: Node = document, path = ''): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, value]) => find(isWanted, value, `${path}/${name}`));
  return isWanted(node) ? [path, ...inner] : inner;
};

const lower = (names: readonly string[]): string[] => names.map((name) => String(name).toLowerCase());

describe('openapi.yaml, as other programs read it,', () => {
  it('names each anchor once', () => {
    const anchors: string[] = [];
    visit(parseDocument(text, { merge: true }), (_key, node) => {
      if (isNode(node) && 'anchor' in node && node.anchor !== undefined) anchors.push(node.anchor);
    });
    expect(anchors).to.have.length(new Set(anchors).size);
    expect(anchors).to.include('name');
  });

  it('has one type besides null in each schema', () => {
    const isMixed = ({ type }: Node): boolean => Array.isArray(type) && type.filter((one) => one !== 'null').length > 1;
    expect(find(isMixed)).to.deep.equal([]);
  });

  it('has no values that differ only in case', () => {
    const isAlike = ({ enum: values }: Node): boolean =>
      Array.isArray(values) && new Set(lower(values)).size < values.length;
    expect(find(isAlike)).to.deep.equal([]);
  });

  it('has patterns that every language reads: without escapes and without looking ahead', () => {
    const isSpecial = ({ pattern }: Node): boolean => typeof pattern === 'string' && /\\|\(\?[^:]/.test(pattern);
    expect(find(isSpecial)).to.deep.equal([]);
  });

  it('names no parameter as a schema is named', () => {
    const { parameters, schemas } = document.components;
    const names = new Set(lower(Object.keys(schemas)));
    expect(lower(Object.keys(parameters)).filter((name) => names.has(name))).to.deep.equal([]);
  });
});
