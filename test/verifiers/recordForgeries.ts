// Forgeries of verdicts with records of the forger, in a block that the caller noted: only the judge is left to refuse
// them.
import canonicalize from 'canonicalize';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { blockTimeOf } from '../support/checkedEvidence.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import type { Forge, Forgery } from './forge.ts';
import { type OwnRecords, toOwnVerdict } from './ownVerdicts.ts';

const SINCE = 'verdict: since';
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ASSET = `assets/${uuid(1)}`;
const POLICY = `compliance_policies/${uuid(2)}`;
const PRINCIPAL = { issuer: 'i', subject: 's', display_name: 'd', email: 'e' };

const toEvent = (n: number, timestamp_accepted: string, changes: EvidenceFile = {}): EvidenceFile => ({
  type: 'event',
  identity: `${ASSET}/events/${uuid(n)}`,
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: { arc_display_type: 'Check' },
  asset_attributes: {},
  asset_settings: {},
  timestamp_accepted,
  timestamp_declared: timestamp_accepted,
  principal_accepted: PRINCIPAL,
  principal_declared: PRINCIPAL,
  ...changes,
});

const toCreation = (timestamp: string, changes: EvidenceFile = {}): EvidenceFile =>
  toEvent(10, timestamp, {
    behaviour: 'AssetCreator',
    operation: 'NewAsset',
    event_attributes: {},
    asset_settings: { behaviours: [], proof_mechanism: 'SIMPLE_HASH', public: false },
    ...changes,
  });

const toPolicy = (changes: EvidenceFile = {}, n = 0): EvidenceFile => ({
  type: 'policy',
  identity: `${POLICY}/versions/${uuid(n)}`,
  follows: '',
  compliance_type: 'COMPLIANCE_SINCE',
  display_name: '',
  description: '',
  asset_filter: [],
  event_display_type: 'Check',
  closing_event_display_type: '',
  time_period_seconds: '60',
  dynamic_window: '0',
  dynamic_variability: 0,
  richness_assertions: [],
  is_deleted: false,
  timestamp_accepted: '2026-01-01T00:00:00.000Z',
  principal_accepted: PRINCIPAL,
  ...changes,
});

const PLACE = {
  block_number: 7,
  log_index: 0,
  timestamp_committed: '2026-01-01T00:00:00Z',
  transaction_id: `0x${'1f'.repeat(32)}`,
  transaction_index: 0,
};

// A check with these places among its members.
const again =
  (...appended_again: Json[]) =>
  (at: (ageMs: number) => string) => [toCreation(at(9_000)), toEvent(11, at(1_000), { appended_again })];

const EXTENDED = ['judged_by', 'appended_again'];

const encode = (record: EvidenceFile, version = EXTENDED.some((name) => name in record) ? 3 : 1): Uint8Array =>
  concatBytes([Uint8Array.of(version), Buffer.from(canonicalize(record)!)]);

/** Records that a forger makes for a verdict at a time. */
interface Forged {
  readonly policies?: readonly EvidenceFile[];
  readonly events?: (at: (ageMs: number) => string) => readonly EvidenceFile[];
  /** Changes the payloads of the policies. */
  readonly encoded?: (policy: Uint8Array) => Uint8Array;
  readonly more?: Partial<OwnRecords>;
}

// A compliant verdict over a creation and a check, with these differences.
const own =
  ({ policies = [toPolicy()], events, encoded = (payload) => payload, more = {} }: Forged): Forge =>
  (original) => {
    const atMs = 1_000 * blockTimeOf(original.file);
    const at = (ageMs: number): string => toTimestamp(atMs - ageMs);
    const made = events?.(at) ?? [toCreation(at(9_000)), toEvent(11, at(1_000))];
    const claim = { policy_identity: POLICY, asset_identity: ASSET, at: at(0), compliant: true, ...more.claim };
    const payloads = policies.map((policy) => encoded(encode(policy)));
    return toOwnVerdict(original, { policies: payloads, events: made.map((one) => encode(one)), ...more, claim });
  };

/** A verdict over records of the forger that is right, and is accepted where the block is noted. */
export const soundVerdict: Forge = own({
  policies: [toPolicy({ appended_again: [PLACE, { ...PLACE, block_number: 9 }] })],
  events: again(PLACE),
});

