// The settings, read once from the environment. No other file reads process.env.
import { join, resolve } from 'node:path';
import { BLOB_BYTES_MAX, POLICIES_MAX } from './limits.ts';
import { type NetworkSettings, toNetworkSettings } from './networkSettings.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly chainRpcPort: number;
  /** Largest file that may be uploaded. */
  readonly blobBytesMax: number;
  /** Compliance policies that a tenant may have. */
  readonly policiesMax: number;
  /** Scheme and host of public URLs, `https://ledger.example` say; undefined: those of each request. */
  readonly publicUrl: string | undefined;
  /** Nodes of the chain; undefined: the embedded chain. */
  readonly network: NetworkSettings | undefined;
}

const readPort = (name: string, fallback: number): number => {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`${name} is ${JSON.stringify(text)}; it must be a port number from 0 (any free port) to 65535`);
};

const readBytes = (name: string, fallback: number): number => {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; it must be a number of bytes, 1 or more`);
};

const readCount = (name: string, fallback: number): number => {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; it must be a number from 0 to 999999`);
};

const readOrigin = (name: string): string | undefined => {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:\/\/[^/]+\/$/.test(url.href) && url.username === '' && url.password === '';
  if (isOrigin) return url.origin;
  throw new Error(`${name} is ${JSON.stringify(text)}; it must be a scheme and a host, such as https://ledger.example`);
};

/** The chain that the environment names. @throws Error that names the variable when one makes no sense. */
export const readNetwork = (): NetworkSettings | undefined =>
  process.env.CHAIN_RPC_URL
    ? toNetworkSettings(process.env.CHAIN_RPC_URL, process.env.CHAIN_CONFIRMATIONS || undefined)
    : undefined;

/** Settings of this process. @throws Error that names the variable when one makes no sense. */
export const readConfig = (): Config => ({
  host: process.env.HOST || '127.0.0.1',
  port: readPort('PORT', 8080),
  dataDir: resolve(process.env.DATA_DIR || './data'),
  chainRpcPort: readPort('CHAIN_RPC_PORT', 8545),
  blobBytesMax: readBytes('BLOB_BYTES_MAX', BLOB_BYTES_MAX),
  policiesMax: readCount('POLICIES_MAX', POLICIES_MAX),
  publicUrl: readOrigin('PUBLIC_URL'),
  network: readNetwork(),
});

/** Where everything of one installation lives. */
export const dataPaths = (dataDir: string) => ({
  keys: join(dataDir, 'keys'),
  chain: join(dataDir, 'chain'),
  index: join(dataDir, 'index'),
  outbox: join(dataDir, 'outbox'),
  blobs: join(dataDir, 'blobs'),
  network: join(dataDir, 'network.json'),
  control: join(dataDir, 'control'),
  controlSocket: join(dataDir, 'control', 'socket'),
});
