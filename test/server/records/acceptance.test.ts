// A record is accepted when it is passed to the writer, whatever its request waited for before. Otherwise a read at a
// past time would give an answer that a later one contradicts.
import { expect } from 'chai';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { writeEveryType } from '../support/everyType.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { aSubject } from '../support/requests.ts';
import { useNewServer } from '../support/useServer.ts';

describe('the acceptance of records', () => {
  const server = useNewServer();

  /** Lets a millisecond pass while each of these calls takes place. */
  const takeTime = (calls: object): void => {
    for (const [name, call] of Object.entries(calls)) {
      if (typeof call !== 'function') continue;
      const calledWithTime = (...args: unknown[]) => {
        server.clock.atMs += 1;
        return call(...args);
      };
      Object.assign(calls, { [name]: calledWithTime });
    }
  };

  it('is the last thing before the writer has them, in requests of every kind', async () => {
    takeTime(server.deps.view);
    const { keep } = server.deps.blobs;
    const keepLonger: typeof keep = (tenantIdentity, staged, append) =>
      keep(tenantIdentity, staged, () => {
        server.clock.atMs += 1;
        return append();
      });
    Object.assign(server.deps.blobs, { keep: keepLonger });
    const early: string[] = [];
    server.ledger.beforeBegin = ({ identity, timestamp_accepted }) => {
      if (timestamp_accepted !== toTimestamp(server.clock.atMs)) early.push(identity);
    };
    await writeEveryType(server);
    expect(early).to.eql([]);
    expect(server.unexpected).to.eql([]);
  });

  it('leaves what a read at a past time said while a creation waited', async () => {
    const waits = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { readTenantKeysOfSubject } = server.deps.view;
    const readLate: typeof readTenantKeysOfSubject = async (subject) => {
      arrived.resolve();
      await waits.promise;
      return readTenantKeysOfSubject(subject);
    };
    Object.assign(server.deps.view, { readTenantKeysOfSubject: readLate });
    const as = server.tenant.administrator;
    const creating = server.request('POST', '/svc/iam/v1/subjects', { as, json: aSubject() });
    await arrived.promise;
    server.clock.atMs += 1_000;
    const at = toTimestamp(server.clock.atMs);
    server.clock.atMs += 1_000;
    waits.resolve();
    const { body } = await creating;
    Object.assign(server.deps.view, { readTenantKeysOfSubject });
    server.clock.atMs += 1_000;
    const readAt = (time: string) =>
      server.request('GET', `/svc/iam/v1/${body.identity}?at_time=${time}`, { as: server.tenant.administrator });
    expectProblem(await readAt(at), 404, 'SUBJECT_NOT_FOUND');
    expect((await readAt(toTimestamp(server.clock.atMs - 1_000))).status).to.equal(200);
  });
});
