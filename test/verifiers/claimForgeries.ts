// Forgeries of what a file says: another event, history, range or absence under proofs that are left as they are.
import { toBase64 } from '../../ledger/evidence/base64.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { both, type Forge, type Forgery, put, take } from './forge.ts';

const LOGGED = 'event in its log';
const LEAF = 'event in the tree';
const ATTACH = 'attach in its log';
const CONTRIBUTED = 'contribution in its log';
const CONTRIBUTED_LEAF = 'contribution in the tree';
const OTHER_UUID = '11111111-1111-4111-8111-111111111111';
const OTHER_ADDRESS = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
const PRINCIPAL = { issuer: 'x', subject: 'x', display_name: 'x', email: 'x' };

const event = (name: string, value: Json | undefined): Forge => put(`claim/event/${name}`, value);

const withEvent =
  (change: (event: EvidenceFile) => Json): Forge =>
  (original, known) => {
    const { event: found } = original.file.claim as { event: EvidenceFile };
    return put('claim/event', change(found))(original, known);
  };

const withRecords =
  (change: (records: EvidenceFile[]) => Json): Forge =>
  (original, known) =>
    put('records', change(original.file.records as EvidenceFile[]))(original, known);

const withDigests =
  (change: (digests: Buffer) => Uint8Array): Forge =>
  (original, known) =>
    put('digests', toBase64(change(Buffer.from(original.file.digests as string, 'base64'))))(original, known);

const bump =
  (place: string, by: number): Forge =>
  (original, known) => {
    const [, name] = place.split('/');
    return put(place, Number((original.file.claim as EvidenceFile)[name!]) + by)(original, known);
  };

/** Of an event's content, author and place. */
const EVENTS: Readonly<Record<string, Forgery>> = {
  'another attribute of the event': [LOGGED, event('event_attributes/name', 'forged')],
  'an attribute that was not recorded': [LOGGED, event('event_attributes/more', 'forged')],
  'an attribute left out': [LOGGED, event('event_attributes/nested', undefined)],
  'another attribute of the asset': [LEAF, event('asset_attributes', { weight: '11' })],
  'an attribute in another Unicode form': [LOGGED, event('event_attributes/name', 'he\u0301llo \ud83d\ude00 "quoted"')],
  'an attribute that is a number': [LOGGED, event('event_attributes/nested/a', 2)],
  'an attribute that is null': [LEAF, event('event_attributes/nested', null)],
  'another operation': [LOGGED, event('operation', 'Update')],
  'another behaviour': [LEAF, event('behaviour', 'Firmware')],
  'an event that creates the asset': [LEAF, both(event('behaviour', 'AssetCreator'), event('operation', 'NewAsset'))],
  'settings of the asset in another event': [LOGGED, event('asset_settings', { public: true })],
  'an earlier acceptance': [LOGGED, event('timestamp_accepted', '2020-01-01T00:00:00.000Z')],
  'an earlier declaration': [LEAF, event('timestamp_declared', '2020-01-01T00:00:00.000Z')],
  'a declaration on no day': [LEAF, event('timestamp_declared', '2020-02-30T00:00:00.000Z')],
  'another person accepted': [LOGGED, event('principal_accepted', PRINCIPAL)],
  'another person declared': [LEAF, event('principal_declared', PRINCIPAL)],
  'a person with a further name': [LEAF, event('principal_declared/role', 'chief')],
  'another author': [LOGGED, event('from', OTHER_ADDRESS)],
  'another author in a leaf': [LEAF, event('from', OTHER_ADDRESS)],
  'an author without a checksum': [LEAF, withEvent((found) => ({ ...found, from: String(found.from).toLowerCase() }))],
  'no author': [LEAF, event('from', undefined)],
  'the event of another tenant': [LOGGED, event('tenant_identity', `tenant/${OTHER_UUID}`)],
  'the event of another asset': [LEAF, event('asset_identity', `assets/${OTHER_UUID}`)],
  'another name of the event': [
    LEAF,
    withEvent((found) => ({ ...found, identity: `${found.asset_identity}/events/${OTHER_UUID}` })),
  ],
  'an event that is not confirmed': [LOGGED, event('confirmation_status', 'PENDING')],
  'an earlier block': [LOGGED, withEvent((found) => ({ ...found, block_number: Number(found.block_number) - 1 }))],
  'an earlier block in a leaf': [
    LEAF,
    withEvent((found) => ({ ...found, block_number: Number(found.block_number) - 1 })),
  ],
  'a block that is a text': [LEAF, withEvent((found) => ({ ...found, block_number: String(found.block_number) }))],
  'an earlier time': [LOGGED, event('timestamp_committed', '2020-01-01T00:00:00Z')],
  'an earlier time in a leaf': [LEAF, event('timestamp_committed', '2020-01-01T00:00:00Z')],
  'a time before 1970': [LEAF, event('timestamp_committed', '1969-12-31T23:59:59Z')],
  'another transaction of the block': [LOGGED, event('transaction_index', 7)],
  'another attachment': [ATTACH, event('event_attributes/arc_append_attachments', [])],
  'an attach as another event': [ATTACH, event('operation', 'Detach')],
  'an event that is a list': [LOGGED, put('claim/event', [])],
};

