// Returns the state of the chain's nodes. Two routes have this operation.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toNodeReportJson } from './nodeReport.ts';

export const getNode =
  ({ readNodeReport }: ServerDeps): Handler<'getNode'> =>
  async () => ({ status: 200, body: toNodeReportJson(await readNodeReport()) });
