// Records the events of one request in groups: each asset is read once for a group, and its records are passed to the
// writer together. A group doesn't wait until the one before it is durable, so the events that the view doesn't show
// yet are kept here: later ones of the request are checked as if their asset had them, unless the writer refused them.
import { type AssetState, applyEvent } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { parseEventIdentity, toEventIdentity } from '../../ledger/identity.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import {
  type EventRecord,
  type EventResource,
  isAttach,
  toCommittedRecord,
  toEventResource,
} from '../../ledger/records/event.ts';
import type { ServerDeps } from '../deps.ts';
import type { RunExclusively } from '../fairness/exclusive.ts';
import type { Caller } from '../openapi/handlers.ts';
import { acceptRecord } from './acceptance.ts';
import { assertEventAccepted } from './eventChecks.ts';
import { assertSameRequest, isDisplaced } from './idempotency.ts';
import { type NewEvent, type ProposedEvent, toEventRecord, toProposedEvent } from './newEvent.ts';
import { createUnseenEvents, type UnseenEvents } from './unseenEvents.ts';

/** One event to record. */
export interface EventCreation {
  readonly body: NewEvent;
  readonly assetUuid: string;
  readonly eventUuid: string;
  /** Whether a key chose `eventUuid`, so that the event may exist. */
  readonly isKeyed: boolean;
}

/** What became of one event: its resource, or the error with which it was refused. */
export type EventOutcome = PromiseSettledResult<EventResource>;

/** A group whose records were passed to the writer. */
export interface AcceptedGroup {
  /** In the order of the group. Resolves when each is committed, refused, or PENDING for the configured time. */
  readonly outcomes: Promise<EventOutcome[]>;
}

// What is known of an event before it is appended. `again`: an earlier event of the group has its key.
type Step =
  | Refused
  | { readonly first: EventResource }
  | { readonly proposed: ProposedEvent }
  | { readonly again: true };

interface Appended {
  readonly record: EventRecord;
  readonly commitment: Promise<Commitment>;
}

interface Refused {
  readonly refusal: unknown;
}

type Pending = Appended | Refused | { readonly first: EventResource };

/** The events of one group that were appended, by the UUID of the event. */
type AppendedEvents = Map<string, Appended>;

const toIdentity = ({ assetUuid, eventUuid }: EventCreation): string => toEventIdentity(assetUuid, eventUuid);

const toProposed = (creation: EventCreation): ProposedEvent => toProposedEvent(creation.body, toIdentity(creation));

const assertSameEvent = (first: EventRecord, creation: EventCreation): void =>
  assertSameRequest(first, (acceptance) => toEventRecord(toProposed(creation), acceptance));

/** The checks of events before any of them is appended. */
const createGroupChecks = ({ view }: ServerDeps, { tenantIdentity }: Caller, unseen: UnseenEvents) => {
  const isUsable = (asset: Asset | undefined): asset is Asset =>
    asset !== undefined && asset.confirmation_status !== 'FAILED';

  const readStates = async (group: readonly EventCreation[]): Promise<Map<string, AssetState>> => {
    const uuids = [...new Set(group.map(({ assetUuid }) => assetUuid))];
    const assets = await Promise.all(uuids.map((uuid) => view.readAsset(tenantIdentity, uuid)));
    const states = new Map<string, AssetState>();
    for (const [at, asset] of assets.entries())
      if (isUsable(asset)) states.set(uuids[at]!, unseen.apply(uuids[at]!, asset.state));
    return states;
  };

  // What another tenant contributed under the same UUID takes no key away.
  const readFirst = async ({ isKeyed, assetUuid, eventUuid }: EventCreation): Promise<EventResource | undefined> => {
    const event = isKeyed ? await view.readEvent(tenantIdentity, assetUuid, eventUuid) : undefined;
    return event?.contribution === undefined ? event : undefined;
  };

  const check = async (
    creation: EventCreation,
    first: EventResource | undefined,
    states: Map<string, AssetState>,
  ): Promise<Step> => {
    if (first !== undefined) {
      assertSameEvent(toCommittedRecord(first), creation);
      return { first };
    }
    const state = states.get(creation.assetUuid);
    if (state === undefined) throw new LedgerError('ASSET_NOT_FOUND');
    const proposed = toProposed(creation);
    await assertEventAccepted(view, tenantIdentity, proposed, state);
    states.set(creation.assetUuid, applyEvent(state, proposed));
    return { proposed };
  };

  // One after the other, because each event changes the asset that the next one is checked against.
  return async (group: readonly EventCreation[], appended: AppendedEvents): Promise<Step[]> => {
    const [states, firsts] = await Promise.all([readStates(group), Promise.all(group.map(readFirst))]);
    const steps: Step[] = [];
    const keyed = new Set(appended.keys());
    for (const [at, creation] of group.entries()) {
      const step = keyed.has(creation.eventUuid)
        ? ({ again: true } as const)
        : await check(creation, firsts[at], states).catch((refusal: unknown) => ({ refusal }));
      if (creation.isKeyed && 'proposed' in step) keyed.add(creation.eventUuid);
      steps.push(step);
    }
    return steps;
  };
};

// A key belongs to the first event that the writer accepts. When it refuses that one later, this one is refused too.
const repeat = ({ record, commitment }: Appended, creation: EventCreation): Appended => ({
  record,
  commitment: commitment.then((committed) => {
    assertSameEvent(record, creation);
    return committed;
  }),
});

