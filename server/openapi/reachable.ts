// The components of the document that a part of it needs. The validators register and check every schema that they are
// given, for each path again.

/** By their kind, such as `schemas`, then by their name. */
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const PREFIX = '#/components/';

/**
 * Returns the components that a part of the document refers to, directly or through others.
 * @throws TypeError for a component that the document doesn't have.
 */
export const toReachable = <C extends object>(components: C, part: object): C => {
  const reached: Record<string, Record<string, unknown>> = Object.fromEntries(
    Object.keys(components).map((kind) => [kind, {}]),
  );
  const visitReference = (reference: string): void => {
    const [kind = '', name = ''] = reference.slice(PREFIX.length).split('/');
    const component = (components as Components)[kind]?.[name];
    if (component === undefined) throw new TypeError(`the document has no ${reference}`);
    if (reached[kind]![name] !== undefined) return;
    reached[kind]![name] = component;
    visit(component);
  };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith(PREFIX)) visitReference($ref);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(part);
  return reached as C;
};
