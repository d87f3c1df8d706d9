// Records for each tenant where the block log before this one ended, once.
import type { PreviousLog } from '../../chain/blockLog/logIdentity.ts';
import { raiseIfMistake } from '../../chain/defects.ts';
import { toKey } from '../../ledger/identity.ts';
import { toPrincipal } from '../../ledger/principal.ts';
import type { LogSuccessionRecord } from '../../ledger/records/logSuccession.ts';
import type { Ledger } from '../openLedger.ts';
import { listOwnTenants } from '../servedTenants.ts';

type LinkedLedger = Pick<Ledger, 'issuer' | 'trees' | 'wallets' | 'serving' | 'writer'>;

const toRecord = (issuer: string, origin: string, previous: PreviousLog): LogSuccessionRecord => ({
  type: 'log_succession',
  identity: previous.record,
  origin,
  previous_origin: previous.origin,
  size: previous.size,
  root: previous.root,
  timestamp_accepted: previous.begunAt,
  principal_accepted: toPrincipal({ issuer, subject: 'operator', display_name: 'operator' }),
});

/**
 * Records for each tenant of this server where the log before `origin` ended, unless the ledger has the record. The
 * record is the same at each attempt, so that a repetition changes nothing. Reports the tenants that have no record.
 */
export const linkLog = async (
  ledger: LinkedLedger,
  { origin, previous }: { origin: string; previous: PreviousLog },
  onProblem: (message: string, cause?: unknown) => void,
): Promise<void> => {
  const { issuer, trees, writer } = ledger;
  const record = toRecord(issuer, origin, previous);
  for (const tenantIdentity of listOwnTenants(ledger)) {
    try {
      const known = await trees.readTreeRecord(toKey(tenantIdentity), toKey(record.identity));
      if (known === undefined) await writer.append(tenantIdentity, record);
    } catch (cause) {
      raiseIfMistake(cause);
      onProblem(`no record of ${tenantIdentity} states where the block log ${previous.origin} ended`, cause);
    }
  }
};
