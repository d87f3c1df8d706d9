// Makes the evidence files of an open ledger. Each is checked as its reader would check it, before it leaves the
// server: a file that proves nothing is a defect of the server, which the operator must see.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBoundedMap } from '../../indexer/boundedMap.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EvidenceExtras, EvidenceSource } from '../../server/evidenceSource.ts';
import { createRunInSlices, SLICE_MS } from '../../server/fairness/timeSlices.ts';
import { createTurns } from '../../server/fairness/turns.ts';
import { createLimit } from '../../server/http/rateLimits.ts';
import type { Ledger } from '../openLedger.ts';
import { makeAbsenceParts } from './absenceEvidence.ts';
import { type AnswerMemoryOptions, createAnswerMemory, toParty } from './answerMemory.ts';
import { addCode } from './codeParts.ts';
import { type Asker, createCoverage, refusePending } from './coverage.ts';
import { makeEventParts } from './eventEvidence.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { encodeEvidenceFile, type FileParts } from './evidenceFile.ts';
import { createEvidenceRequests, type SharedParts } from './evidenceRequests.ts';
import { makeHistoryParts, makeRangeParts } from './historyEvidence.ts';
import { createLogProofs } from './logProofs.ts';
import { makeMergedHistoryParts } from './mergedEvidence.ts';
import { makeMergedVerdictParts } from './mergedVerdict.ts';
import type { Checkpoints } from './openCheckpoints.ts';
import { makeTenantParts } from './tenantEvidence.ts';
import { makeVerdictParts } from './verdictEvidence.ts';

/** The parts of a ledger that its evidence needs. */
export interface EvidenceDeps {
  readonly ledger: Pick<Ledger, 'chain' | 'contract' | 'trees' | 'catchUpTo'>;
  /** Undefined: this server has no block log. */
  readonly checkpoints:
    | (Pick<Checkpoints, 'log' | 'request' | 'logKey' | 'findAccount'> & Partial<Pick<Checkpoints, 'recorded'>>)
    | undefined;
  /** How long a request waits for a checkpoint, in milliseconds. */
  readonly waitMs: number;
  /** Aborts when the server stops: large files that wait for their turn are refused. */
  readonly stopping?: AbortSignal;
  /** `ANSWER_MEMORY` unless given. */
  readonly answerMemory?: AnswerMemoryOptions;
}

/** The evidence of an open ledger. */
export interface OpenEvidence extends EvidenceSource {
  /** Ends the requests in progress, and resolves when none of them reads any more. */
  close(): Promise<void>;
}

/** Checkpoints that a tenant may request. Requests without a token have an own count, so they can't use it up. */
const TENANT_RATE = { perSecond: 5, burst: 100 };
const PUBLIC_RATE = { perSecond: 1, burst: 10 };
/** Large files of one tenant, or of all who have no token, that may wait for their turn. */
const LARGE_FILES_WAITING_MAX = 8;
/** Characters of large files that are in memory, until their clients have read them. */
const ANSWER_MEMORY = { smallMax: 256 * 1024, partyMax: 48 * 1024 * 1024, tenantsMax: 144 * 1024 * 1024 };
/** Signed checkpoints whose signature need not be checked again. */
const CHECKED_NOTES_MAX = 128;
/** Longer files have many digests or records, which were compared with the head when they were read. */
const CHECKED_CHARACTERS_MAX = 256 * 1024;

const createAskerLimit = () => {
  const [limitTenant, limitPublic] = [createLimit(TENANT_RATE), createLimit(PUBLIC_RATE)];
  return ({ tenantIdentity, isPublic }: Asker): Promise<void> => (isPublic ? limitPublic : limitTenant)(tenantIdentity);
};

const createParts = ({ ledger, checkpoints, waitMs, stopping, answerMemory }: EvidenceDeps): SharedParts => ({
  trees: ledger.trees,
  readRecordedBlock: () => checkpoints?.recorded?.newest()?.newestBlock,
  runInTurn: createTurns({
    waitingMax: LARGE_FILES_WAITING_MAX,
    refuse: refusePending,
    stopping,
    nowMs: () => performance.now(),
  }),
  runInSlices: createRunInSlices({ nowMs: () => performance.now(), pause: () => nextTurn(), sliceMs: SLICE_MS }),
  openHeld: createAnswerMemory(answerMemory ?? ANSWER_MEMORY),
  logProofs: createLogProofs(ledger.chain, checkpoints?.log, checkpoints?.recorded?.find),
  findAccount: () => checkpoints?.findAccount(),
  coverage: createCoverage({
    checkpoints,
    catchUpTo: ledger.catchUpTo,
    waitMs,
    limit: createAskerLimit(),
  }),
});

// The signed checkpoints in a file.
const readNotes = ({ blocks }: FileParts): string[] =>
  blocks.flatMap(({ anchors }) => anchors).map(({ proof }) => proof.slice(proof.indexOf('\n\n') + 2));

