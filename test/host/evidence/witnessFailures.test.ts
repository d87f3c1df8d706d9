// What is said of a witness that gives no cosignature: that it refuses, or that it isn't reached.
import { expect } from 'chai';
import type { WitnessClient } from '../../../chain/blockLog/witnessClient.ts';
import { startCosigning } from '../../../host/evidence/cosigning.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { until } from '../../support/until.ts';

describe('a witness without a cosignature', () => {
  const causesOf = async (cause: unknown): Promise<unknown[]> => {
    const causes: unknown[] = [];
    const client = {
      key: { name: 'witness.example' },
      cosign: () => Promise.reject(cause),
    } as unknown as WitnessClient;
    const cosigning = startCosigning({
      witnesses: [client],
      quorum: 1,
      publish: async () => undefined,
      onProblem: (_: string, reason?: unknown) => causes.push(reason),
      timeoutMs: 10_000,
    } as unknown as Parameters<typeof startCosigning>[0]);
    void cosigning.cosign({ size: 1, note: '' } as never);
    await until(() => causes.length > 0);
    await cosigning.stop();
    return causes;
  };

  it('refuses, when it answered so, which is passed on', async () => {
    const refusal = new LedgerError('CHAIN_UNAVAILABLE', { message: 'refused' });
    expect(await causesOf(refusal)).to.eql([refusal]);
    const other = await causesOf(new TypeError('fetch failed'));
    expect(other).to.have.length(1);
    expect(other[0]).to.be.an('error').and.not.be.instanceOf(TypeError);
  });
});
