// Makes requests that this ledger accepts of what it would refuse: what a record needs and was left behind stays as
// text, so that neither the record nor those after it are lost.
import { assertBehaviour, assertEventAllowed, DEFAULT_BEHAVIOURS } from '../../ledger/assets/behaviours.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { type Attributes, isAttributes } from '../../ledger/records/attributes.ts';
import { isAttach } from '../../ledger/records/event.ts';
import type { ImportedAssetRequest, ImportedEventRequest } from './importRequests.ts';
import type { References } from './references.ts';
import type { AssetNeeds } from './sourceItems.ts';

/** The behaviours that an asset has after the events so far. */
interface Tracked {
  behaviours: readonly string[];
}

const HOME = 'arc_home_location_identity';
const APPENDED = 'arc_append_attachments';
const ATTACHED = 'arc_attachments';
const BEHAVIOUR_NAME = 'arc_behaviour_name';
const EVIDENCE = 'RecordEvidence';
/** Attributes that keep as text the behaviours of an asset, and the operation, attachments and location of an event. */
const LEFT_BEHAVIOURS = 'imported_behaviours';
const LEFT_OPERATION = 'imported_operation';
const LEFT_ATTACHMENTS = 'imported_append_attachments';
const LEFT_HOME = 'imported_home_location_identity';

const isAccepted = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof LedgerError) return false;
    throw error;
  }
};

const isKnown = (behaviour: string): boolean => isAccepted(() => assertBehaviour(behaviour, 'behaviours'));

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Events of the ancestor don't say which behaviours their asset has: those that it is listed with, and theirs. */
const toBehaviours = ({ behaviours }: ImportedAssetRequest, needs: AssetNeeds): readonly string[] =>
  isTexts(behaviours) ? behaviours : [...new Set([...(needs.listed ?? DEFAULT_BEHAVIOURS), ...needs.behaviours])];

const withLeft = (request: ImportedAssetRequest, behaviours: readonly string[]): ImportedAssetRequest => {
  const left = behaviours.filter((name) => !isKnown(name));
  const attributes = left.length === 0 ? {} : { [LEFT_BEHAVIOURS]: left.join(', ') };
  return { ...request, behaviours: behaviours.filter(isKnown), attributes: { ...attributes, ...request.attributes } };
};

const toBehaviourLine = (request: ImportedEventRequest, operation: 'Add' | 'Remove'): ImportedEventRequest => ({
  ...request,
  idempotency_key: `${request.idempotency_key}:${operation}`,
  behaviour: 'Builtin',
  operation,
  event_attributes: { [BEHAVIOUR_NAME]: EVIDENCE },
  asset_attributes: {},
});

const toEvidence = (request: ImportedEventRequest): ImportedEventRequest => ({
  ...request,
  behaviour: EVIDENCE,
  operation: 'Record',
  event_attributes: { ...request.event_attributes, [LEFT_OPERATION]: `${request.behaviour}/${request.operation}` },
});

const follow = (asset: Tracked, { behaviour, operation, event_attributes }: ImportedEventRequest): void => {
  const name = event_attributes[BEHAVIOUR_NAME];
  if (behaviour !== 'Builtin' || typeof name !== 'string') return;
  const others = asset.behaviours.filter((listed) => listed !== name);
  if (operation === 'Add') asset.behaviours = [...others, name];
  if (operation === 'Remove') asset.behaviours = others;
};

// An event that can't be what it was is recorded as evidence, whatever its asset supports at that time.
const toLines = (request: ImportedEventRequest, asset: Tracked): ImportedEventRequest[] => {
  if (isAccepted(() => assertEventAllowed(asset.behaviours, request))) {
    follow(asset, request);
    return [request];
  }
  const evidence = toEvidence(request);
  if (asset.behaviours.includes(EVIDENCE)) return [evidence];
  return [toBehaviourLine(request, 'Add'), evidence, toBehaviourLine(request, 'Remove')];
};

const isReadable = ({ behaviour, operation, event_attributes, asset_attributes }: ImportedEventRequest): boolean =>
  typeof behaviour === 'string' &&
  typeof operation === 'string' &&
  isAttributes(event_attributes) &&
  isAttributes(asset_attributes);

/** What makes the requests of an import acceptable. What isn't readable stays as it is, and the server refuses it. */
export const createRecordable = ({ find, toHere }: References) => {
  const isHome = async (home: Attributes[string]): Promise<boolean> =>
    home === '' || (typeof home === 'string' && (await find(home, {})) !== undefined);

  // With an empty text the asset is no longer at the location before.
  const withoutLeftHome = async (attributes: Attributes, isEvent: boolean): Promise<Attributes> => {
    const home = Object.hasOwn(attributes, HOME) ? attributes[HOME]! : '';
    if (await isHome(home)) return attributes;
    const { [HOME]: _, ...others } = attributes;
    return { ...others, ...(isEvent ? { [HOME]: '' } : {}), [LEFT_HOME]: home };
  };

  const splitAttachments = async (attributes: Attributes): Promise<Attributes> => {
    const { [APPENDED]: items, ...others } = attributes;
    if (!Array.isArray(items)) return attributes;
    const kept: Record<string, string>[] = [];
    const left: Record<string, string>[] = [];
    for (const item of items as Record<string, string>[]) {
      const isHere = (await find(item.arc_attachment_identity ?? '', item)) !== undefined;
      (isHere ? kept : left).push(item);
    }
    const appended = kept.length === 0 ? {} : { [APPENDED]: kept };
    return { ...others, ...appended, ...(left.length === 0 ? {} : { [LEFT_ATTACHMENTS]: left }) };
  };

  return {
    /** The request that creates an asset. `isListed`: its attributes are those that it has now. */
    toAsset: async (
      request: ImportedAssetRequest,
      needs: AssetNeeds,
      isListed: boolean,
    ): Promise<ImportedAssetRequest> => {
      const completed = withLeft(request, toBehaviours(request, needs));
      if (!isAttributes(request.attributes)) return completed;
      const { [ATTACHED]: _, ...unattached } = completed.attributes;
      const attributes = isListed && needs.isAttached ? unattached : completed.attributes;
      return { ...completed, attributes: await toHere(await withoutLeftHome(attributes, false)) };
    },
    /** The lines that record an event, in their order. */
    toEvents: async (request: ImportedEventRequest, asset: Tracked): Promise<readonly ImportedEventRequest[]> => {
      if (!isReadable(request)) return [request];
      const { event_attributes: own } = request;
      const prepared = {
        ...request,
        event_attributes: await toHere(isAttach(request) ? await splitAttachments(own) : own),
        asset_attributes: await toHere(await withoutLeftHome(request.asset_attributes, true)),
      };
      return toLines(prepared, asset);
    },
  };
};

export type Recordable = ReturnType<typeof createRecordable>;
