// Verdicts over random records of a forger: policies, events and attributes at the edges of what the judge reads, and
// payloads that are almost a record. Both verifiers must judge them alike.
import canonicalize from 'canonicalize';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { blockTimeOf } from '../support/checkedEvidence.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { below, type Change, pick, type Random, toCase } from './change.ts';
import { pathsOf, readAt, writeAt } from './jsonPaths.ts';
import { type OwnPart, toOwnVerdict } from './ownVerdicts.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ASSET = `assets/${uuid(1)}`;
const POLICY = `compliance_policies/${uuid(2)}`;
const PRINCIPAL = { issuer: 'i', subject: 's', display_name: 'd', email: 'e' };

// Versions, dates and times, and what is nearly one.
const ORDERED = [
  ...['1.9.0', '1.10.0', 'v1.10', '1.10.0-rc.1', '1.10.0-rc.1.1', '1.10.0-alpha', '1.10.0-2', '1.10.0+b', '01.010'],
  ...['1-rc', '1.', 'V2', 'v', '1.0.0.0', '2026-11-27', '2026-11', '2026-2-1', '2026-02-30', '0000-02-29', '2026-13'],
  ...['2026-11-27T10:15', '2026-11-27T10:15:00Z', '2026-11-27T11:15:00+01:00', '2026-11-27T10:15:00.500Z'],
  ...[
    '2026-11-27T10:15:00,5Z',
    '2026-11-27T24:00Z',
    '2026-11-27T10:15:60Z',
    '2026-11-27T10:15-0030',
    '0001-01-01T00:00Z',
  ],
];
const VALUES: readonly Json[] = [
  ...[
    '',
    '5',
    '5.0',
    '+5',
    '-5',
    '-5.5',
    '-51',
    '05',
    '1e1',
    '10',
    '.5',
    '5.',
    '.',
    'e5',
    '5e',
    'abc',
    'ab',
    '0',
    '-0',
  ],
  ...['0e9', '1e400', '1e-400', '1e99999999999999999999', '-1e99999999999999999999', '9e99999999999999999998', ' 5'],
  ...ORDERED,
  ...['5\n', '\u0663', '\uff15', '\uffff', '\u{1f600}', '*', 'x=y', '5'.repeat(400), `0.${'0'.repeat(300)}1`],
  ...([{}, { a: '5' }, [], [{}], [{ a: '5' }], { '': '5', 'a.b': '' }, [{ a: '' }, { a: 'k', 'a.b': '5' }]] as Json[]),
];
const PATHS = ['k.a', 'l.a', 'k.a.b', 'k.', '.a', 'k.a', `k.${'a.'.repeat(9)}`];
const NAMES = [
  'k',
  'l',
  'attributes.k',
  'k=',
  ':k',
  'k\\',
  'arc_attachments',
  '__proto__',
  'constructor',
  '',
  ...PATHS,
];
const TEXTS = ['k', 'l', 'attributes.', '=', '!=', '!', '<', '>', '<=', '>=', ':', '*', '5', '-5', 'abc', ' ', '.'];
const ESCAPED = ['\\=', '\\:', '\\!', '\\*', '\\<', '\\', '\\\\', '='];
const SECONDS = ['0', '1', '2', '3', '5', '10', '3600', '9223372036854775807'];
const ODD_SECONDS = [
  '9223372036854775808',
  '007',
  '-1',
  '',
  '1.0',
  '1e3',
  ' 5',
  '\u0665',
  '5\n',
  '9'.repeat(5000),
  `${'0'.repeat(19)}7`,
  `${'0'.repeat(18)}7`,
];
const VARIABILITIES = [0, 0.1, 1, 1.1, 1.5, 2, -1, 1e-7, 1e21, 5e-324, 1e300, 1.0000000000000002];
const TYPES = ['SINCE', 'CURRENT_OUTSTANDING', 'PERIOD_OUTSTANDING', 'DYNAMIC_TOLERANCE', 'RICHNESS'];

const often = (random: Random, outOf: number): boolean => below(random, outOf) > 0;
const many = <T>(random: Random, most: number, draw: () => T): T[] =>
  Array.from({ length: below(random, most + 1) }, draw);

const drawText = (random: Random): string => {
  const parts = [pick(random, NAMES), pick(random, ['=', '!=', '<', '>', '<=', '>=', ':']), pick(random, VALUES)];
  if (often(random, 4)) return parts.map((part) => (typeof part === 'string' ? part : '5')).join('');
  return many(random, 6, () => pick(random, often(random, 3) ? TEXTS : ESCAPED)).join('');
};

