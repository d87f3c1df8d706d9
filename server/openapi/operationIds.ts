// The operations of the document by who may call them.
import type { operations } from './api.gen.ts';

export type OperationId = keyof operations;
/** Operations that the document opens to everybody (`security: []`); all others have a caller. */
export const OPEN_OPERATIONS = [
  'getPublicAssetAttachment',
  'getPublicAssetAttachmentInfo',
  'getPublicEventAttachment',
  'getPublicEventAttachmentInfo',
  'issueToken',
  'getJwks',
  'getPublicAsset',
  'listPublicEvents',
  'getPublicEvent',
  'getTenantPublicInfo',
] as const satisfies readonly OperationId[];
export type OpenOperationId = (typeof OPEN_OPERATIONS)[number];
/** Operations that have a caller where the request has a token, and nobody where it has none. */
export const OPTIONAL_OPERATIONS = ['listBlobs'] as const satisfies readonly OperationId[];
export type OptionalOperationId = (typeof OPTIONAL_OPERATIONS)[number];