const text = (change: (json: string) => string): Forged => ({
  encoded: (payload) =>
    concatBytes([payload.subarray(0, 1), Buffer.from(change(Buffer.from(payload.subarray(1)).toString()))]),
});

export const RECORD_FORGERIES: Readonly<Record<string, Forgery>> = {
  'a policy that is deleted': [SINCE, own({ policies: [toPolicy({ is_deleted: true })] })],
  'a policy that a later version deletes': [
    SINCE,
    own({
      policies: [toPolicy(), toPolicy({ is_deleted: true, follows: `${POLICY}/versions/${uuid(0)}` }, 1)],
    }),
  ],
  'a policy that a version of 0.1 deletes': [
    SINCE,
    own({ policies: [toPolicy(), (({ follows: _, ...rest }) => rest)(toPolicy({ is_deleted: true }, 1))] }),
  ],
  'a policy that follows one that is not there': [
    SINCE,
    own({ policies: [toPolicy({ follows: `${POLICY}/versions/${uuid(9)}` })] }),
  ],
  'a policy in the second version only': [
    SINCE,
    own({
      policies: [toPolicy({ time_period_seconds: '0' }), toPolicy({ follows: '' }, 1)],
    }),
  ],
  'a policy of another stream': [
    SINCE,
    own({ policies: [toPolicy({ identity: `compliance_policies/${uuid(3)}/versions/${uuid(0)}` })] }),
  ],
  'a policy of another type': [SINCE, own({ policies: [toPolicy({ compliance_type: 'COMPLIANCE_ALWAYS' })] })],
  'a policy with a further member': [SINCE, own({ policies: [toPolicy({ added: '' })] })],
  'a policy without a member': [SINCE, own({ policies: [(({ description: _, ...rest }) => rest)(toPolicy())] })],
  'a policy with a number of seconds': [SINCE, own({ policies: [toPolicy({ time_period_seconds: 60 })] })],
  'a policy with negative seconds': [SINCE, own({ policies: [toPolicy({ time_period_seconds: '-60' })] })],
  'a policy with more seconds than there are': [
    SINCE,
    own({ policies: [toPolicy({ time_period_seconds: '9223372036854775808' })] }),
  ],
  'a policy that is not canonical': [SINCE, own(text((json) => ` ${json}`))],
  'a policy with a name twice': [SINCE, own(text((json) => json.replace('"type"', '"type":"policy","type"')))],
  'a policy with an escaped name': [SINCE, own(text((json) => json.replace('"type"', '"\\u0074ype"')))],
  'a policy with another text of a number': [
    SINCE,
    own(text((json) => json.replace('"dynamic_variability":0', '"dynamic_variability":0.0'))),
  ],
  'a policy of another payload version': [SINCE, own({ encoded: (payload) => payload.with(0, 2) })],
  'a policy that is too long': [SINCE, own({ policies: [toPolicy({ description: 'x'.repeat(65_536) })] })],
  'an event appended again from nowhere': [SINCE, own({ events: again() })],
  'an event appended again from more places than there may be': [
    SINCE,
    own({ events: again(...Array.from({ length: 17 }, () => PLACE)) }),
  ],
  ...Object.fromEntries(
    Object.entries({
      'block 0': { ...PLACE, block_number: 0 },
      'a block that is no number': { ...PLACE, block_number: '7' },
      'half a record': { ...PLACE, log_index: 0.5 },
      'a day that does not exist': { ...PLACE, timestamp_committed: '2026-02-30T00:00:00Z' },
      'a time with milliseconds': { ...PLACE, timestamp_committed: '2026-01-01T00:00:00.000Z' },
      'an hour that does not exist': { ...PLACE, timestamp_committed: '2026-01-01T24:00:00Z' },
      'a transaction in upper case': { ...PLACE, transaction_id: `0x${'1F'.repeat(32)}` },
      'a place with a further member': { ...PLACE, from: '' },
      'no object': 7,
    }).map(([name, place]): [string, Forgery] => [
      `an event appended again from ${name}`,
      [SINCE, own({ events: again(place) })],
    ]),
  ),
  'an asset without a creation': [SINCE, own({ events: (at) => [toEvent(11, at(1_000))] })],
  'an asset that is created later': [SINCE, own({ events: (at) => [toCreation(at(-1)), toEvent(11, at(1_000))] })],
  'an event before the creation': [SINCE, own({ events: (at) => [toEvent(11, at(1_000)), toCreation(at(9_000))] })],
  'an event after the verdict': [SINCE, own({ events: (at) => [toCreation(at(9_000)), toEvent(11, at(-1))] })],
  'an event a millisecond too old': [SINCE, own({ events: (at) => [toCreation(at(99_000)), toEvent(11, at(60_001))] })],
  'an event that is a second creation': [
    SINCE,
    own({
      events: (at) => [
        toCreation(at(9_000)),
        {
          ...toCreation(at(1_000), { event_attributes: { arc_display_type: 'Check' } }),
          identity: `${ASSET}/events/${uuid(11)}`,
        },
      ],
    }),
  ],
  'an event with a time on no day': [
    SINCE,
    own({
      events: (at) => [toCreation(at(9_000)), toEvent(11, at(0), { timestamp_declared: '2026-02-30T00:00:00.000Z' })],
    }),
  ],
  'an event of another asset': [
    SINCE,
    own({
      events: (at) => [
        toCreation(at(9_000)),
        toEvent(11, at(1_000), { identity: `assets/${uuid(7)}/events/${uuid(11)}` }),
      ],
    }),
  ],
  'an event whose type is a list': [
    SINCE,
    own({
      events: (at) => [
        toCreation(at(9_000)),
        toEvent(11, at(1_000), { event_attributes: { arc_display_type: ['Check'] } }),
      ],
    }),
  ],
  'an attach that sets the list': [
    SINCE,
    own({
      events: (at) => [
        toCreation(at(9_000)),
        toEvent(11, at(1_000), {
          behaviour: 'Attachments',
          operation: 'Attach',
          asset_attributes: { arc_attachments: [] },
        }),
      ],
    }),
  ],
  'a policy whose filter is not met': [SINCE, own({ policies: [toPolicy({ asset_filter: [{ or: ['kind=door'] }] })] })],
  'a policy whose filter is empty': [SINCE, own({ policies: [toPolicy({ asset_filter: [{ or: [] }] })] })],
  'a policy whose filter has no value': [SINCE, own({ policies: [toPolicy({ asset_filter: [{ or: ['kind!='] }] })] })],
  'one event of a creation': [
    SINCE,
    own({
      events: (at) => [toCreation(at(1_000), { event_attributes: { arc_display_type: 'Check' } })],
      more: { isAlone: true },
    }),
  ],
  'one event for a policy with a filter': [
    SINCE,
    own({
      policies: [toPolicy({ asset_filter: [{ or: ['kind!=x'] }] })],
      events: (at) => [toEvent(11, at(1_000))],
      more: { isAlone: true },
    }),
  ],
  'one event for a policy that judges by declared times': [
    SINCE,
    own({
      policies: [toPolicy({ judged_by: 'declared' })],
      events: (at) => [toEvent(11, at(1_000))],
      more: { isAlone: true },
    }),
  ],
  'a declared time that is too old for a policy that judges by it': [
    SINCE,
    own({
      policies: [toPolicy({ judged_by: 'declared' })],
      events: (at) => [toCreation(at(9_000)), toEvent(11, at(1_000), { timestamp_declared: at(100_000) })],
    }),
  ],
  'one event for a policy of richness': [
    SINCE,
    own({
      policies: [toPolicy({ compliance_type: 'COMPLIANCE_RICHNESS' })],
      events: (at) => [toEvent(11, at(1_000))],
      more: { isAlone: true },
    }),
  ],
  'one event that is too old for a broken policy': [
    SINCE,
    own({ events: (at) => [toEvent(11, at(61_000))], more: { isAlone: true, claim: { compliant: false } } }),
  ],
  'an unanswered opening': [
    SINCE,
    own({ policies: [toPolicy({ compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING' })] }),
  ],
  'an assertion on what the asset lacks': [
    SINCE,
    own({
      policies: [toPolicy({ compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['kind!=x'] }] })],
    }),
  ],
  'an assertion on a number that is a text': [
    SINCE,
    own({
      policies: [toPolicy({ compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['a<7'] }] })],
      events: (at) => [toCreation(at(9_000), { asset_attributes: { a: '0x1' } })],
    }),
  ],
};
