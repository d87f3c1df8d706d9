// Limits the open connections of a server: in all, and of one client network. At a limit a new connection takes the place of one that waits for
// its client: the one that has waited longest. If every connection has a request under way, the new one is closed.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { toClientNetwork } from './clientNetworks.ts';

/** Why a connection was closed: a new one that found no place, or one that made place for a new one. */
export type ConnectionClosing = 'refused' | 'displaced';

export interface ConnectionLimits {
  /** Connections that are open at once. */
  readonly max: number;
  /** Of these, connections of one client network: an IPv4 address, or an IPv6 /64. */
  readonly perAddressMax: number;
  /** Whether an address is a proxy's. A proxy brings many clients, so only `max` applies to it. */
  readonly isProxy?: (address: string) => boolean;
  readonly onClosing?: (closing: ConnectionClosing) => void;
}

/** The connections of a server. */
export interface Connections {
  /** Records that a connection has a request under way. */
  onRequest(request: IncomingMessage): void;
  /** Records that a connection has none any more. */
  onIdle(socket: Socket): void;
  /** Whether the connection has a request under way. */
  isBusy(socket: Socket): boolean;
}

/** The limits of a server that is given none. */
export const CONNECTION_LIMITS: ConnectionLimits = { max: 1_000, perAddressMax: 256 };

/** A request body of which no byte has come for this long doesn't protect its connection from being displaced. */
const STALLED_MS = 2_000;
const SWEEP_MS = 1_000;

interface Network {
  readonly name: string;
  readonly connectionsMax: number;
  readonly all: Set<Connection>;
  /** Those without a request under way; the one that has waited longest comes first. */
  readonly waiting: Set<Connection>;
}

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  readonly network: Network;
  request: IncomingMessage | undefined;
  /** Bytes that had come at the last sweep that found new ones, and when that was. */
  bytesRead: number;
  movedAtMs: number;
}

const isStalled = ({ request, movedAtMs }: Connection, nowMs: number): boolean =>
  request?.complete === false && nowMs - movedAtMs >= STALLED_MS;

const findDisplaceable = ({ all, waiting }: Network): Connection | undefined => {
  const [longest] = waiting;
  if (longest !== undefined) return longest;
  const nowMs = performance.now();
  return [...all].find((connection) => isStalled(connection, nowMs));
};

const createNetworks = ({ perAddressMax, isProxy = () => false }: ConnectionLimits) => {
  const networks = new Map<string, Network>();
  return {
    /** The network of an address; a new one until a connection is added to it. */
    find: (address: string): Network => {
      const isUnlimited = isProxy(address);
      const name = isUnlimited ? `proxy ${address}` : toClientNetwork(address);
      const connectionsMax = isUnlimited ? Number.POSITIVE_INFINITY : perAddressMax;
      return networks.get(name) ?? { name, connectionsMax, all: new Set(), waiting: new Set() };
    },
    add: (connection: Connection): void => {
      const { network } = connection;
      networks.set(network.name, network);
      network.all.add(connection);
      network.waiting.add(connection);
    },
    remove: (connection: Connection): void => {
      const { name, all, waiting } = connection.network;
      all.delete(connection);
      waiting.delete(connection);
      if (all.size === 0) networks.delete(name);
    },
    /** All networks, that with the most connections first. */
    bySize: (): Network[] => [...networks.values()].sort((one, other) => other.all.size - one.all.size),
  };
};

const observeProgress = (connections: Iterable<Connection>): void => {
  const nowMs = performance.now();
  for (const connection of connections) {
    const { request, bytesRead } = connection;
    if (request === undefined || request.complete || request.socket.bytesRead === bytesRead) continue;
    connection.bytesRead = request.socket.bytesRead;
    connection.movedAtMs = nowMs;
  }
};

// A TLS connection is one socket below the encryption and another above it; both have the same addresses.
const toName = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

const createRegistry = (limits: ConnectionLimits) => {
  const networks = createNetworks(limits);
  const connections = new Map<string, Connection>();

  const remove = (connection: Connection): void => {
    if (connections.get(connection.name) !== connection) return;
    connections.delete(connection.name);
    networks.remove(connection);
  };

  const displace = (candidates: readonly Network[]): boolean => {
    for (const network of candidates) {
      const displaced = findDisplaceable(network);
      if (displaced === undefined) continue;
      remove(displaced);
      displaced.socket.destroy();
      limits.onClosing?.('displaced');
      return true;
    }
    return false;
  };

  const isAdmitted = (network: Network): boolean => {
    if (network.all.size >= network.connectionsMax) return displace([network]);
    return connections.size < limits.max || displace(networks.bySize());
  };

  /** Adds the connection, or closes it. */
  const admit = (socket: Socket): void => {
    const network = networks.find(socket.remoteAddress ?? '');
    if (!isAdmitted(network)) {
      socket.destroy();
      limits.onClosing?.('refused');
      return;
    }
    const connection = { name: toName(socket), socket, network, request: undefined, bytesRead: 0, movedAtMs: 0 };
    connections.set(connection.name, connection);
    networks.add(connection);
    socket.once('close', () => remove(connection));
  };

  return { connections, admit };
};

/** Applies the limits to a server's connections from now on. */
export const limitConnections = (server: Server, limits: ConnectionLimits): Connections => {
  const { connections, admit } = createRegistry(limits);
  const bySocket = new WeakMap<Socket, Connection>();
  const find = (socket: Socket): Connection | undefined => {
    const connection = bySocket.get(socket) ?? connections.get(toName(socket));
    if (connection !== undefined) bySocket.set(socket, connection);
    return connection;
  };
  server.on('connection', admit);
  const sweep = setInterval(() => observeProgress(connections.values()), SWEEP_MS).unref();
  server.once('close', () => clearInterval(sweep));
  return {
    onRequest: (request) => {
      const connection = find(request.socket);
      if (connection === undefined) return;
      connection.request = request;
      connection.bytesRead = request.socket.bytesRead;
      connection.movedAtMs = performance.now();
      connection.network.waiting.delete(connection);
    },
    onIdle: (socket) => {
      const connection = find(socket);
      if (connection === undefined) return;
      connection.request = undefined;
      if (connections.get(connection.name) === connection) connection.network.waiting.add(connection);
    },
    isBusy: (socket) => find(socket)?.request !== undefined,
  };
};