const drawLists = (random: Random): Json => many(random, 2, () => ({ or: many(random, 3, () => drawText(random)) }));

const drawAttributes = (random: Random): EvidenceFile =>
  Object.fromEntries(many(random, 3, () => [pick(random, NAMES), pick(random, VALUES)] as const));

const drawTyped = (random: Random): EvidenceFile => {
  const typed: EvidenceFile = { arc_display_type: pick<Json>(random, ['A', 'A', 'A', 'B', 'B', 'C', '', {}]) };
  const ids: Json[] = ['x', 'x', 'x', 'y', '', [{}]];
  if (often(random, 5)) typed.arc_correlation_id = pick(random, ids);
  if (!often(random, 3)) typed.arc_correlation_value = pick(random, ids);
  return typed;
};

const drawEvent = (random: Random, at: number, atMs: number): EvidenceFile => {
  const isCreation = at === 0 ? often(random, 12) : !often(random, 15);
  const isAttach = !isCreation && !often(random, 4);
  const [behaviour, operation] = isCreation
    ? ['AssetCreator', 'NewAsset']
    : isAttach
      ? ['Attachments', 'Attach']
      : ['RecordEvidence', 'Record'];
  const settings = { behaviours: ['Attachments'], proof_mechanism: 'SIMPLE_HASH', public: false };
  const ageMs = at === 0 && often(random, 12) ? 20_000 : 500 * below(random, 12) - pick(random, [0, 0, 1, -1, 500]);
  const time = toTimestamp(atMs - ageMs);
  const declared = toTimestamp(atMs - 500 * below(random, 24) + pick(random, [0, 0, 1, 5_000]));
  const event_attributes = drawTyped(random);
  if (isAttach) event_attributes.arc_append_attachments = pick<Json>(random, [[{ a: 'b' }], [], 'x', {}, [{}, {}]]);
  return {
    type: 'event',
    identity: `${ASSET}/events/${uuid(10 + at)}`,
    behaviour,
    operation,
    event_attributes,
    asset_attributes: drawAttributes(random),
    asset_settings: isCreation ? settings : {},
    timestamp_accepted: time,
    timestamp_declared: pick(random, [
      time,
      declared,
      declared,
      '0000-01-01T00:00:00.000Z',
      '0004-02-29T00:00:00.000Z',
    ]),
    principal_accepted: PRINCIPAL,
    principal_declared: PRINCIPAL,
  };
};

// Members of the payload 0x03.
const drawAdditions = (random: Random): EvidenceFile => {
  const odd: readonly Json[] = ['', 'other', 'accepted', 1, {}];
  return {
    ...(often(random, 3)
      ? {}
      : { condition_syntax: often(random, 20) ? pick(random, ['escaped', 'paths']) : pick(random, odd) }),
    ...(often(random, 3) ? {} : { judged_by: often(random, 20) ? 'declared' : pick(random, odd) }),
    ...(often(random, 3) ? {} : { value_order: often(random, 20) ? 'typed' : pick(random, odd) }),
  };
};

const drawPolicy = (random: Random, at: number): EvidenceFile => {
  const version = (n: number): string => `${POLICY}/versions/${uuid(n)}`;
  const policy: EvidenceFile = {
    type: 'policy',
    identity: version(at),
    compliance_type: `COMPLIANCE_${pick(random, TYPES)}`,
    display_name: 'p',
    description: '',
    asset_filter: often(random, 3) ? [] : drawLists(random),
    event_display_type: often(random, 8) ? 'A' : pick(random, ['B', '', 'Z']),
    closing_event_display_type: often(random, 4) ? 'B' : pick(random, ['A', '']),
    time_period_seconds: often(random, 30) ? pick(random, SECONDS) : pick(random, ODD_SECONDS),
    dynamic_window: often(random, 30) ? pick(random, SECONDS) : pick(random, ODD_SECONDS),
    dynamic_variability: pick(random, VARIABILITIES),
    richness_assertions: drawLists(random),
    is_deleted: !often(random, 8),
    timestamp_accepted: '2026-01-01T00:00:00.000Z',
    principal_accepted: PRINCIPAL,
  };
  const follows = at === 0 || !often(random, 6) ? '' : version(at - 1);
  return { ...policy, ...(often(random, 6) ? { follows } : {}), ...drawAdditions(random) };
};

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  0,
  1.5,
  '',
  'x',
  [],
  {},
  [[]],
  [''],
  { a: 1 },
  '2026-02-30T00:00:00.000Z',
];
const changeRecord = (record: EvidenceFile, random: Random): EvidenceFile => {
  const path = pick(random, pathsOf(record));
  if (path.length === 0) return { ...record, added: 'x' };
  const changed = pick<Json | undefined>(random, [undefined, pick(random, ODD_VALUES), pick(random, ODD_VALUES)]);
  return writeAt(record, path, typeof readAt(record, path) === 'number' ? (changed ?? '0') : changed) as EvidenceFile;
};

