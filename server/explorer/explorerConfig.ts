// What the browser application has to know about its server before anybody has signed in: /ui/config.json.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { type BrowserIssuers, NO_BROWSER_ISSUERS } from '../auth/tokens/browserIssuers.ts';
import { createStaticDocument, type StaticDocument } from '../openapi/staticDocuments.ts';
import type { ExplorerFiles } from './explorerFiles.ts';

/** The members of /ui/config.json, besides the issuers. */
export interface ExplorerConfig {
  /** Address of the ledger contract. */
  readonly contract: Hex;
  /** Decimal, as in the interface. */
  readonly chain_id: string;
  /** Whether there is JSON-RPC at /rpc. */
  readonly rpc: boolean;
  /** Largest file that can be uploaded, in bytes. */
  readonly blob_bytes_max: number;
}

// The document changes with the issuers that can be reached.
const createReadConfig = (config: ExplorerConfig, issuers: BrowserIssuers): (() => StaticDocument) => {
  let text = '';
  let document: StaticDocument;
  return () => {
    const newest = JSON.stringify({ ...config, issuers: issuers.read() });
    if (newest !== text) document = createStaticDocument('json', newest);
    text = newest;
    return document;
  };
};

/** The files of the application with its configuration, which browsers ask for each time. */
export const addConfig = (
  files: ExplorerFiles,
  config: ExplorerConfig,
  issuers: BrowserIssuers = NO_BROWSER_ISSUERS,
): ExplorerFiles => ({
  ...files,
  readConfig: createReadConfig(config, issuers),
  tokenOrigins: issuers.tokenOrigins,
});
