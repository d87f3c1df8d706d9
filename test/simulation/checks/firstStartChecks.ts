// A first start that was interrupted again and again ends with a ledger that works.
import { createTenant } from '../../../host/tenants.ts';
import { toUuid } from '../../../ledger/identity.ts';
import { wait } from '../clients/exchange.ts';
import type { CreatedBody } from '../clients/history.ts';
import { callAs } from '../clients/request.ts';
import type { Violation } from '../plan/plan.ts';
import type { OpenServer } from '../server/serverProcess.ts';

const CHECK = 'a first start leads to a ledger';
const POLL_MS = 100;

/** Creates a tenant and an asset on a new ledger, and waits until the asset is committed. */
export const checkFirstStart = async ({ ledger, handlers }: OpenServer): Promise<Violation[]> => {
  const { identity } = await createTenant(ledger, { name: 'first' }, Date.now());
  const body = { attributes: { label: 'first' } };
  let asset = await callAs<CreatedBody>(identity, handlers.createAsset, { body });
  // It is answered before it is committed if that takes longer than the server waits.
  while (asset.confirmation_status === 'PENDING') {
    await wait(POLL_MS);
    asset = await callAs(identity, handlers.getAsset, { params: { uuid: toUuid(asset.identity) } });
  }
  const { confirmation_status: status } = asset;
  return status === 'CONFIRMED' ? [] : [{ check: CHECK, text: `its first asset is ${status}` }];
};
