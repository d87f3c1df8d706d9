// Public records (decisions.md points 30 and 31): who may be asked for without a token, and what of it is shown. A private record is
// never told from one that is missing.
import type { LedgerView } from '../indexer/ledgerView.ts';
import { LedgerError, type LedgerErrorCode, refuseField } from '../ledger/errors.ts';
import { toPrincipal } from '../ledger/principal.ts';
import type { EventResource } from '../ledger/resources.ts';

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

const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

export interface PublicPlace {
  /** What the operator says; undefined: what the request says. */
  readonly publicUrl: string | undefined;
  readonly origin: string;
  readonly prefix: string;
}

/**
 * Where everybody reads a public record, `<asset>` or `<asset>/events/<event>`.
 * @throws LedgerError REQUEST_INVALID that names `host`, when that would go into the URL and isn't a host.
 */
export const toPublicUrl = ({ publicUrl, origin, prefix }: PublicPlace, record: string): string => {
  if (publicUrl === undefined && !(ORIGIN.test(origin) && URL.canParse(origin)))
    throw refuseField('REQUEST_INVALID', 'host', 'is not a host');
  return `${publicUrl ?? origin}${prefix}/v2/publicassets/${record}`;
};
