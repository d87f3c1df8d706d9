import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { STREAM_LIMITS } from '../../../server/limits.ts';
import type { CallerIdentity } from '../../../server/openapi/handlers.ts';
import { createStreamSlots } from '../../../server/streams/streamSlots.ts';

const toCaller = (tenantIdentity: string, subject: string, issuer = 'https://issuer.example'): CallerIdentity =>
  ({ tenantIdentity, principal: { issuer, subject } }) as CallerIdentity;

const codeOf = (take: () => unknown): string | undefined => {
  try {
    take();
    return undefined;
  } catch (error) {
    return error instanceof LedgerError ? error.code : String(error);
  }
};

describe('slots of streams', () => {
  const createSlots = (limits = {}) =>
    createStreamSlots({ ...STREAM_LIMITS, perPrincipalMax: 2, perTenantMax: 3, max: 4, ...limits });

  it('are as many for a principal as it may have', () => {
    const { take } = createSlots();
    for (let count = 0; count < 2; count += 1) take(toCaller('tenants/1', 'ann'));
    expect(codeOf(() => take(toCaller('tenants/1', 'ann')))).to.equal('STREAM_LIMIT_REACHED');
    take(toCaller('tenants/1', 'ann', 'https://other.example'));
    take(toCaller('tenants/2', 'ann'));
  });

  it('are as many for a tenant as it may have', () => {
    const { take } = createSlots();
    for (const subject of ['ann', 'bob', 'cy']) take(toCaller('tenants/1', subject));
    expect(codeOf(() => take(toCaller('tenants/1', 'dan')))).to.equal('STREAM_LIMIT_REACHED');
    take(toCaller('tenants/2', 'dan'));
  });

  it('are as many for all as the server may have', () => {
    const { take } = createSlots();
    for (const tenant of [1, 2, 3, 4]) take(toCaller(`tenants/${tenant}`, 'ann'));
    expect(codeOf(() => take(toCaller('tenants/5', 'ann')))).to.equal('STREAMS_BUSY');
  });

  it('are free again when they are returned, each once', () => {
    const { take } = createSlots({ perPrincipalMax: 1, max: 2 });
    const ann = toCaller('tenants/1', 'ann');
    const release = take(ann);
    take(toCaller('tenants/1', 'bob'));
    for (let count = 0; count < 3; count += 1) {
      expect(codeOf(() => take(ann))).to.equal('STREAM_LIMIT_REACHED');
      expect(codeOf(() => take(toCaller('tenants/2', 'cy')))).to.equal('STREAMS_BUSY');
      if (count === 0) release();
      if (count === 0) take(ann);
    }
  });
});
