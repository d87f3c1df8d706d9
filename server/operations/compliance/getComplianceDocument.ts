// The OpenAPI 2.0 description of the compliance operations, under the prefix that the request came in on.
import type { ApiDocument } from '../../openapi/document.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toComplianceDocument } from '../../openapi/openapiTwo.ts';

export const getComplianceDocument = (document: ApiDocument): Handler<'getComplianceDocument'> => {
  const described = toComplianceDocument(document);
  return async ({ prefix }) => ({ status: 200, body: { ...described, basePath: prefix } });
};
