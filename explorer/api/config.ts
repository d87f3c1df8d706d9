// What the server says about itself to its pages, without a token.
import { ApiError, UNREACHABLE } from './client.ts';

/** /ui/config.json. */
export interface ServerConfig {
  /** Address of the ledger contract. */
  readonly contract: `0x${string}`;
  readonly chain_id: string;
  /** Whether the server passes on reads of the chain at /rpc. */
  readonly rpc: boolean;
  /** Largest file that can be uploaded, in bytes. */
  readonly blob_bytes_max: number;
}

let known: Promise<ServerConfig> | undefined;

const fetchConfig = async (): Promise<ServerConfig> => {
  const answer = await fetch('/ui/config.json').catch(() => {
    throw UNREACHABLE;
  });
  if (!answer.ok) throw new ApiError(answer.status, 'UNKNOWN', `The server answered ${answer.status}.`);
  return (await answer.json()) as ServerConfig;
};

/** Reads it once while the explorer is open. Rejects with ApiError; the next call asks again. */
export const loadServerConfig = (): Promise<ServerConfig> => {
  known ??= fetchConfig();
  known.catch(() => {
    known = undefined;
  });
  return known;
};