/** Passes checked events to the writer. */
const createAppendChecked = (deps: ServerDeps, caller: Caller, unseen: UnseenEvents) => {
  const append = ({ assetUuid }: EventCreation, proposed: ProposedEvent): Appended | Refused => {
    try {
      const { record, commitment } = acceptRecord(deps, caller, (acceptance) => toEventRecord(proposed, acceptance));
      unseen.add(assetUuid, record);
      commitment.catch(() => unseen.refuse(assetUuid, record));
      return { record, commitment };
    } catch (refusal) {
      return { refusal };
    }
  };

  /**
   * Ends before the first event that was checked as if its asset had one that the writer refuses.
   */
  return (group: readonly EventCreation[], steps: readonly Step[], appended: AppendedEvents): Pending[] => {
    const pending: Pending[] = [];
    const refusedAssets = new Set<string>();
    const take = (creation: EventCreation, step: Step): Pending => {
      if ('again' in step) return repeat(appended.get(creation.eventUuid)!, creation);
      if (!('proposed' in step)) return step;
      const one = append(creation, step.proposed);
      if ('refusal' in one) refusedAssets.add(creation.assetUuid);
      else appended.set(creation.eventUuid, one);
      return one;
    };
    for (const [at, creation] of group.entries()) {
      if (refusedAssets.has(creation.assetUuid)) break;
      pending.push(take(creation, steps[at]!));
    }
    return pending;
  };
};

const settle = (outcome: Promise<EventResource>): Promise<EventOutcome> =>
  outcome.then(
    (value) => ({ status: 'fulfilled', value }),
    (reason: unknown) => ({ status: 'rejected', reason }),
  );

/** Waits for what became of an event that was checked. */
const createToOutcome = ({ view }: ServerDeps, caller: Caller) => {
  const readRecorded = async ({ assetUuid, eventUuid }: EventCreation): Promise<EventResource> => {
    const event = await view.readEvent(caller.tenantIdentity, assetUuid, eventUuid);
    if (event !== undefined) return event;
    throw new Error(`${toEventIdentity(assetUuid, eventUuid)} was appended, but the view does not show it`);
  };

  // Another server may have recorded an event with the same key first.
  const readFirst = async (creation: EventCreation): Promise<EventResource> => {
    const first = await readRecorded(creation);
    assertSameEvent(toCommittedRecord(first), creation);
    return first;
  };

  const toOutcome = async (pending: Pending, creation: EventCreation): Promise<EventResource> => {
    if ('refusal' in pending) throw pending.refusal;
    if ('first' in pending) return pending.first;
    const { record, commitment } = pending;
    try {
      const committed = await commitment;
      return isAttach(record)
        ? await readRecorded(creation)
        : toEventResource(record, caller.tenantIdentity, committed);
    } catch (error) {
      if (creation.isKeyed && isDisplaced(error)) return readFirst(creation);
      throw error;
    }
  };
  return toOutcome;
};

/** Records groups of events. */
export interface EventGroups {
  /**
   * Checks the events of a group and passes them to the writer, after the groups before it. Resolves then.
   */
  accept(group: readonly EventCreation[]): Promise<AcceptedGroup>;
}

/** Records the events of one request. Operations that create the same events share `runExclusively`. */
export const createEventGroups = (deps: ServerDeps, caller: Caller, runExclusively: RunExclusively): EventGroups => {
  const { writer } = deps;
  const unseen = createUnseenEvents();
  const checkGroup = createGroupChecks(deps, caller, unseen);
  const appendChecked = createAppendChecked(deps, caller, unseen);

  const toOutcome = createToOutcome(deps, caller);
  const checkOrRefuse = (group: readonly EventCreation[], appended: AppendedEvents): Promise<readonly Step[]> =>
    checkGroup(group, appended).catch((refusal: unknown) => group.map(() => ({ refusal })));

  // Those that were checked as if an asset had an event that the writer refused meanwhile are checked again.
  const appendGroup = async (group: readonly EventCreation[], appended: AppendedEvents) => {
    const outcomes: Promise<EventOutcome>[] = [];
    while (outcomes.length < group.length) {
      const rest = group.slice(outcomes.length);
      const refusals = unseen.refusals();
      const steps = await checkOrRefuse(rest, appended);
      if (unseen.refusals() !== refusals) continue;
      const pending = appendChecked(rest, steps, appended);
      outcomes.push(...pending.map((one, at) => settle(toOutcome(one, rest[at]!))));
    }
    return outcomes;
  };

  // Later requests with these keys must see the events, so they wait until the view shows them.
  const awaitShown = async (appended: AppendedEvents): Promise<void> => {
    await writer.flush();
    for (const { record } of appended.values()) unseen.remove(parseEventIdentity(record.identity)!.assetUuid, record);
  };

  const run = (group: readonly EventCreation[]): Promise<AcceptedGroup> => {
    const keyed = group.filter(({ isKeyed }) => isKeyed).map(toIdentity);
    return new Promise((resolve, reject) => {
      const task = async (): Promise<void> => {
        const appended: AppendedEvents = new Map();
        const outcomes = await appendGroup(group, appended);
        resolve({ outcomes: Promise.all(outcomes) });
        await awaitShown(appended);
      };
      runExclusively([...new Set(keyed)], task).catch(reject);
    });
  };

  let earlier: Promise<unknown> = Promise.resolve();
  return {
    accept: (group) => {
      const accepted = earlier.then(() => run(group));
      earlier = accepted.catch(() => undefined);
      return accepted;
    },
  };
};
