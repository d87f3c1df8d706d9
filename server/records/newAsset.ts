// Converts a client's request to the event that creates an asset (decisions 15 and 17). Pure, like newEvent.ts.
import { DEFAULT_BEHAVIOURS, toAssetBehaviours } from '../../ledger/assets/behaviours.ts';
import type { AssetSettings, EventRecord } from '../../ledger/records/event.ts';
import type { HandlerRequest } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';

/** What a client sends to create an asset. */
export type NewAsset = HandlerRequest<'createAsset'>['body'];

/**
 * What is fixed when an asset is created.
 * @throws LedgerError BEHAVIOUR_UNKNOWN that names the item.
 */
export const toAssetSettings = (intent: NewAsset): AssetSettings => ({
  behaviours: toAssetBehaviours(intent.behaviours ?? DEFAULT_BEHAVIOURS),
  proof_mechanism: intent.proof_mechanism ?? 'KHIPU',
  public: intent.public ?? false,
});

/**
 * The record of the event that creates an asset.
 * @throws LedgerError BEHAVIOUR_UNKNOWN that names the item.
 */
export const toCreationRecord = (intent: NewAsset, identity: string, acceptance: Acceptance): EventRecord => ({
  type: 'event',
  identity,
  behaviour: 'AssetCreator',
  operation: 'NewAsset',
  event_attributes: {},
  asset_attributes: intent.attributes ?? {},
  asset_settings: toAssetSettings(intent),
  timestamp_accepted: acceptance.atTimestamp,
  timestamp_declared: acceptance.atTimestamp,
  principal_accepted: acceptance.principal,
  principal_declared: acceptance.principal,
});
