// Records the events of a body of lines, and answers each line, in order, while further lines arrive.
import { LedgerError } from '../../../ledger/errors.ts';
import { toUuid } from '../../../ledger/identity.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import type { RunExclusively } from '../../fairness/exclusive.ts';
import { createTurns, type RunInTurn } from '../../fairness/turns.ts';
import { isReported, toProblemAnswer } from '../../http/problems.ts';
import type { Line, LineGroups } from '../../lines/lineBody.ts';
import { toLineRefusal } from '../../lines/lineRefusal.ts';
import { mapInOrder } from '../../lines/mapInOrder.ts';
import type { Caller, Handler, HandlerRequest } from '../../openapi/handlers.ts';
import {
  createEventGroups,
  type EventCreation,
  type EventGroups,
  type EventOutcome,
} from '../../records/eventGroups.ts';
import { toEventCollection, toKeyedUuid } from '../../records/idempotency.ts';

type Request = HandlerRequest<'createEvents'>;
type NewEventLine = Request['body']['groups'] extends LineGroups<infer Value> ? Value : never;
type Group = readonly Line<NewEventLine>[];

/**
 * Groups of one request that are being recorded or wait for the client to read their answers. A group ends with the
 * bytes that have arrived, so most have fewer lines than they may, and together they should fill several batches.
 */
const GROUPS_MAX = 20;
/** Lines of one tenant that are being recorded: some batches of the chain. */
const TENANT_LINES_MAX = 2_000;

/** Writes the answer to one line. */
type Answer = (line: number, outcome: EventOutcome) => string;

const createAnswer = ({ onUnexpectedError }: ServerDeps, { fields }: Request['query']): Answer => {
  const toMembers = (event: EventResource): object => {
    if (fields !== 'identity') return { event };
    const { identity, confirmation_status, failure_reason } = event;
    return { identity, confirmation_status, failure_reason };
  };
  return (line, outcome) => {
    if (outcome.status === 'fulfilled')
      return `${JSON.stringify({ line, status: 200, ...toMembers(outcome.value) })}\n`;
    if (isReported(outcome.reason)) onUnexpectedError(outcome.reason);
    const { status, problem } = toProblemAnswer(outcome.reason);
    return `${JSON.stringify({ line, status, error: problem })}\n`;
  };
};

const refuse = (reason: unknown): EventOutcome => ({ status: 'rejected', reason });

const toLineOutcome = (outcome: EventOutcome): EventOutcome =>
  outcome.status === 'rejected' && outcome.reason instanceof LedgerError
    ? refuse(toLineRefusal(outcome.reason))
    : outcome;

const toCreation = ({ newUuid }: ServerDeps, caller: Caller, body: NewEventLine): EventCreation => {
  const { asset_identity: assetIdentity, idempotency_key: key } = body;
  const assetUuid = toUuid(assetIdentity).toLowerCase();
  const eventUuid = key === undefined ? newUuid() : toKeyedUuid(caller, toEventCollection(assetUuid), key);
  return { body, assetUuid, eventUuid, isKeyed: key !== undefined };
};

/** Records the lines of a group that have a value; an outcome for each line, in order. */
const recordLines = async (
  deps: ServerDeps,
  caller: Caller,
  groups: EventGroups,
  lines: Group,
): Promise<EventOutcome[]> => {
  const creations = lines.flatMap((line) => ('value' in line ? [toCreation(deps, caller, line.value)] : []));
  const { outcomes } = await groups.accept(creations);
  const recorded = (await outcomes).map(toLineOutcome).values();
  return lines.map((line) => ('value' in line ? recorded.next().value! : refuse(line.refusal)));
};

// The caller's rights may end while lines arrive.
async function* whileAuthorized(groups: LineGroups<NewEventLine>, caller: Caller): AsyncGenerator<Group> {
  for await (const group of groups) {
    await caller.reauthorize();
    yield group;
  }
}

/** Returns the function that records a group and writes its answers. It never rejects. */
const createRecordGroup = (
  deps: ServerDeps,
  runLines: RunInTurn,
  { caller, closed }: Request,
  answer: Answer,
  run: RunExclusively,
) => {
  const groups = createEventGroups(deps, caller, run);
  return async (lines: Group): Promise<string> => {
    try {
      const record = () => recordLines(deps, caller, groups, lines);
      const outcomes = await runLines(caller.tenantIdentity, record, { cost: lines.length, signal: closed });
      return outcomes.map((outcome, at) => answer(lines[at]!.number, outcome)).join('');
    } catch (error) {
      return lines.map(({ number }) => answer(number, refuse(error))).join('');
    }
  };
};

export const createEvents = (deps: ServerDeps, runExclusively: RunExclusively): Handler<'createEvents'> => {
  // Tenants don't wait for each other here: their records take turns where they wait for the chain.
  const runLines = createTurns({ max: Number.POSITIVE_INFINITY, ofPartyMax: TENANT_LINES_MAX });

  async function* answerLines(request: Request): AsyncGenerator<string> {
    const answer = createAnswer(deps, request.query);
    const record = createRecordGroup(deps, runLines, request, answer, runExclusively);
    let next = 1;
    const recordNext = (lines: Group): Promise<string> => {
      next = lines.at(-1)!.number + 1;
      return record(lines);
    };
    try {
      yield* mapInOrder(whileAuthorized(request.body.groups, request.caller), GROUPS_MAX, recordNext);
    } catch (error) {
      yield answer(next, refuse(error));
    }
  }

  return async (request) => ({ status: 200, lines: answerLines(request) });
};
