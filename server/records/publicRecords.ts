// Public records (decisions 30 and 31): who may be asked for without a token, and what of it is shown. A private record is
// never told from one that is missing.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { LedgerError, type LedgerErrorCode, refuseField } from '../../ledger/errors.ts';
import { toPrincipal } from '../../ledger/principal.ts';
import type { EventResource } from '../../ledger/records/event.ts';

const NOBODY = toPrincipal({});

/** The event as everybody may see it. */
export const withoutPrincipals = (event: EventResource): EventResource => ({
  ...event,
  principal_declared: NOBODY,
  principal_accepted: NOBODY,
});

/** The tenant whose public asset this is. Rejects with the given code when no public asset has this UUID. */
export const readPublicTenant = async (
  view: Pick<LedgerView, 'readPublicTenant'>,
  assetUuid: string,
  code: LedgerErrorCode,
): Promise<string> => {
  const tenantIdentity = await view.readPublicTenant(assetUuid);
  if (tenantIdentity === undefined) throw new LedgerError(code);
  return tenantIdentity;
};

const ORIGIN = /^https?:\/\/((?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?)$/i;
const PORT = /:\d+$/;

/** What a public URL is made of. */
export interface PublicPlace {
  /** Scheme and host of every public URL; undefined: those of the request, where `publicHosts` has the host. */
  readonly publicUrl: string | undefined;
  /** In lower case; a name without a port stands for all of its ports. */
  readonly publicHosts: readonly string[];
  readonly origin: string;
  readonly prefix: string;
}

// What a client says of the host goes nowhere but where the operator has named it (decision 59).
const isKnownOrigin = (origin: string, hosts: readonly string[]): boolean => {
  const host = ORIGIN.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined || !URL.canParse(origin)) return false;
  return hosts.includes(host) || hosts.includes(host.replace(PORT, ''));
};

/**
 * Where everybody reads a public record, `<asset>` or `<asset>/events/<event>`.
 * @throws LedgerError REQUEST_INVALID that names `host`, when no URL is configured and the request's host is none of `publicHosts`.
 */
export const toPublicUrl = ({ publicUrl, publicHosts, origin, prefix }: PublicPlace, record: string): string => {
  if (publicUrl === undefined && !isKnownOrigin(origin, publicHosts))
    throw refuseField('REQUEST_INVALID', 'host', 'is not configured: the operator sets PUBLIC_URL or PUBLIC_HOSTS');
  return `${publicUrl ?? origin}${prefix}/v2/publicassets/${record}`;
};
