// Returns how many more records of a kind the tenant may create: of the kind in the query, or of the one in the path.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { type CappedKind, readCap } from '../../records/caps.ts';

export const getCaps =
  (deps: ServerDeps): Handler<'getCaps'> =>
  async ({ caller, query }) => ({
    status: 200,
    body: { caps: [await readCap(deps, caller.tenantIdentity, query.service)] },
  });

/** The handler of `:caps` of one kind. */
export const getCapsOf =
  (deps: ServerDeps, kind: CappedKind): Handler<'getPolicyCaps'> =>
  async ({ caller }) => ({ status: 200, body: { caps: [await readCap(deps, caller.tenantIdentity, kind)] } });
