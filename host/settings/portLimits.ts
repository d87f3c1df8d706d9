// The limits on connections of each port of a server, with what the metrics count of them.
import type { ConnectionClosing, ConnectionOptions } from '../../server/http/connectionLimits.ts';
import { createIsProxy } from '../../server/http/proxies.ts';
import { console } from '../commandProcess.ts';
import type { Metrics } from '../watching/metrics.ts';
import { reportProblem } from '../watching/reports.ts';
import type { Config } from './config.ts';
import { type Port, readDescriptorsMax, toConnectionLimits } from './descriptors.ts';
import { RPC_PACE } from './installationLimits.ts';

const NAMES: Readonly<Record<Port, string>> = { api: 'the API', rpc: 'JSON-RPC', metrics: 'the metrics' };

export type PortLimits = Readonly<Record<Port, ConnectionOptions>>;

/** The limits of the settings, or as much of them as the limit of open files allows, which is printed. */
export const createPortLimits = (config: Config, metrics: Metrics | undefined): PortLimits => {
  const descriptorsMax = readDescriptorsMax();
  const limits = toConnectionLimits(config, descriptorsMax);
  if (limits.api.max < config.connectionsMax)
    console.log(
      `the limit of open files is ${descriptorsMax} (ulimit -n): ` +
        `${limits.api.max} connections to the API at most, not ${config.connectionsMax} (CONNECTIONS_MAX)`,
    );
  const watch = (port: Port) => ({
    ...limits[port],
    onClosing: (closing: ConnectionClosing) => metrics?.onConnectionClosing(port, closing),
    onAcceptError: (error: Error) => reportProblem(`a connection to ${NAMES[port]} could not be accepted`, error),
  });
  return {
    api: { ...watch('api'), isProxy: createIsProxy(config.trustProxy) },
    rpc: { ...watch('rpc'), pace: RPC_PACE },
    metrics: watch('metrics'),
  };
};
