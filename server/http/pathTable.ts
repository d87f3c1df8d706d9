// Finds the path template of a request in a tree of segments. Express' router would compare a path with the regular
// expressions of all templates in turn.

/** A template that a path matches, and the values of its parameters. */
export interface PathMatch<T> {
  readonly entry: T;
  /** As they were sent, percent-encoded. */
  readonly values: readonly string[];
}

/** A parameter, and what its segment ends with: `{uuid}:publicurl`. */
interface ParameterChild<T> {
  readonly ending: string;
  readonly node: Node<T>;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  /** Those with an ending come first. */
  readonly parameters: ParameterChild<T>[];
  entry: T | undefined;
}

const PARAMETER = /^\{\w+\}(.*)$/;

const createNode = <T>(): Node<T> => ({ literals: new Map(), parameters: [], entry: undefined });

const addParameter = <T>({ parameters }: Node<T>, ending: string): Node<T> => {
  const known = parameters.find((child) => child.ending === ending);
  if (known !== undefined) return known.node;
  const node = createNode<T>();
  parameters.push({ ending, node });
  parameters.sort((one, other) => other.ending.length - one.ending.length);
  return node;
};

const addLiteral = <T>({ literals }: Node<T>, segment: string): Node<T> => {
  const node = literals.get(segment) ?? createNode<T>();
  literals.set(segment, node);
  return node;
};

const findFrom = <T>(node: Node<T>, segments: readonly string[], at: number, values: string[]): T | undefined => {
  if (at === segments.length) return node.entry;
  const segment = segments[at]!;
  const literal = node.literals.get(segment);
  const found = literal && findFrom(literal, segments, at + 1, values);
  if (found !== undefined) return found;
  for (const { ending, node: child } of node.parameters) {
    if (segment.length <= ending.length || !segment.endsWith(ending)) continue;
    values.push(segment.slice(0, segment.length - ending.length));
    const entry = findFrom(child, segments, at + 1, values);
    if (entry !== undefined) return entry;
    values.pop();
  }
  return undefined;
};

/**
 * Returns a function that finds the entry of the template that a path matches, exactly and with its case. Of several,
 * it is the one with literal text in the first segment in which they differ. A parameter is at least one character.
 */
export const createPathTable = <T>(
  entries: Iterable<readonly [template: string, entry: T]>,
): ((path: string) => PathMatch<T> | undefined) => {
  const root = createNode<T>();
  for (const [template, entry] of entries) {
    let node = root;
    for (const segment of template.split('/')) {
      const ending = PARAMETER.exec(segment)?.[1];
      node = ending === undefined ? addLiteral(node, segment) : addParameter(node, ending);
    }
    node.entry = entry;
  }
  return (path) => {
    const values: string[] = [];
    const entry = findFrom(root, path.split('/'), 0, values);
    return entry === undefined ? undefined : { entry, values };
  };
};
