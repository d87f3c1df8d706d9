// What the browser application has to know about its server before anybody has signed in: /ui/config.json.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { createStaticDocument } from '../openapi/staticDocuments.ts';
import type { ExplorerFiles } from './explorerFiles.ts';

/** The members of /ui/config.json. */
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

/** The files of the application with its configuration, which browsers ask for each time. */
export const addConfig = ({ parts, ...files }: ExplorerFiles, config: ExplorerConfig): ExplorerFiles => ({
  ...files,
  parts: new Map([...parts, ['/ui/config.json', createStaticDocument('json', JSON.stringify(config))]]),
});
