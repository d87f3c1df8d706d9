// Cycles among the imports of files.
import { dirname, join } from 'node:path';

/** The path from the root that a relative import of `path` names. */
export const toTarget = (path: string, specifier: string): string => join(dirname(path), specifier);

/** One cycle of a graph as the names along it, the first again at its end; undefined when there is none. */
export const findCycle = (graph: ReadonlyMap<string, readonly string[]>): string[] | undefined => {
  const finished = new Set<string>();
  const trail: string[] = [];
  const walk = (name: string): string[] | undefined => {
    if (finished.has(name)) return undefined;
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    trail.push(name);
    for (const next of graph.get(name) ?? []) {
      const cycle = walk(next);
      if (cycle !== undefined) return cycle;
    }
    trail.pop();
    finished.add(name);
    return undefined;
  };
  for (const name of graph.keys()) {
    const cycle = walk(name);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
};
