// A first start that was interrupted again and again ends with a ledger that works.
import { createTenant } from '../../../host/tenants.ts';
import { callAs } from '../clients/request.ts';
import type { Violation } from '../plan/plan.ts';
import type { OpenServer } from '../server/serverProcess.ts';

const CHECK = 'a first start leads to a ledger';

/** Creates a tenant and an asset on a new ledger. */
export const checkFirstStart = async ({ ledger, handlers }: OpenServer): Promise<Violation[]> => {
  const { identity } = await createTenant(ledger, { name: 'first' }, Date.now());
  const body = { attributes: { label: 'first' } };
  const { confirmation_status: status } = await callAs(identity, handlers.createAsset, { body });
  return status === 'CONFIRMED' ? [] : [{ check: CHECK, text: `its first asset is ${status}` }];
};
