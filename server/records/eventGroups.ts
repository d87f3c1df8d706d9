// Records the events of one request in groups: each asset is read once for a group, and its records are passed to the
// writer together. A group doesn't wait until the one before it is durable, so the events that the view
// doesn't show yet are kept here.
import { type AssetState, applyEvent, applyEvents } from '../../ledger/assets/asset.ts';
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
import type { RunExclusively } from '../exclusive.ts';
import type { Caller } from '../openapi/handlers.ts';
import { assertEventAccepted } from './eventChecks.ts';
import { assertSameRequest } from './idempotency.ts';
import { acceptNow, type NewEvent, type ProposedEvent, toEventRecord, toProposedEvent } from './newEvent.ts';

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

// What is known of an event before the group is appended. `again`: an earlier event of the group has its key.
type Step =
  | { readonly refusal: unknown }
  | { readonly first: EventResource }
  | { readonly proposed: ProposedEvent }
  | { readonly again: true };

interface Appended {
  readonly record: EventRecord;
  readonly commitment: Promise<Commitment>;
}

type Pending = Exclude<Step, { proposed: unknown } | { again: unknown }> | Appended;

const toIdentity = ({ assetUuid, eventUuid }: EventCreation): string => toEventIdentity(assetUuid, eventUuid);

const toProposed = (creation: EventCreation): ProposedEvent => toProposedEvent(creation.body, toIdentity(creation));

const assertSameEvent = (first: EventRecord, creation: EventCreation): void =>
  assertSameRequest(first, (acceptance) => toEventRecord(toProposed(creation), acceptance));

/** The events of one request that were passed to the writer, and that the view may not show yet; by their asset. */
const createUnseen = () => {
  const byAsset = new Map<string, ProposedEvent[]>();
  return {
    /** Applies them. Those that the view shows already have no effect, because the same events follow them. */
    apply: (assetUuid: string, state: AssetState): AssetState => applyEvents(state, byAsset.get(assetUuid) ?? []),
    add: (assetUuid: string, event: ProposedEvent): void => {
      const events = byAsset.get(assetUuid);
      if (events === undefined) byAsset.set(assetUuid, [event]);
      else events.push(event);
    },
    /** Removes the oldest event of an asset. */
    removeOldest: (assetUuid: string): void => {
      const events = byAsset.get(assetUuid)!;
      events.shift();
      if (events.length === 0) byAsset.delete(assetUuid);
    },
  };
};

type Unseen = ReturnType<typeof createUnseen>;

/** The checks of a group before any of it is appended. */
const createGroupChecks = ({ view }: ServerDeps, { tenantIdentity }: Caller, unseen: Unseen) => {
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

  const readFirst = ({ isKeyed, assetUuid, eventUuid }: EventCreation) =>
    isKeyed ? view.readEvent(tenantIdentity, assetUuid, eventUuid) : undefined;

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
  return async (group: readonly EventCreation[]): Promise<Step[]> => {
    const [states, firsts] = await Promise.all([readStates(group), Promise.all(group.map(readFirst))]);
    const steps: Step[] = [];
    const keyed = new Set<string>();
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

/** Passes the events of a group to the writer. Nothing is awaited in between, as server/acceptanceClock.ts requires. */
const createAppendGroup =
  (deps: ServerDeps, caller: Caller, unseen: Unseen) =>
  (group: readonly EventCreation[], steps: readonly Step[]): Pending[] => {
    const appended = new Map<string, Appended>();
    const append = ({ assetUuid, eventUuid }: EventCreation, proposed: ProposedEvent): Appended => {
      const record = toEventRecord(proposed, acceptNow(deps, caller));
      const one = { record, commitment: deps.writer.append(caller.tenantIdentity, record) };
      appended.set(eventUuid, one);
      unseen.add(assetUuid, proposed);
      return one;
    };
    // A key belongs to the first event that the writer accepts: when it refuses that one, this one is refused as well.
    const repeat = (creation: EventCreation): Pending => {
      const { record, commitment } = appended.get(creation.eventUuid)!;
      return {
        record,
        commitment: commitment.then((committed) => {
          assertSameEvent(record, creation);
          return committed;
        }),
      };
    };
    return group.map((creation, at) => {
      const step = steps[at]!;
      if ('proposed' in step) return append(creation, step.proposed);
      return 'again' in step ? repeat(creation) : step;
    });
  };

/** Records groups of events. */
export interface EventGroups {
  /**
   * Checks the events of a group and passes them to the writer, after the groups before it. Resolves then. Rejects when
   * the ledger can't be read.
   */
  accept(group: readonly EventCreation[]): Promise<AcceptedGroup>;
}

/** Records the events of one request. Operations that create the same events share `runExclusively`. */
export const createEventGroups = (deps: ServerDeps, caller: Caller, runExclusively: RunExclusively): EventGroups => {
  const { view, writer } = deps;
  const unseen = createUnseen();
  const checkGroup = createGroupChecks(deps, caller, unseen);
  const appendGroup = createAppendGroup(deps, caller, unseen);

  const readAppended = async ({ identity }: EventRecord): Promise<EventResource> => {
    const { assetUuid, eventUuid } = parseEventIdentity(identity)!;
    const event = await view.readEvent(caller.tenantIdentity, assetUuid, eventUuid);
    if (event === undefined) throw new Error(`${identity} was appended, but the view does not show it`);
    return event;
  };

  const toOutcome = async (pending: Pending): Promise<EventResource> => {
    if ('refusal' in pending) throw pending.refusal;
    if ('first' in pending) return pending.first;
    const { record, commitment } = pending;
    const committed = await commitment;
    return isAttach(record) ? readAppended(record) : toEventResource(record, caller.tenantIdentity, committed);
  };

  // Later requests with these keys must see the events, so they wait until the view shows them.
  const awaitShown = async (group: readonly EventCreation[], steps: readonly Step[]): Promise<void> => {
    await writer.flush();
    for (const [at, { assetUuid }] of group.entries()) if ('proposed' in steps[at]!) unseen.removeOldest(assetUuid);
  };

  const run = (group: readonly EventCreation[]): Promise<AcceptedGroup> => {
    const keyed = group.filter(({ isKeyed }) => isKeyed).map(toIdentity);
    return new Promise((resolve, reject) => {
      const task = async (): Promise<void> => {
        const steps = await checkGroup(group);
        resolve({ outcomes: Promise.allSettled(appendGroup(group, steps).map(toOutcome)) });
        await awaitShown(group, steps);
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
