// Reads all committed events of the tenant, or of one asset, in ledger order, as fast as the client reads them.
import type { EventSpan } from '../../../indexer/ledgerView.ts';
import { refuseField } from '../../../ledger/errors.ts';
import { toUuid } from '../../../ledger/identity.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

/** Events that are read and encoded together: some ms of work. */
const PAGE_EVENTS = 200;
const NEWLINE = Buffer.from('\n');

interface Source extends Pick<ServerDeps, 'view' | 'runRead'> {
  readonly tenantIdentity: string;
  readonly assetUuid: string | undefined;
}

async function* readLines(
  { view, runRead, tenantIdentity, assetUuid }: Source,
  span: EventSpan,
): AsyncGenerator<Buffer> {
  const { to } = span;
  for (let { from } = span; from < to; ) {
    const read = () => view.readSpanPage(tenantIdentity, assetUuid, { from, to }, PAGE_EVENTS);
    const page = await runRead(tenantIdentity, read, { cost: PAGE_EVENTS });
    from = page.from;
    yield Buffer.concat(page.events.flatMap((event) => [event, NEWLINE]));
  }
}

export const exportEvents =
  ({ view, runRead }: ServerDeps): Handler<'exportEvents'> =>
  async ({ caller: { tenantIdentity }, query }) => {
    const { asset_identity: asset, after } = query;
    const assetUuid = asset && toUuid(asset).toLowerCase();
    const span = await view.readEventSpan(tenantIdentity, assetUuid, after?.toLowerCase());
    if (span === undefined) throw refuseField('REQUEST_INVALID', 'after', 'is no committed event of the tenant');
    const headers = { 'x-total-count': String(span.count) };
    return { status: 200, headers, lines: readLines({ view, runRead, tenantIdentity, assetUuid }, span) };
  };
