// Forgeries of the histories of assets to which other tenants contributed, and of verdicts on them. The last three
// contributions of the original are: without effect, with effect, and without effect again.
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { LEAF_BYTES } from '../../ledger/evidence/recordLeaf.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { both, type Forge, type Forgery, put, take } from './forge.ts';

const HISTORY = 'merged history';
const DIGESTS = 'merged digests';
const VERDICT = 'merged verdict';
const EARLY = 'merged history after early records';
const EARLY_VERDICT = 'merged verdict after early records';
const OTHER_UUID = '11111111-1111-4111-8111-111111111111';

interface Part {
  readonly tenant_identity: string;
  readonly identity: string;
  readonly count: number;
}

const partsOf = ({ claim }: EvidenceFile): readonly Part[] => (claim as unknown as { parts: Part[] }).parts;
const eventsOf = ({ claim }: EvidenceFile): number[] => (claim as unknown as { events: number[] }).events;

const ownOf = (claim: Json | undefined): Json[] => (claim as EvidenceFile).own_records as Json[];

const making =
  (make: (file: EvidenceFile) => readonly [place: string, changed: Json | undefined]): Forge =>
  (original, known) =>
    put(...make(original.file))(original, known);

const withEvents = (change: (events: number[], file: EvidenceFile) => number[]): Forge =>
  making((file) => ['claim/events', change(eventsOf(file), file)]);

const findPart = (file: EvidenceFile, prefix: string): number =>
  partsOf(file).findIndex(({ identity }) => identity.startsWith(prefix));

/** Index of the last record of the part with this prefix. */
const lastOf = (file: EvidenceFile, prefix: string): number =>
  partsOf(file)
    .slice(0, findPart(file, prefix) + 1)
    .reduce((sum, { count }) => sum + count, 0) - 1;

const atLeaf = (file: EvidenceFile): number => (file.proofs as EvidenceFile[]).findIndex(({ kind }) => kind === 'leaf');

/** A record with its leaf, as if it had never been. */
const withoutRecord = (toIndex: (file: EvidenceFile) => number): Forge => {
  const parts: Forge = ({ file, trust }) => {
    const at = toIndex(file);
    const bytes = Buffer.from(fromBase64(file.leaves as string));
    const leaves = Buffer.concat([bytes.subarray(0, at * LEAF_BYTES), bytes.subarray((at + 1) * LEAF_BYTES)]);
    const [records, proofs] = [file.records as Json[], file.proofs as Json[]];
    return {
      file: {
        ...file,
        records: records.toSpliced(at, 1),
        leaves: toBase64(leaves),
        proofs: proofs.toSpliced(atLeaf(file) + at, 1),
      },
      trust,
    };
  };
  return parts;
};

const withoutLast = (prefix: string): Forge =>
  both(
    withoutRecord((file) => lastOf(file, prefix)),
    making((file) => {
      const at = findPart(file, prefix);
      return [`claim/parts/${at}/count`, partsOf(file)[at]!.count - 1];
    }),
    // What the claim would say if the record had not been there.
    making((file) => [
      'claim/events',
      eventsOf(file).map((event) => (event > lastOf(file, prefix) ? event - 1 : event)),
    ]),
  );

const withLeaf = (toIndex: (file: EvidenceFile) => number, at: number): Forge =>
  making((file) => {
    const bytes = fromBase64(file.leaves as string);
    const place = toIndex(file) * LEAF_BYTES + at;
    return ['leaves', toBase64(bytes.with(place, bytes[place]! ^ 1))];
  });

const withProofs = (change: (proofs: EvidenceFile[], file: EvidenceFile) => EvidenceFile[]): Forge =>
  making((file) => ['proofs', change(file.proofs as EvidenceFile[], file)]);

/** The file as if nobody had asked whether the owner has the blob that a contribution attaches. */
const withoutBlob: Forge = both(
  withProofs((proofs, file) =>
    proofs
      .toSpliced(findPart(file, 'blobs/'), 1)
      .map((proof) => (proof.kind === 'leaf' ? { ...proof, root: Number(proof.root) - 1 } : proof)),
  ),
  making((file) => ['claim/parts', partsOf(file).toSpliced(findPart(file, 'blobs/'), 1) as unknown as Json]),
);

const inBlocks = (proofs: readonly EvidenceFile[]): number => proofs.findLastIndex(({ kind }) => kind === 'leaf') + 1;

const CONTRIBUTIONS = 'tenant/';

