// The settings, read once from the environment. No other file reads process.env.
import { join, resolve } from 'node:path';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly chainRpcPort: number;
}

const readPort = (name: string, fallback: number): number => {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`${name} is ${JSON.stringify(text)}; it must be a port number from 0 (any free port) to 65535`);
};

/** Settings of this process. @throws Error that names the variable when one makes no sense. */
export const readConfig = (): Config => ({
  host: process.env.HOST || '127.0.0.1',
  port: readPort('PORT', 8080),
  dataDir: resolve(process.env.DATA_DIR || './data'),
  chainRpcPort: readPort('CHAIN_RPC_PORT', 8545),
});

/** Where everything of one installation lives. */
export const dataPaths = (dataDir: string) => ({
  keys: join(dataDir, 'keys'),
  chain: join(dataDir, 'chain'),
  index: join(dataDir, 'index'),
  outbox: join(dataDir, 'outbox'),
  control: join(dataDir, 'control'),
  controlSocket: join(dataDir, 'control', 'socket'),
});