// The signature of a checkpoint is most of the work of a check, so it is checked once.
const createEncode = ({ ledger, checkpoints }: EvidenceDeps) => {
  const { chain, contract } = ledger;
  const { chainId } = chain;
  const named = { chain_id: chainId, contract };
  const checked = createBoundedMap<true>(CHECKED_NOTES_MAX);
  // One in each turn of the event loop: a check takes a few milliseconds.
  const runCheck = createTurns({ nowMs: () => performance.now(), rest: () => nextTurn() });
  const check = async (text: string, parts: FileParts): Promise<void> => {
    const notes = readNotes(parts);
    const logs = notes.every((note) => checked.get(note) === true) ? [] : [checkpoints!.logKey];
    const { findings } = await verifyBundle(text, JSON.stringify({ ...named, logs }));
    const refuted = findings.find(({ answer }) => answer === 'refuted');
    if (refuted !== undefined)
      throw new Error(`evidence of kind ${parts.claim.kind} was made and is refuted: ${refuted.text}`);
    for (const note of notes) checked.set(note, true, 1);
  };
  return async (
    { runSteps }: Pick<EvidenceContext, 'runSteps'>,
    { party, signal }: { readonly party: string; readonly signal: AbortSignal | undefined },
    parts: FileParts,
  ): Promise<string> => {
    const text = await runSteps(encodeEvidenceFile({ chainId, contract }, parts));
    const isChecked = text.length <= CHECKED_CHARACTERS_MAX && parts.claim.kind !== 'tenant';
    if (isChecked) await runCheck(party, () => check(text, parts), { signal });
    return text;
  };
};

/** The evidence of an open ledger. */
export const openEvidence = (deps: EvidenceDeps): OpenEvidence => {
  const { trees } = deps.ledger;
  const requests = createEvidenceRequests(createParts(deps));
  const encode = createEncode(deps);
  type Make = (context: EvidenceContext) => Promise<FileParts>;
  const run = (asker: Asker, make: Make, { hasCode = false, signal }: Partial<EvidenceExtras> = {}): Promise<string> =>
    requests.run({ ...asker, signal }, async (context) => {
      const made = await make(context);
      const parts = hasCode ? await addCode(context, asker, made) : made;
      return encode(context, { party: toParty(asker), signal }, parts);
    });
  // A file without the records of others must not look complete, also if the first was indexed while it was made.
  const makeOfAsset =
    (named: { readonly tenantIdentity: string; readonly assetIdentity: string }, make: Make, merge?: Make): Make =>
    async (context) => {
      const hasOthers = async (): Promise<boolean> =>
        (await trees.readContributors(toKey(named.tenantIdentity), toKey(named.assetIdentity))).length > 0;
      if (await hasOthers()) {
        if (merge === undefined) throw new LedgerError('EVIDENCE_INCOMPLETE');
        return merge(context);
      }
      const parts = await make(context);
      if (await hasOthers()) throw refusePending();
      return parts;
    };
  const toAsker = (tenantIdentity: string): Asker => ({ tenantIdentity, isPublic: false });
  return {
    makeEventEvidence: (event, form) => {
      const asker = toAsker(form?.tenantIdentity ?? event.tenant_identity);
      return run(asker, (context) => makeEventParts(context, asker, event, form), form);
    },
    makeHistoryEvidence: (query, extras) => {
      const { from = 1, to, tenantIdentity, isPublic } = query;
      const make: Make = (context) =>
        to === undefined ? makeHistoryParts(context, query) : makeRangeParts(context, query, { from, to });
      const merge: Make = (context) => makeMergedHistoryParts(context, query);
      // What decides on contributions isn't public, and a range of one stream is none of the asset's events.
      const isMerged = !isPublic && to === undefined;
      return run({ tenantIdentity, isPublic }, makeOfAsset(query, make, isMerged ? merge : undefined), extras);
    },
    makeAbsenceEvidence: (tenantIdentity, identity, extras) =>
      run(toAsker(tenantIdentity), (context) => makeAbsenceParts(context, tenantIdentity, identity), extras),
    makeVerdictEvidence: (query, extras) =>
      run(
        toAsker(query.tenantIdentity),
        makeOfAsset(
          query,
          (context) => makeVerdictParts(context, query),
          (context) => makeMergedVerdictParts(context, query),
        ),
        extras,
      ),
    makeTenantEvidence: (tenantIdentity, extras) =>
      run(toAsker(tenantIdentity), (context) => makeTenantParts(context, tenantIdentity), extras),
    openTenantLeaves: async (tenantIdentity, count) => {
      const tenantKey = toKey(tenantIdentity);
      if ((await trees.readTreeSize(tenantKey)) < count) return undefined;
      return requests.stream(trees.readLeaves(tenantKey, 0, count));
    },
    close: requests.close,
  };
};
