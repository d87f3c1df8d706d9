// Which files of the repository mutants are made of.
import { trackedFiles } from '../tidy/trackedFiles.ts';

const isProgram = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !path.includes('.gen.');

/**
 * The programs in a folder, with their texts by their paths.
 * @param parts only those whose path contains one of them
 * @throws RangeError when there are none
 */
export const selectFiles = (folder: string, parts: readonly string[] = ['']): Map<string, string> => {
  const found = [...trackedFiles].filter(
    ([path]) => path.startsWith(`${folder}/`) && isProgram(path) && parts.some((part) => path.includes(part)),
  );
  if (found.length === 0) throw new RangeError(`${folder} has no such programs of the repository`);
  return new Map(found);
};
