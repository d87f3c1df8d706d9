// Plants a defect: the text of one source file is changed when it is loaded, before its types are removed.
import { registerHooks } from 'node:module';
import type { Defect } from './defect.ts';

/**
 * The source with the defect.
 * @throws Error when the source doesn't contain the defect's text exactly once.
 */
export const applyDefect = ({ name, file, find, replace }: Defect, source: string): string => {
  const parts = source.split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new Error(`${file} contains the text of the defect ${name} ${parts.length - 1} times`);
};

/** Plants the defect in this process. The file must not be loaded yet. */
export const plantDefect = (defect: Defect): void => {
  const url = new URL(`../../../${defect.file}`, import.meta.url).href;
  registerHooks({
    load: (loaded, context, nextLoad) => {
      const result = nextLoad(loaded, context);
      if (loaded !== url) return result;
      const source = Buffer.from(result.source as Uint8Array).toString('utf8');
      return { ...result, source: applyDefect(defect, source) };
    },
  });
};
