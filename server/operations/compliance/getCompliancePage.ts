// Returns the page that shows the OpenAPI 2.0 description of the compliance operations.
import { COMPLIANCE_PAGE } from '../../openapi/docs.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getCompliancePage = (): Handler<'getCompliancePage'> => async () => ({
  status: 200,
  page: COMPLIANCE_PAGE,
});
