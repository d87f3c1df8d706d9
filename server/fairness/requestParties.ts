// Who a request is from, before it is authenticated: the tenant of a token that was verified before, else the client's
// network. A token that nobody has verified names no tenant, because anybody could name any.
import type { IncomingMessage } from 'node:http';
import { toClientSite } from '../http/clientNetworks.ts';
import type { RequestShare } from './requestTurns.ts';

/** Finds the tenant of a token that is known to be valid. */
export type FindTenant = (token: string) => string | undefined;

/** The shares of the requests of one server. */
export interface RequestParties {
  readonly readShare: (request: IncomingMessage) => RequestShare;
  /** Sets how tokens are looked up. Before, all requests count for networks. */
  readonly findTenantsBy: (find: FindTenant) => void;
}

/** Bytes of a body that cost as much as a request, and the most that a body counts. */
const BODY_BYTES = 4_096;
const BODY_COST_MAX = 64;
const BEARER = /^bearer +(\S+)$/i;
const PROBES = /^\/(?:healthz|readyz)(?:\?|$)/;

const toCost = ({ headers }: IncomingMessage): number =>
  1 + Math.min(BODY_COST_MAX, Math.floor(Number(headers['content-length'] ?? 0) / BODY_BYTES) || 0);

/** `toAddress` returns the address of a request's client. */
export const createRequestParties = (toAddress: (request: IncomingMessage) => string): RequestParties => {
  let findTenant: FindTenant = () => undefined;
  const toParty = (request: IncomingMessage): string => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const tenantIdentity = token === undefined ? undefined : findTenant(token);
    if (tenantIdentity !== undefined) return tenantIdentity;
    const network = toClientSite(toAddress(request));
    // An orchestrator's probes are not delayed by other requests from its address.
    return PROBES.test(request.url ?? '') ? `probes ${network}` : network;
  };
  return {
    readShare: (request) => ({ party: toParty(request), cost: toCost(request) }),
    findTenantsBy: (find) => {
      findTenant = find;
    },
  };
};
