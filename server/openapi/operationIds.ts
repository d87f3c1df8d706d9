// The ids of the document's operations, by whether they require a token.
import type { operations } from './api.gen.ts';

/** The `operationId` of an operation of the document. */
export type OperationId = keyof operations;
/** Operations that answer without a token (`security: []`); all others have a caller. */
export const OPEN_OPERATIONS = [
  'getPublicAssetAttachment',
  'getPublicAssetAttachmentInfo',
  'getPublicEventAttachment',
  'getPublicEventAttachmentInfo',
  'getLegacyPublicAssetAttachment',
  'getLegacyPublicAssetAttachmentInfo',
  'getLegacyPublicEventAttachment',
  'getLegacyPublicEventAttachmentInfo',
  'issueToken',
  'getJwks',
  'getPublicAsset',
  'listPublicEvents',
  'getPublicEvent',
  'getPublicAssetEvidence',
  'getTenantPublicInfo',
] as const satisfies readonly OperationId[];
export type OpenOperationId = (typeof OPEN_OPERATIONS)[number];
/** Operations that answer with or without a token; only a request with a token has a caller. */
export const OPTIONAL_OPERATIONS = ['listBlobs'] as const satisfies readonly OperationId[];
export type OptionalOperationId = (typeof OPTIONAL_OPERATIONS)[number];