// Other bytes of the same record.
const changeForm = (text: string, random: Random): string =>
  pick(random, [
    ` ${text}`,
    `${text}\n`,
    text.replace(':', ': '),
    text.replace('"identity"', '"\\u0069dentity"'),
    text.replace('"type":', '"type":"event","type":'),
    `${text.slice(0, 1)}"zz":"",${text.slice(1)}`,
    text.replace('{}', '{ }'),
    text.replace(/"dynamic_variability":([^,]+)/, '"dynamic_variability":$10'),
    text.replace(/"dynamic_variability":([^,]+)/, '"dynamic_variability":$1.0'),
    `[${text}]`,
    text.slice(1),
  ]);

/** The payload of a record, now and then of a changed one, or in another form. */
export const toPayload = (record: EvidenceFile, random: Random): Uint8Array => {
  const changed = often(random, 40) ? record : changeRecord(record, random);
  const text = canonicalize(changed)!;
  const form = Buffer.from(often(random, 60) ? text : changeForm(text, random));
  const isExtended = ['condition_syntax', 'judged_by', 'value_order'].some((name) => name in record);
  const version = isExtended ? 3 : 1;
  return concatBytes([Uint8Array.of(often(random, 60) ? version : pick(random, [1, 2, 3])), form]);
};

const drawTenant = (tenant: string, at: number, follows: string | undefined): EvidenceFile => ({
  type: 'tenant',
  identity: `${tenant}/versions/${uuid(at)}`,
  ...(follows === undefined ? {} : { follows }),
  display_name: 'acme',
  root_principals: [PRINCIPAL],
  timestamp_accepted: '2026-01-01T00:00:00.000Z',
  principal_accepted: PRINCIPAL,
});

// The last record is usually the tenant's own; now and then an earlier one, or none. The claim is usually right.
const drawOwnPart = (tenant: string, counts: readonly [number, number], random: Random): OwnPart => {
  const other = `${tenant}/versions/${uuid(99)}`;
  const early = counts.map((count) => below(random, count)) as [number, number];
  const before = many(random, 2, () => (often(random, 12) ? other : ''));
  const last = often(random, 12) ? pick(random, ['', '', undefined]) : other;
  const firsts = counts.map((count, at) => (often(random, 12) ? early[at]! + 1 : 1 + below(random, count)));
  const payloads = [...before, last].map((follows, at) => toPayload(drawTenant(tenant, 50 + at, follows), random));
  return { payloads, early, firsts: firsts as [number, number] };
};

/** A verdict over a forger's own records. */
export const judgeOwnRecords: Change = (original, random) => {
  if ((original.file.claim as EvidenceFile).kind !== 'verdict') return undefined;
  const atMs = 1_000 * blockTimeOf(original.file) + pick(random, [0, 999, 1, 500, 1_000, -1]);
  const isAlone = !often(random, 8);
  const length = isAlone ? 1 : 1 + below(random, 8);
  const events = Array.from({ length }, (_, at) => drawEvent(random, isAlone ? 1 : at, atMs));
  const policies = Array.from({ length: 1 + below(random, pick(random, [1, 1, 3])) }, (_, at) =>
    drawPolicy(random, at),
  );
  const names = { policy_identity: POLICY, asset_identity: ASSET };
  const tenant = String((original.file.claim as EvidenceFile).tenant_identity);
  const isShown = below(random, 3) === 0;
  const own = toOwnVerdict(original, {
    policies: policies.map((policy) => toPayload(policy, random)),
    events: events.map((event) => toPayload(event, random)),
    claim: { ...names, at: toTimestamp(atMs), compliant: isAlone || below(random, 2) === 0 },
    isAlone,
    ...(isShown ? { own: drawOwnPart(tenant, [policies.length, length], random) } : {}),
  });
  return { ...toCase(own), isOwnBlock: true };
};
