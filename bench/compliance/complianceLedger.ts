// The ledger of bench:compliance: one tenant, its policies, and one asset with a given number of events, one per
// second.
import type { RecordLog } from '../../chain/port.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import {
  toEventIdentity,
  toKey,
  toPolicyIdentity,
  toStreamIdentityOf,
  toTenantIdentity,
  toVersionIdentity,
} from '../../ledger/identity.ts';
import { toPrincipal } from '../../ledger/principal.ts';
import type { EventRecord } from '../../ledger/records/event.ts';
import type { ComplianceType, PolicyContent, PolicyRecord } from '../../ledger/records/policy.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
const wordOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

/** Identity of the tenant. */
export const TENANT = toTenantIdentity(uuidOf(1));
export const ASSET_UUID = uuidOf(2);
export const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
const PRINCIPAL = toPrincipal({ issuer: 'bench', subject: 'bench' });
/** The authenticated caller of the operation. */
export const CALLER = { tenantIdentity: TENANT, principal: PRINCIPAL };

const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
const ANSWER_MS = 60_000;

/** The time of the event with this number, in milliseconds since the epoch. */
const toMs = (event: number): number => START_MS + event * 1_000;
/** A time shortly after the event with this number, in milliseconds since the epoch. */
export const toEndMs = (event: number): number => toMs(event) + ANSWER_MS;

const stamp = (event: number) => ({ timestamp_accepted: toTimestamp(toMs(event)), principal_accepted: PRINCIPAL });

/** The number of kinds of work that the events are about, each with its own display types. */
export type Works = 1 | 20;

// Of four events, one opens a work, one closes the work that was opened two rounds of all kinds before, one is an
// inspection and one a reading.
const toAttributes = (event: number, works: Works): Record<string, string> => {
  const pair = Math.floor(event / 4);
  const work = pair % works;
  const kinds = [
    { arc_display_type: `Open ${work}`, arc_correlation_value: `work ${pair}` },
    { arc_display_type: `Close ${work}`, arc_correlation_value: `work ${pair - 2 * works}` },
    { arc_display_type: `Inspection ${work}` },
    { arc_display_type: `Reading ${work}` },
  ];
  return kinds[event % 4]!;
};

const toEvent = (event: number, works: Works): EventRecord => ({
  type: 'event',
  identity: toEventIdentity(ASSET_UUID, uuidOf(event)),
  behaviour: event === 0 ? 'AssetCreator' : 'RecordEvidence',
  operation: event === 0 ? 'NewAsset' : 'Record',
  event_attributes: event === 0 ? {} : toAttributes(event, works),
  asset_attributes: event % 4 === 3 ? { level: String(event % 12) } : {},
  asset_settings:
    event === 0
      ? { behaviours: ['AssetCreator', 'Builtin', 'RecordEvidence'], proof_mechanism: 'KHIPU', public: false }
      : {},
  timestamp_declared: toTimestamp(toMs(event)),
  principal_declared: PRINCIPAL,
  ...stamp(event),
});

const KINDS: readonly ComplianceType[] = [
  'COMPLIANCE_SINCE',
  'COMPLIANCE_CURRENT_OUTSTANDING',
  'COMPLIANCE_PERIOD_OUTSTANDING',
  'COMPLIANCE_DYNAMIC_TOLERANCE',
  'COMPLIANCE_RICHNESS',
];
/** The number of policies of the tenant: four of each kind. */
export const POLICY_COUNT = 4 * KINDS.length;

const toPolicy = (number: number, works: Works): PolicyContent => ({
  compliance_type: KINDS[number % KINDS.length]!,
  display_name: `policy ${number}`,
  description: '',
  asset_filter: [],
  event_display_type: `${number % KINDS.length === 0 ? 'Inspection' : 'Open'} ${number % works}`,
  closing_event_display_type: `Close ${number % works}`,
  time_period_seconds: String(3_600 * (1 + number)),
  dynamic_window: String(86_400 * (1 + number)),
  dynamic_variability: 3,
  richness_assertions: [{ or: ['level<6', `level=${number}`] }],
});

/** Typical policies, four of each kind. */
export const toUsualPolicies = (works: Works): PolicyContent[] =>
  Array.from({ length: POLICY_COUNT }, (_, number) => toPolicy(number, works));

const toBenchPolicy = (content: PolicyContent, number: number): PolicyRecord => ({
  type: 'policy',
  identity: toVersionIdentity(toPolicyIdentity(uuidOf(100 + number)), uuidOf(1_000 + number)),
  ...content,
  is_deleted: false,
  ...stamp(0),
});

/** The ledger's content: the asset's events, their kinds of work, and the policies. */
export interface BenchLedger {
  readonly events: number;
  readonly works: Works;
  readonly policies: readonly PolicyContent[];
}

const toLog = (record: LedgerRecord, blockNumber: number): RecordLog => ({
  tenantKey: toHex(toKey(TENANT)),
  streamKey: toHex(toKey(toStreamIdentityOf(record))),
  recordKey: toHex(toKey(record.identity)),
  author: `0x${'ab'.repeat(20)}`,
  sequence: 1,
  digest: wordOf(0),
  head: `0x${'00'.repeat(28)}`,
  payload: encodePayload(record),
  blockNumber,
  blockHash: wordOf(blockNumber),
  blockTimestampSeconds: Math.floor(toMs(blockNumber) / 1_000),
  transactionHash: wordOf(blockNumber),
  transactionIndex: 0,
  logIndex: 0,
});

function* createRecords({ events, works, policies }: BenchLedger): Generator<LedgerRecord> {
  yield {
    type: 'tenant',
    identity: toVersionIdentity(TENANT, uuidOf(3)),
    display_name: 'bench',
    root_principals: [PRINCIPAL],
    ...stamp(0),
  };
  for (const [number, policy] of policies.entries()) yield toBenchPolicy(policy, number);
  for (let event = 0; event < events; event += 1) yield toEvent(event, works);
}

/** Generates the ledger's logs, each in its own block, `batch` logs at a time. */
export function* createComplianceLogs(ledger: BenchLedger, batch: number): Generator<RecordLog[]> {
  let logs: RecordLog[] = [];
  let block = 0;
  for (const record of createRecords(ledger)) {
    block += 1;
    logs.push(toLog(record, block));
    if (logs.length === batch) {
      yield logs;
      logs = [];
    }
  }
  if (logs.length > 0) yield logs;
}