/** Of contributions. */
const CONTRIBUTIONS: Readonly<Record<string, Forgery>> = {
  'a contribution to another owner': [CONTRIBUTED, event('contribution/owner', `tenant/${OTHER_UUID}`)],
  'a contribution that its server accepted earlier': [
    CONTRIBUTED,
    event('contribution/timestamp_accepted', '2020-01-01T00:00:00.000Z'),
  ],
  'a contribution with an earlier time': [CONTRIBUTED, event('timestamp_accepted', '2020-01-01T00:00:00.000Z')],
  'a contribution with the time of its server': [
    CONTRIBUTED_LEAF,
    withEvent((found) => ({ ...found, ...(found.contribution as EvidenceFile) })),
  ],
  'a contribution with a further member': [CONTRIBUTED_LEAF, event('contribution/x', 'x')],
  'a contribution that is null': [CONTRIBUTED, event('contribution', null)],
  'a contribution as an event of its tenant': [CONTRIBUTED_LEAF, event('contribution', undefined)],
  'an event of the owner as a contribution': [
    LOGGED,
    withEvent(({ timestamp_committed, ...found }) => ({
      ...found,
      timestamp_committed: timestamp_committed!,
      timestamp_accepted: String(timestamp_committed).replace('Z', '.000Z'),
      contribution: { owner: found.tenant_identity!, timestamp_accepted: found.timestamp_accepted! },
    })),
  ],
  'a contribution of the owner': [
    CONTRIBUTED,
    withEvent((found) => ({ ...found, tenant_identity: (found.contribution as EvidenceFile).owner! })),
  ],
  'a contribution with settings': [CONTRIBUTED_LEAF, event('asset_settings', { public: true })],
};

/** Of histories, ranges and absences. */
const STREAMS: Readonly<Record<string, Forgery>> = {
  'a history without its last record': [
    'history',
    both(
      bump('claim/count', -1),
      withDigests((all) => all.subarray(0, -32)),
    ),
  ],
  'a history without its first record': [
    'history',
    both(
      bump('claim/count', -1),
      withDigests((all) => all.subarray(32)),
    ),
  ],
  'a history with a record twice': [
    'history',
    both(
      bump('claim/count', 1),
      withDigests((all) => Buffer.concat([all, all.subarray(-32)])),
    ),
  ],
  'a history in another order': [
    'history',
    withDigests((all) => Buffer.concat([all.subarray(32), all.subarray(0, 32)])),
  ],
  'a history without digests': ['history', both(put('claim/count', 0), put('digests', ''))],
  'a history of another asset': ['history', put('claim/asset_identity', `assets/${OTHER_UUID}`)],
  'a history of another tenant': ['history', put('claim/tenant_identity', `tenant/${OTHER_UUID}`)],
  'a count that the records do not have': ['history', bump('claim/count', 1)],
  'a history with digests and records': ['history', take('history with records', 'records')],
  'a history with a changed record': [
    'history with records',
    put('records/1/payload', toBase64(Buffer.from('\u0001{"identity":"x"}'))),
  ],
  'a history with another author': ['history with records', put('records/1/author', OTHER_ADDRESS.toLowerCase())],
  'a history with another key': ['history with records', put('records/1/id', `0x${'ab'.repeat(32)}`)],
  'a history of records in another order': ['history with records', withRecords((all) => all.toReversed())],
  'a history without a record in the middle': [
    'history with records',
    both(
      bump('claim/count', -1),
      withRecords((all) => all.toSpliced(2, 1)),
    ),
  ],
  'a range without its last record': [
    'range',
    both(
      bump('claim/to', -1),
      withRecords((all) => all.slice(0, -1)),
    ),
  ],
  'a range without its first record': [
    'range',
    both(
      bump('claim/from', 1),
      withRecords((all) => all.slice(1)),
    ),
  ],
  'a range that names other positions': ['range', both(bump('claim/from', 1), bump('claim/to', 1))],
  'a range without a record in the middle': [
    'range',
    both(
      bump('claim/to', -1),
      withRecords((all) => all.toSpliced(1, 1)),
    ),
  ],
  'a range with records exchanged': ['range', withRecords((all) => [all[1]!, all[0]!, ...all.slice(2)])],
  'a range of another asset': ['range', put('claim/asset_identity', `assets/${OTHER_UUID}`)],
  'a range from the start that is none': ['range', both(put('claim/from', 1), put('claim/to', 3))],
  'a range that ends before it begins': ['range', both(put('claim/from', 5), put('claim/to', 3))],
  'a range with a changed record': [
    'range from the start',
    put('records/0/payload', toBase64(Buffer.from('\u0001{"identity":"x"}'))),
  ],
  'the absence of a record that exists': [
    'absence of a record',
    (original, known) => {
      const { event: found } = known(LOGGED).file.claim as { event: EvidenceFile };
      return put('claim/identity', found.identity!)(original, known);
    },
  ],
  'the absence of an asset that exists': [
    'absence of a stream',
    (original, known) => {
      const { asset_identity } = known('history').file.claim as EvidenceFile;
      return put('claim/identity', asset_identity!)(original, known);
    },
  ],
  'the absence of an asset that has a head': [
    'absence of a stream',
    (original, known) => {
      const history = known('history');
      const { asset_identity } = history.file.claim as EvidenceFile;
      const { blocks, proofs } = history.file;
      const forged = put('claim/identity', asset_identity!)(
        { ...original, file: { ...original.file, blocks: blocks!, proofs: proofs! } },
        known,
      );
      return { ...forged, trust: history.trust };
    },
  ],
  'the absence of another record': [
    'absence of a record',
    put('claim/identity', `assets/${OTHER_UUID}/events/${OTHER_UUID}`),
  ],
  'the absence of a name that nobody writes': ['absence of a stream', put('claim/identity', 'assets/1')],
  'the absence for another tenant': ['absence of a stream', put('claim/tenant_identity', `tenant/${OTHER_UUID}`)],
  'a history as an absence': ['absence of a record', take('history', 'proofs', 'blocks')],
};

export const CLAIM_FORGERIES: Readonly<Record<string, Forgery>> = { ...EVENTS, ...CONTRIBUTIONS, ...STREAMS };
