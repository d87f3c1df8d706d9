// Opens what the server has for browsers: the explorer, and the link with which the operator signs in at a local first
// start.
import { isLoopback } from '../ledger/loopback.ts';
import type { OidcIssuerSettings } from '../server/auth/tokens/oidcSettings.ts';
import type { ExplorerFiles } from '../server/explorer/explorerFiles.ts';
import { createSignInLink, type SignInLink } from '../server/explorer/signInLink.ts';
import { openExplorer } from './openExplorer.ts';
import type { Ledger } from './openLedger.ts';
import type { Config } from './settings/config.ts';

/** What the server has for browsers. */
export interface Pages {
  /** Undefined: it isn't built. */
  readonly explorer: ExplorerFiles | undefined;
  /** Undefined: the operator's browser isn't known to be on this machine. */
  readonly signInLink: SignInLink | undefined;
}

interface PagesOptions {
  readonly config: Config;
  readonly issuers: readonly OidcIssuerSettings[];
  /** Base URL of the server. */
  readonly url: string;
  /** Whether a person at a terminal sees what the server prints. */
  readonly isAtTerminal: boolean;
}

// Behind a proxy on this machine, every client seems to be here.
const isLocal = ({ config, url, isAtTerminal }: PagesOptions): boolean =>
  isAtTerminal && isLoopback(new URL(url)) && config.trustProxy === undefined;

/** Opens the pages of a ledger. The link isn't usable yet. */
export const openPages = async ({ contract, chain }: Ledger, options: PagesOptions): Promise<Pages> => {
  const { config, issuers } = options;
  const shown = {
    contract,
    chain_id: String(chain.chainId),
    rpc: config.explorerRpc !== 'no',
    blob_bytes_max: config.blobBytesMax,
  };
  const explorer = await openExplorer(shown, issuers);
  const hasLink = explorer !== undefined && isLocal(options);
  return { explorer, signInLink: hasLink ? createSignInLink(() => performance.now()) : undefined };
};
