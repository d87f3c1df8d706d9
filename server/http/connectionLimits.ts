// Limits the open connections of a server: in total, and for each network of a client's address. At a limit a new
// connection displaces one that waits for its client: the one that has waited longest, otherwise the slowest. If every
// connection has a request that makes progress, the new one is closed.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CONNECTION_PACE, type ConnectionLimits, type ConnectionPace } from '../limits.ts';
import { NETWORK_FACTORS, toClientNetworks } from './clientNetworks.ts';
import { createExchangePace, type ExchangePace } from './exchangePace.ts';

/** Why a connection was closed: `refused` at a limit, `displaced` by a new connection, or `unread` by its client. */
export type ConnectionClosing = 'refused' | 'displaced' | 'unread';

/** The limits of a server, and how they are applied. */
export interface ConnectionOptions extends ConnectionLimits {
  /** Whether an address is a proxy's. A proxy connects many clients, so only `max` applies to it. */
  readonly isProxy?: (address: string) => boolean;
  /** `CONNECTION_PACE` unless given. */
  readonly pace?: ConnectionPace;
  readonly onClosing?: (closing: ConnectionClosing) => void;
  /** Called when the system couldn't give a connection to the server. A warning of the process unless given. */
  readonly onAcceptError?: (error: Error) => void;
  /** Monotonic milliseconds; those of the process unless given. */
  readonly readClock?: () => number;
}

/** The connections of a server. */
export interface Connections {
  /** Records that a request of a connection was dispatched. */
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  /** Records that a connection has no request in progress. */
  onIdle(socket: Socket): void;
  /** Whether the connection has a request in progress. */
  isBusy(socket: Socket): boolean;
}

interface Network {
  readonly name: string;
  readonly connectionsMax: number;
  readonly all: Set<Connection>;
  /** Those without a request in progress; the one that has waited longest comes first. */
  readonly waiting: Set<Connection>;
}

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  /** The narrowest first. */
  readonly networks: readonly Network[];
  /** The pace of the request in progress; undefined when there is none. */
  pace: ExchangePace | undefined;
}

/** Largest share of all connections that a network wider than one address may have. */
const WIDE_SHARE = 0.8;

const findSlowest = (connections: Iterable<Connection>): Connection | undefined => {
  let slowest: Connection | undefined;
  let slowestPace = Number.POSITIVE_INFINITY;
  for (const connection of connections) {
    const pace = connection.pace?.findSlowPace() ?? Number.POSITIVE_INFINITY;
    if (pace >= slowestPace) continue;
    slowest = connection;
    slowestPace = pace;
  }
  return slowest;
};

const findDisplaceable = ({ all, waiting }: Network): Connection | undefined => {
  const [longest] = waiting;
  return longest ?? findSlowest(all);
};

const setBusy = (connection: Connection): void => {
  for (const { waiting } of connection.networks) waiting.delete(connection);
};

const setWaiting = (connection: Connection): void => {
  for (const { waiting } of connection.networks) waiting.add(connection);
};

const createNetworks = ({ max, perAddressMax, isProxy = () => false }: ConnectionOptions) => {
  const networks = new Map<string, Network>();
  const wideMax = Math.max(perAddressMax, Math.ceil(max * WIDE_SHARE));
  const find = (name: string, connectionsMax: number): Network =>
    networks.get(name) ?? { name, connectionsMax, all: new Set(), waiting: new Set() };
  return {
    /** The networks of an address. A new one isn't kept until a connection is added to it. */
    find: (address: string): readonly Network[] => {
      if (isProxy(address)) return [find(`proxy ${address}`, Number.POSITIVE_INFINITY)];
      return toClientNetworks(address).map((name, at) =>
        find(name, Math.min(perAddressMax * NETWORK_FACTORS[at]!, wideMax)),
      );
    },
    add: (connection: Connection): void => {
      for (const network of connection.networks) {
        networks.set(network.name, network);
        network.all.add(connection);
      }
      setWaiting(connection);
    },
    remove: (connection: Connection): void => {
      setBusy(connection);
      for (const { name, all } of connection.networks) {
        all.delete(connection);
        if (all.size === 0) networks.delete(name);
      }
    },
    /** All networks, the one with the most connections first. */
    bySize: (): Network[] => [...networks.values()].sort((one, other) => other.all.size - one.all.size),
  };
};

// A TLS connection has one socket below the encryption and another above it; both have the same addresses.
const toName = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

const createRegistry = (limits: ConnectionOptions) => {
  const networks = createNetworks(limits);
  const connections = new Map<string, Connection>();

  const remove = (connection: Connection): void => {
    if (connections.get(connection.name) !== connection) return;
    connections.delete(connection.name);
    networks.remove(connection);
  };

  const close = (connection: Connection, closing: ConnectionClosing): void => {
    remove(connection);
    connection.socket.destroy();
    limits.onClosing?.(closing);
  };

  const displace = (candidates: readonly Network[]): boolean => {
    for (const network of candidates) {
      const displaced = findDisplaceable(network);
      if (displaced === undefined) continue;
      close(displaced, 'displaced');
      return true;
    }
    return false;
  };

  const hasPlace = (network: Network): boolean => network.all.size < network.connectionsMax || displace([network]);

  const isAdmitted = (its: readonly Network[]): boolean =>
    its.every(hasPlace) && (connections.size < limits.max || displace(networks.bySize()));

  /** Adds the connection, or closes it. */
  const admit = (socket: Socket): void => {
    const its = networks.find(socket.remoteAddress ?? '');
    if (!isAdmitted(its)) {
      socket.destroy();
      limits.onClosing?.('refused');
      return;
    }
    const connection = { name: toName(socket), socket, networks: its, pace: undefined };
    connections.set(connection.name, connection);
    networks.add(connection);
    socket.once('close', () => remove(connection));
  };

  const measurePaces = (nowMs: number, unreadMs: number): void => {
    for (const connection of connections.values()) {
      connection.pace?.measure(nowMs);
      if ((connection.pace?.toUnreadMs(nowMs) ?? 0) >= unreadMs) close(connection, 'unread');
    }
  };

  return { connections, admit, measurePaces };
};

/** Applies the limits to all new connections of a server. */
export const limitConnections = (server: Server, limits: ConnectionOptions): Connections => {
  const { pace = CONNECTION_PACE, readClock = () => performance.now() } = limits;
  const { connections, admit, measurePaces } = createRegistry(limits);
  const bySocket = new WeakMap<Socket, Connection>();
  const find = (socket: Socket): Connection | undefined => {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    const connection = connections.get(toName(socket));
    if (connection !== undefined) bySocket.set(socket, connection);
    return connection;
  };
  server.on('connection', admit);
  const sweep = setInterval(() => measurePaces(readClock(), pace.unreadMs), pace.windowMs / 2).unref();
  server.once('close', () => clearInterval(sweep));
  return {
    onRequest: (request, response) => {
      const connection = find(request.socket);
      if (connection === undefined) return;
      connection.pace = createExchangePace(request, response, { limits: pace, beganAtMs: readClock() });
      setBusy(connection);
    },
    onIdle: (socket) => {
      const connection = find(socket);
      if (connection === undefined) return;
      connection.pace = undefined;
      if (connections.get(connection.name) === connection) setWaiting(connection);
    },
    isBusy: (socket) => find(socket)?.pace !== undefined,
  };
};
