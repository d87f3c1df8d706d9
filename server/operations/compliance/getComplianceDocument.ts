// Returns the OpenAPI 2.0 description of the compliance operations, under the prefix of the request's path.
import type { Handler } from '../../openapi/handlers.ts';
import type { ComplianceDocument } from '../../openapi/readComplianceDocument.ts';

export const getComplianceDocument =
  (document: ComplianceDocument): Handler<'getComplianceDocument'> =>
  async ({ prefix }) => ({ status: 200, body: { ...document, basePath: prefix } });