export const MERGED_FORGERIES: Readonly<Record<string, Forgery>> = {
  "a merged history with an event from before the tenant's own record": [EARLY, withEvents((events) => [0, ...events])],
  "a merged history with a contribution from before the tenant's own record": [
    EARLY,
    withEvents((events, file) => [...events, lastOf(file, 'tenant/') - 1]),
  ],
  'a merged history without the own record of the owner': [
    EARLY,
    making(({ claim }) => ['claim/own_records', ownOf(claim).slice(1)]),
  ],
  'a merged history with an own record twice': [
    EARLY,
    making(({ claim }) => ['claim/own_records', [...ownOf(claim), ...ownOf(claim)]]),
  ],
  'a merged history with the own record of another tenant': [
    EARLY,
    put('claim/own_records/0/tenant_identity', `tenant/${OTHER_UUID}`),
  ],
  'a merged history with no own record': [EARLY, put('claim/own_records/0/count', 0)],
  'a merged verdict of the other sign after early records': [EARLY_VERDICT, put('claim/compliant', false)],
  'a contribution that no policy grants as an event': [
    HISTORY,
    withEvents((events, file) => [...events, lastOf(file, CONTRIBUTIONS)]),
  ],
  'a contribution that the policy granted later as an event': [
    HISTORY,
    withEvents((events, file) => [...events.slice(0, -1), lastOf(file, CONTRIBUTIONS) - 2, events.at(-1)!]),
  ],
  'a history without one of its events': [HISTORY, withEvents((events) => events.slice(0, -1))],
  'a history without its contributions': [
    HISTORY,
    withEvents((events, file) => events.filter((event) => event < partsOf(file)[0]!.count)),
  ],
  'a history of the digests as one of the events': [DIGESTS, put('claim/events', [])],
  'events in another order': [
    HISTORY,
    withEvents(([first, second, third, ...rest]) => [first!, third!, second!, ...rest]),
  ],
  'an event twice': [HISTORY, withEvents((events) => [...events, events.at(-1)!])],
  'an event that is no record': [HISTORY, withEvents((events) => [...events, 1_999])],
  'a policy without its last version': [HISTORY, withoutLast('access_policies/')],
  'a subject that is not deleted': [HISTORY, withoutLast('subjects/')],
  'contributions without the last one': [HISTORY, withoutLast(CONTRIBUTIONS)],
  'a history without its subject': [
    HISTORY,
    making((file) => ['claim/parts', partsOf(file).toSpliced(findPart(file, 'subjects/'), 1) as unknown as Json]),
  ],
  'a history without the blob that a contribution attaches': [HISTORY, withoutBlob],
  'a merged verdict without the blob that a contribution attaches': [VERDICT, withoutBlob],
  'a history without contributions': [
    HISTORY,
    making((file) => ['claim/parts', partsOf(file).toSpliced(1, 1) as unknown as Json]),
  ],
  'contributions of another tenant': [HISTORY, put('claim/parts/1/tenant_identity', `tenant/${OTHER_UUID}`)],
  'digests of the contributions of another tenant': [
    DIGESTS,
    put('claim/parts/1/tenant_identity', `tenant/${OTHER_UUID}`),
  ],
  'contributions to another asset': [
    HISTORY,
    making((file) => ['claim/parts/1/identity', `${partsOf(file)[0]!.tenant_identity}/assets/${OTHER_UUID}`]),
  ],
  'the stream of the asset twice': [HISTORY, making((file) => ['claim/parts/2', partsOf(file)[0] as unknown as Json])],
  'another owner': [HISTORY, put('claim/tenant_identity', `tenant/${OTHER_UUID}`)],
  'a contribution of another block': [HISTORY, withLeaf((file) => lastOf(file, CONTRIBUTIONS), 71)],
  'a contribution of another time': [HISTORY, withLeaf((file) => lastOf(file, CONTRIBUTIONS), 79)],
  'a policy of another block': [HISTORY, withLeaf((file) => lastOf(file, 'access_policies/'), 71)],
  'leaves in another order': [
    HISTORY,
    withProofs((proofs, file) => {
      const at = atLeaf(file);
      return [...proofs.slice(0, at), proofs[at + 1]!, proofs[at]!, ...proofs.slice(at + 2)];
    }),
  ],
  'a leaf in the tree of another tenant': [
    HISTORY,
    making((file) => {
      const at = atLeaf(file);
      return [`proofs/${at}/root`, Number((file.proofs as EvidenceFile[])[at]!.root) + 1];
    }),
  ],
  'another order in a block': [
    HISTORY,
    withProofs((proofs) => {
      const [first, second, ...rest] = proofs.slice(inBlocks(proofs));
      return [...proofs.slice(0, inBlocks(proofs)), second!, first!, ...rest];
    }),
  ],
  'no order in a block': [HISTORY, withProofs((proofs) => proofs.slice(0, inBlocks(proofs)))],
  'a log in another transaction': [
    HISTORY,
    withProofs((proofs) => [...proofs.slice(0, -1), { ...proofs.at(-1)!, transaction: 40 }]),
  ],
  'the digests of a history in another order': [
    DIGESTS,
    making((file) => {
      const bytes = Buffer.from(fromBase64(file.digests as string));
      return ['digests', toBase64(Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)]))];
    }),
  ],
  'the other merged verdict': [VERDICT, put('claim/compliant', false)],
  'a merged verdict at the time of its block': [
    VERDICT,
    making((file) => ['claim/at', (file.claim as EvidenceFile).at!.toString().replace(/^..../, '2900')]),
  ],
  'a merged verdict of another policy': [VERDICT, put('claim/policy_identity', `compliance_policies/${OTHER_UUID}`)],
  'a merged verdict of an asset as the policy': [
    VERDICT,
    making((file) => ['claim/policy_identity', partsOf(file)[0]!.identity]),
  ],
  'a merged verdict with the history of another file': [
    VERDICT,
    take(HISTORY, 'records', 'leaves', 'proofs', 'blocks'),
  ],
  'a merged verdict without its last contribution': [
    VERDICT,
    both(
      withoutRecord((file) => lastOf(file, CONTRIBUTIONS)),
      making((file) => ['claim/parts/1/count', partsOf(file)[1]!.count - 1]),
    ),
  ],
};
