// What the server says about itself to its pages, without a token.
import { ApiError, UNREACHABLE } from './client.ts';

/** Where an issuer signs people in (OpenID Connect Discovery). */
export interface IssuerEndpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly authorization_response_iss_parameter_supported: boolean;
  readonly id_token_signing_alg_values_supported: readonly string[];
}

/** An issuer with which people sign in. */
export interface ShownIssuer {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  /** Null while the server can't reach the issuer. */
  readonly endpoints: IssuerEndpoints | null;
}

/** /ui/config.json. */
export interface ServerConfig {
  /** Address of the ledger contract. */
  readonly contract: `0x${string}`;
  readonly chain_id: string;
  /** Whether the server passes on reads of the chain at /rpc. */
  readonly rpc: boolean;
  /** Largest file that can be uploaded, in bytes. */
  readonly blob_bytes_max: number;
  readonly issuers: readonly ShownIssuer[];
}

let known: Promise<ServerConfig> | undefined;

const fetchConfig = async (signal: AbortSignal | null): Promise<ServerConfig> => {
  const answer = await fetch('/ui/config.json', { signal }).catch((cause: Error) => {
    throw cause.name === 'AbortError' ? cause : UNREACHABLE;
  });
  if (!answer.ok) throw new ApiError(answer.status, 'UNKNOWN', `The server answered ${answer.status}.`);
  return (await answer.json()) as ServerConfig;
};

/** Reads it once while the explorer is open. Rejects with ApiError; the next call asks again. */
export const loadServerConfig = (): Promise<ServerConfig> => {
  known ??= fetchConfig(null);
  known.catch(() => {
    known = undefined;
  });
  return known;
};

/** Reads it as it is now: the issuers that can be reached change. Rejects with ApiError. */
export const loadNewestConfig = (signal: AbortSignal): Promise<ServerConfig> => fetchConfig(signal);
