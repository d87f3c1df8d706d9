// Reads the browser application that the set-up has built.
import { fileURLToPath } from 'node:url';
import { addConfig, type ExplorerConfig } from '../server/explorer/explorerConfig.ts';
import { type ExplorerFiles, readExplorerFiles } from '../server/explorer/explorerFiles.ts';
import { reportLine } from './watching/reports.ts';

const DIRECTORY = fileURLToPath(new URL('../explorer/dist', import.meta.url));

/** The browser application; undefined when it isn't built, which is reported. */
export const openExplorer = async (config: ExplorerConfig): Promise<ExplorerFiles | undefined> => {
  const files = await readExplorerFiles(DIRECTORY);
  if (files === undefined) reportLine('there are no pages at /, since explorer/dist has not been built');
  return files && addConfig(files, config);
};
