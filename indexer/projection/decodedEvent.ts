// What the projection uses of an event, as far as it depends on the event's log alone.
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import { type AssetSettings, type EventRecord, isCreation } from '../../ledger/records/event.ts';
import { packEvent } from '../rows/policyPages.ts';
import { toPackedEvent, toTextHash } from './packedEvent.ts';
import { ownEventTerms } from './terms.ts';

/** How an event changes its asset. */
export interface AssetEffect {
  readonly asset_attributes: Attributes;
  /** Empty where they don't determine how the event changes its asset. */
  readonly event_attributes: Attributes;
  /** Identities of the blobs that the event attaches. */
  readonly attached: readonly string[];
  /** The asset's identity and settings, if the event creates it. */
  readonly creation: { readonly identity: string; readonly settings: AssetSettings } | undefined;
}

/** An event for its policy page. */
export interface PolicyPageEvent {
  readonly displayType: string;
  /** The event as the page has it. */
  readonly packed: Uint8Array;
}

/** An event for the projection. */
export interface DecodedEvent {
  readonly type: 'event';
  readonly behaviour: string;
  readonly operation: string;
  readonly acceptedMs: number;
  readonly declaredMs: number;
  readonly effect: AssetEffect;
  /** Undefined if policies ignore the event. */
  readonly policyEvent: PolicyPageEvent | undefined;
  /** The terms that depend on no other record. */
  readonly terms: readonly string[];
}

/** The effect of an event that sets no attributes of its asset. */
export const NO_EFFECT: AssetEffect = { asset_attributes: {}, event_attributes: {}, attached: [], creation: undefined };

const isEmpty = (attributes: Attributes): boolean => {
  for (const _ in attributes) return false;
  return true;
};

const toEffect = (record: EventRecord, identity: string): AssetEffect => {
  const { behaviour, event_attributes, asset_attributes } = record;
  const attached = [...new Set([...attachedBlobs(event_attributes), ...attachedBlobs(asset_attributes)])];
  const isUsed = behaviour === 'Builtin' || behaviour === 'Attachments';
  const creates = isCreation(record);
  if (!isUsed && !creates && attached.length === 0 && isEmpty(asset_attributes)) return NO_EFFECT;
  return {
    asset_attributes,
    event_attributes: isUsed ? event_attributes : NO_EFFECT.event_attributes,
    attached,
    creation: creates ? { identity, settings: record.asset_settings as AssetSettings } : undefined,
  };
};

const toPolicyEvent = (
  record: EventRecord,
  { acceptedMs, declaredMs }: Pick<DecodedEvent, 'acceptedMs' | 'declaredMs'>,
): PolicyPageEvent | undefined => {
  const event = toPackedEvent(record, acceptedMs, declaredMs);
  return event && { displayType: event.displayType, packed: packEvent(event, toTextHash) };
};

/** What the projection uses of an event. `identity`: that of its asset. */
export const decodeEvent = (
  record: EventRecord,
  log: { readonly author: Hex; readonly transactionHash: Hex },
  identity: string,
): DecodedEvent => {
  const acceptedMs = Date.parse(record.timestamp_accepted);
  const declaredMs = Date.parse(record.timestamp_declared);
  return {
    type: 'event',
    behaviour: record.behaviour,
    operation: record.operation,
    acceptedMs,
    declaredMs,
    effect: toEffect(record, identity),
    policyEvent: toPolicyEvent(record, { acceptedMs, declaredMs }),
    terms: ownEventTerms(record, toChecksumAddress(log.author), log.transactionHash),
  };
};
