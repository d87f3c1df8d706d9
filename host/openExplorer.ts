// Reads the browser application that the set-up has built.
import { fileURLToPath } from 'node:url';
import { type BrowserIssuers, createBrowserIssuers } from '../server/auth/tokens/browserIssuers.ts';
import type { OidcIssuerSettings } from '../server/auth/tokens/oidcSettings.ts';
import { fetchSignInEndpoints } from '../server/auth/tokens/signInEndpoints.ts';
import { addConfig, type ExplorerConfig } from '../server/explorer/explorerConfig.ts';
import { type ExplorerFiles, readExplorerFiles } from '../server/explorer/explorerFiles.ts';
import { reportLine, reportProblem } from './watching/reports.ts';

const DIRECTORY = fileURLToPath(new URL('../explorer/dist', import.meta.url));

const openIssuers = (issuers: readonly OidcIssuerSettings[]): BrowserIssuers =>
  createBrowserIssuers(issuers, {
    fetchEndpoints: fetchSignInEndpoints,
    nowMs: () => performance.now(),
    onProblem: reportProblem,
  });

/**
 * The browser application, in which people can sign in with those of the issuers that have a client for browsers;
 * undefined when it isn't built, which is reported.
 */
export const openExplorer = async (
  config: ExplorerConfig,
  issuers: readonly OidcIssuerSettings[] = [],
): Promise<ExplorerFiles | undefined> => {
  const files = await readExplorerFiles(DIRECTORY);
  if (files === undefined) reportLine('there are no pages at /, since explorer/dist has not been built');
  return files && addConfig(files, config, openIssuers(issuers));
};
