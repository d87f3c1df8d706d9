// Public records (decisions 30 and 31): what is readable without a token, and which members are shown. A client cannot
// distinguish a private record from a missing one.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { LedgerError, type LedgerErrorCode, refuseField } from '../../ledger/errors.ts';
import { isLoopback } from '../../ledger/loopback.ts';

/**
 * Why a record has no public URL, for a caller that sees it or not (undefined): the given code, which names `uuid`
 * where the caller sees a record that isn't public.
 */
export const toNotPublic = (code: LedgerErrorCode, seen: object | undefined): LedgerError =>
  seen === undefined
    ? new LedgerError(code)
    : refuseField(code, 'uuid', 'is not that of a public record, so it has no public URL');

/** Reads the tenant of a public asset. Rejects with the given code when no public asset has this UUID. */
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

/** What the operator has configured for public URLs. */
export interface PublicUrlSettings {
  /** Scheme and host of every public URL; undefined: those of the request, if `publicHosts` contains the host. */
  readonly publicUrl?: string | undefined;
  /** In lower case; a name without a port stands for all of its ports. */
  readonly publicHosts: readonly string[];
  /** Called with each public URL that has the host of its request, and that only this machine can open. */
  readonly onLoopbackUrl?: ((url: string) => void) | undefined;
}

/** What a public URL takes from the request for it: scheme and host, and the prefix of its path, `/svc` say. */
export interface RequestedAt {
  readonly origin: string;
  readonly prefix: string;
}

// A host that a client sends is only repeated when the operator has configured it (decision 59).
const isKnownOrigin = (origin: string, hosts: readonly string[]): boolean => {
  const host = ORIGIN.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined || !URL.canParse(origin)) return false;
  return hosts.includes(host) || hosts.includes(host.replace(PORT, ''));
};

/**
 * The URL of a public record, `<asset>` or `<asset>/events/<event>`, which needs no token.
 * @throws LedgerError REQUEST_INVALID that names `host`, when no URL is configured and `publicHosts` does not contain
 * the request's host.
 */
export const toPublicUrl = (
  { publicUrl, publicHosts, onLoopbackUrl }: PublicUrlSettings,
  { origin, prefix }: RequestedAt,
  record: string,
): string => {
  if (publicUrl === undefined && !isKnownOrigin(origin, publicHosts))
    throw refuseField('REQUEST_INVALID', 'host', 'is not configured: the operator sets PUBLIC_URL or PUBLIC_HOSTS');
  const url = `${publicUrl ?? origin}${prefix}/v2/publicassets/${record}`;
  if (publicUrl === undefined && isLoopback(new URL(origin))) onLoopbackUrl?.(url);
  return url;
};
