// Forgeries of verdicts under the records of the ledger.
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { both, type Forge, type Forgery, put, take } from './forge.ts';

const SINCE = 'verdict: since';
const ALONE = 'verdict: since with one event';
const FILTERED = 'verdict: filtered';
const OPEN = 'verdict: outstanding';
const EARLY = 'verdict after early records';
const EARLY_ALONE = 'verdict by one event after early records';
const OTHER_UUID = '11111111-1111-4111-8111-111111111111';

type Records = EvidenceFile[];
const withRecords =
  (change: (records: Records) => Json): Forge =>
  (original, known) =>
    put('records', change(original.file.records as Records))(original, known);

const counting = (name: 'count' | 'policy_count', by: number): Forge => {
  const bump: Forge = (original, known) =>
    put(`claim/${name}`, Number((original.file.claim as EvidenceFile)[name]) + by)(original, known);
  return bump;
};

const proofs =
  (change: (list: EvidenceFile[]) => Json): Forge =>
  (original, known) =>
    put('proofs', change(original.file.proofs as EvidenceFile[]))(original, known);

const isFalse = put('claim/compliant', false);

export const VERDICT_FORGERIES: Readonly<Record<string, Forgery>> = {
  "a verdict by a policy from before the tenant's own record": [EARLY, put('claim/policy_from', 1)],
  'a verdict by no policy': [EARLY, put('claim/policy_from', 3)],
  "a verdict on an asset from before the tenant's own record": [EARLY, put('claim/from', 1)],
  "a verdict on an asset from after the tenant's own record": [EARLY, put('claim/from', 4)],
  "a verdict without the tenant's own record": [EARLY, both(put('claim/own_count', 0), put('claim/policy_from', 1))],
  "a verdict with a record after the tenant's own": [EARLY, put('claim/own_count', 2)],
  "a verdict that doesn't say which event is the first": [EARLY, put('claim/from', undefined)],
  'a verdict with the own record of another tenant': [EARLY, put('records/5/author', `0x${'11'.repeat(20)}`)],
  'a verdict by one event from before the own record': [EARLY_ALONE, put('proofs/2/index', 1)],
  'a verdict by one event of a policy from before the own record': [EARLY_ALONE, put('claim/policy_from', 1)],
  'the other verdict': [SINCE, isFalse],
  'the other verdict of a policy that is broken': [OPEN, put('claim/compliant', true)],
  'a verdict that is a text': [SINCE, put('claim/compliant', 'true')],
  'a verdict before the asset was there': [SINCE, put('claim/at', '2020-01-01T00:00:00.000Z')],
  'a verdict in the future': [SINCE, put('claim/at', '2900-01-01T00:00:00.000Z')],
  'a verdict on no day': [SINCE, put('claim/at', '2026-02-30T00:00:00.000Z')],
  'a verdict at a leap second': [SINCE, put('claim/at', '2026-06-30T23:59:60.000Z')],
  'a verdict at a time without milliseconds': [SINCE, put('claim/at', '2026-11-23T00:00:00Z')],
  'a verdict of another policy': [SINCE, put('claim/policy_identity', `compliance_policies/${OTHER_UUID}`)],
  'a verdict of an asset as the policy': [
    SINCE,
    (original, known) => {
      const { asset_identity } = original.file.claim as EvidenceFile;
      return put('claim/policy_identity', asset_identity)(original, known);
    },
  ],
  'a verdict of another asset': [SINCE, put('claim/asset_identity', `assets/${OTHER_UUID}`)],
  'a verdict for another tenant': [SINCE, put('claim/tenant_identity', `tenant/${OTHER_UUID}`)],
  'a verdict with the records of another policy': [
    OPEN,
    (original, known) => {
      const [policy] = known(SINCE).file.records as Records;
      const forge = both(
        withRecords((records) => records.with(0, policy!)),
        put('claim/compliant', true),
      );
      return forge(original, known);
    },
  ],
  'a verdict with the proofs of another policy': [
    OPEN,
    both(take(SINCE, 'proofs', 'blocks'), put('claim/compliant', true)),
  ],
  'a verdict without the opening that is open': [
    OPEN,
    both(
      withRecords((records) => records.toSpliced(-2, 1)),
      counting('count', -1),
      put('claim/compliant', true),
    ),
  ],
  'a verdict without the last event': [
    OPEN,
    both(
      withRecords((records) => records.slice(0, -1)),
      counting('count', -1),
    ),
  ],
  'a verdict with an event twice': [
    OPEN,
    both(
      withRecords((records) => [...records, records.at(-1)!]),
      counting('count', 1),
    ),
  ],
  'a verdict with events in another order': [OPEN, withRecords(([first, ...rest]) => [first!, ...rest.toReversed()])],
  'a verdict whose policy is an event': [OPEN, both(counting('policy_count', 1), counting('count', -1))],
  'a verdict without a policy': [
    OPEN,
    both(
      withRecords((records) => records.slice(1)),
      counting('policy_count', -1),
    ),
  ],
  'a verdict with too few records': [OPEN, withRecords((records) => records.slice(1))],
  'a verdict whose logs are exchanged': [OPEN, proofs((list) => list.toReversed())],
  'a verdict with one log twice': [OPEN, proofs(([first]) => [first!, first!])],
  'a verdict with one log': [OPEN, proofs((list) => list.slice(0, 1))],
  'a verdict of one event that is broken': [ALONE, isFalse],
  'a verdict of one event with two': [
    ALONE,
    both(
      withRecords((records) => [...records, records.at(-1)!]),
      counting('count', 1),
    ),
  ],
  'a verdict of one event with the leaf of another head': [
    ALONE,
    (original, known) => {
      const bytes = fromBase64(original.file.leaves as string);
      return put('leaves', toBase64(bytes.with(40, bytes[40]! ^ 1)))(original, known);
    },
  ],
  'a verdict of one event with another sequence': [ALONE, put('proofs/2/sequence', 1)],
  'a verdict of one event with another place': [ALONE, put('proofs/2/index', 0)],
  'a verdict of one event whose leaf names the first log': [ALONE, put('proofs/2/root', 0)],
  'a verdict of one event without its leaf': [ALONE, put('leaves', undefined)],
  'a verdict of one event as a history': [
    ALONE,
    both(
      proofs((list) => list.slice(0, 2)),
      put('leaves', undefined),
    ),
  ],
  'a verdict of one event under a filter': [FILTERED, take(ALONE, 'proofs', 'blocks', 'leaves')],
};
