// Limits the connections of each server, so that sockets, files and databases together stay below the limit of open
// files. A process that reaches that limit fails wherever it opens the next file.
import { readFileSync } from 'node:fs';
import type { ConnectionLimits } from '../../server/limits.ts';
import type { Config } from './config.ts';

/** The ports of an installation. */
export type Port = 'api' | 'rpc' | 'metrics';

type Limits = Readonly<Record<Port, ConnectionLimits>>;

/**
 * Largest share of LevelDB: 20 % of the limit, whatever the number of databases (`MaxOpenFiles` in its `env_posix.cc`).
 */
const LEVELDB_SHARE = 0.2;
/** Descriptors for everything else: logs and locks, the control socket, the event loop, directories that are synced. */
const OTHERS = 100;
/** A connection to the API may have a file open: an upload or a download. */
const DESCRIPTORS_PER_API_CONNECTION = 2;
/** Largest shares of the small ports in the remaining descriptors. */
const RPC_SHARE = 0.15;
const METRICS_SHARE = 0.02;
/** Share of a port's connections that one address may have. */
const ADDRESS_SHARE = 0.8;
const CONNECTIONS_MIN = 8;

const DESCRIPTORS_UNKNOWN = 1_024;
const OPEN_FILES = /^Max open files +(\d+)/m;

/** The limit of open files of this process; 1,024 where the system doesn't report it. */
export const readDescriptorsMax = (): number => {
  try {
    return Number(OPEN_FILES.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? DESCRIPTORS_UNKNOWN);
  } catch {
    return DESCRIPTORS_UNKNOWN;
  }
};

const toLimits = (max: number, affordable: number, perAddressMax: number) => {
  const possible = Math.max(CONNECTIONS_MIN, Math.min(max, Math.floor(affordable)));
  return { max: possible, perAddressMax: Math.min(perAddressMax, Math.ceil(possible * ADDRESS_SHARE)) };
};

/**
 * The configured limits, or as much of them as `descriptorsMax` allows.
 * @throws Error that states the least limit of open files when `descriptorsMax` is below it.
 */
export const toConnectionLimits = (config: Config, descriptorsMax: number): Limits => {
  const free = descriptorsMax * (1 - LEVELDB_SHARE) - OTHERS;
  const needed = CONNECTIONS_MIN * (2 + DESCRIPTORS_PER_API_CONNECTION);
  if (free < needed) {
    const least = Math.ceil((OTHERS + needed) / (1 - LEVELDB_SHARE));
    throw new Error(`the limit of open files is ${descriptorsMax}; it must be at least ${least} (ulimit -n)`);
  }
  const rpc = toLimits(config.chainRpcConnectionsMax, free * RPC_SHARE, config.chainRpcConnectionsPerAddress);
  const metrics = toLimits(config.metricsConnectionsMax, free * METRICS_SHARE, config.metricsConnectionsPerAddress);
  const left = (free - rpc.max - metrics.max) / DESCRIPTORS_PER_API_CONNECTION;
  return { rpc, metrics, api: toLimits(config.connectionsMax, left, config.connectionsPerAddress) };
};
