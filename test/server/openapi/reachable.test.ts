import { expect } from 'chai';
import { type ApiDocument, readDocument } from '../../../server/openapi/document.ts';
import { toReachable } from '../../../server/openapi/reachable.ts';
import { toPathDocument, toRequestDocument } from '../../../server/openapi/validation.ts';

const toRef = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const componentsOf = (
  schemas: Record<string, unknown>,
  others: Record<string, Record<string, unknown>> = {},
): Record<string, Record<string, unknown>> => ({ schemas, ...others });

const namesOf = (components: object): string[] =>
  Object.entries(components).flatMap(([kind, named]) => Object.keys(named).map((name) => `${kind}/${name}`));

/** All references in a part of a document. */
const findReferences = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { $ref } = node as { $ref?: unknown };
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(node).flatMap(findReferences)];
};

const has = (document: ApiDocument, reference: string): boolean =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce((node: unknown, name) => (node as Record<string, unknown> | undefined)?.[name], document) !== undefined;

describe('the components that a part of the document reaches', () => {
  it('are those that it refers to, at any depth, and those that these refer to', () => {
    const components = componentsOf(
      {
        Inner: { type: 'string' },
        Middle: { properties: { list: { items: { anyOf: [{ type: 'null' }, toRef('schemas', 'Inner')] } } } },
        Other: toRef('schemas', 'Inner'),
      },
      { parameters: { Size: { schema: toRef('schemas', 'Middle') }, Unused: {} } },
    );
    const part = { get: { parameters: [toRef('parameters', 'Size')] } };
    expect(toReachable(components, part)).to.eql({
      schemas: { Inner: components.schemas!.Inner, Middle: components.schemas!.Middle },
      parameters: { Size: components.parameters!.Size },
    });
  });

  it('include those of a schema that refers to itself, directly or through others', () => {
    const components = componentsOf({
      Own: { properties: { next: toRef('schemas', 'Own') } },
      There: toRef('schemas', 'Back'),
      Back: { items: toRef('schemas', 'There') },
    });
    expect(namesOf(toReachable(components, toRef('schemas', 'Own')))).to.eql(['schemas/Own']);
    expect(namesOf(toReachable(components, toRef('schemas', 'There')))).to.eql(['schemas/There', 'schemas/Back']);
  });

  it('are none of a part without references, under every kind of the document', () => {
    expect(toReachable(componentsOf({ One: {} }, { examples: { Two: {} } }), { type: 'string' })).to.eql({
      schemas: {},
      examples: {},
    });
  });

  it('must exist', () => {
    expect(() => toReachable(componentsOf({}), toRef('schemas', 'Missing'))).to.throw(TypeError, 'schemas/Missing');
    expect(() => toReachable(componentsOf({}), toRef('other', 'Missing'))).to.throw(TypeError, 'other/Missing');
  });

  it('of every path are all that its validators refer to, as they are in the document, and no others', () => {
    const document = readDocument();
    const all = namesOf(document.components).length;
    for (const path of Object.keys(document.paths)) {
      for (const described of [toPathDocument(document, path), toRequestDocument(document, path)]) {
        const references = new Set(findReferences(described));
        for (const reference of references) expect([path, reference, has(described, reference)]).to.include(true);
        const reached = namesOf(described.components);
        expect(new Set(reached.map((name) => `#/components/${name}`))).to.eql(references);
        expect(reached.length).to.be.lessThan(all);
      }
      const { parameters } = toPathDocument(document, path).components;
      for (const [name, parameter] of Object.entries(parameters))
        expect(parameter).to.equal(document.components.parameters[name]);
    }
  });
});
