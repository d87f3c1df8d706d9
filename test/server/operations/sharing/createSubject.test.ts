import { expect } from 'chai';
import { toWalletAddress } from '../../../../ledger/records/subject.ts';
import { WALLET_KEY } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aSubject } from '../../support/requests.ts';
import { createSubjectClient, type SubjectClient, WALLET_ADDRESS, walletKeyOf } from '../../support/subjectClient.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

describe('POST iam/v1/subjects', () => {
  const server = useNewServer();
  let client: SubjectClient;
  beforeEach(() => {
    client = createSubjectClient(server);
  });

  it('answers with all fields, the addresses with their checksums', async () => {
    const { status, body } = await client.create(aSubject());
    expect(status).to.equal(200);
    const { identity, ...rest } = body;
    expect(identity).to.match(/^subjects\/[0-9a-f-]{36}$/);
    expect(rest).to.eql({
      ...aSubject(),
      wallet_address: [WALLET_ADDRESS],
      tenant: server.tenant.identity,
      confirmation_status: 'CONFIRMED',
    });
    expect((await client.read(identity)).body).to.eql(body);
    expect(server.ledger.records[0]).to.deep.include({ type: 'subject', follows: '', is_deleted: false });
  });

  it('takes the same keys under other names, and several in one subject', async () => {
    const keys = [walletKeyOf(1), walletKeyOf(2).toUpperCase(), walletKeyOf(1)];
    const [one, other] = [await client.create(aSubject()), await client.create(aSubject({ display_name: 'again' }))];
    expect([one.status, other.status]).to.eql([200, 200]);
    expect(one.body.identity).not.to.equal(other.body.identity);
    const { status, body } = await client.create({ display_name: 'several', wallet_pub_key: keys });
    expect([status, body.wallet_pub_key, body.tessera_pub_key]).to.eql([200, keys, []]);
    expect(body.wallet_address.map((address: string) => address.toLowerCase())).to.eql(
      keys.map((key) => toWalletAddress(key)),
    );
  });

  it('ignores the members of a response, and takes null as absent', async () => {
    const { body } = await client.create(aSubject());
    const { status, body: again } = await client.create({ ...body, tessera_pub_key: null });
    expect([status, again]).to.eql([200, { ...body, identity: again.identity, tessera_pub_key: [] }]);
  });

  it('is PENDING until the chain has the record', async () => {
    server.ledger.isChainAway = true;
    const { body } = await client.create(aSubject());
    expect(body.confirmation_status).to.equal('PENDING');
    expect((await client.read(body.identity)).body).to.eql(body);
    expect((await client.list()).body.subjects).to.eql([body]);
  });

  it('refuses keys that are no points, by their places, and writes nothing', async () => {
    const wrong = `${WALLET_KEY.slice(0, -1)}d`;
    expectProblem(
      await client.create(aSubject({ wallet_pub_key: [WALLET_KEY, wrong] })),
      400,
      'WALLET_KEY_INVALID',
      'wallet_pub_key/1',
    );
    const { body } = await client.create(aSubject({ wallet_pub_key: ['', 'x'] }));
    expect(body.details.map(({ field }: { field: string }) => field)).to.eql(['wallet_pub_key/0', 'wallet_pub_key/1']);
    expect(server.ledger.records).to.eql([]);
  });

  it('refuses addresses that are not those of the keys, and ignores them in a change', async () => {
    const other = toWalletAddress(walletKeyOf(1));
    const headers = { 'idempotency-key': 'one' };
    const { body } = await client.create(aSubject({ wallet_address: [WALLET_ADDRESS.toLowerCase()] }), { headers });
    expect(body.wallet_address).to.eql([WALLET_ADDRESS]);
    for (const wallet_address of [[], null])
      expect((await client.create(aSubject({ wallet_address }), { headers })).body).to.eql(body);
    for (const options of [{}, { headers }])
      expectProblem(
        await client.create({ ...body, wallet_address: [other] }, options),
        400,
        'REQUEST_INVALID',
        'wallet_address/0',
      );
    for (const wallet_address of [WALLET_ADDRESS, [WALLET_ADDRESS, other]])
      expectProblem(await client.create(aSubject({ wallet_address })), 400, 'REQUEST_INVALID', 'wallet_address');
    expect(server.ledger.records).to.have.length(1);
    const changed = await client.patch(body.identity, { ...body, wallet_pub_key: [walletKeyOf(1)] });
    expect([changed.status, changed.body.wallet_address[0].toLowerCase()]).to.eql([200, other]);
  });

  it('refuses what is missing, too long or unknown', async () => {
    const many = (count: number, text: string) => Array.from({ length: count }, () => text);
    const refusals: [Record<string, unknown>, string][] = [
      [{ display_name: undefined }, 'display_name'],
      [{ display_name: null }, 'display_name'],
      [{ display_name: '' }, 'display_name'],
      [{ display_name: 'x'.repeat(129) }, 'display_name'],
      [{ wallet_pub_key: undefined }, 'wallet_pub_key'],
      [{ wallet_pub_key: [] }, 'wallet_pub_key'],
      [{ wallet_pub_key: WALLET_KEY }, 'wallet_pub_key'],
      [{ wallet_pub_key: many(17, WALLET_KEY) }, 'wallet_pub_key'],
      [{ wallet_pub_key: ['0'.repeat(257)] }, 'wallet_pub_key/0'],
      [{ tessera_pub_key: many(17, 'k') }, 'tessera_pub_key'],
      [{ tessera_pub_key: ['k'.repeat(257)] }, 'tessera_pub_key/0'],
      [{ tessera_pub_key: [7] }, 'tessera_pub_key/0'],
      [{ note: 'x' }, 'note'],
    ];
    for (const [changes, field] of refusals)
      expectProblem(await client.create(aSubject(changes)), 400, 'REQUEST_INVALID', field);
    expect(server.ledger.records).to.eql([]);
    const largest = {
      display_name: '😀'.repeat(128),
      wallet_pub_key: many(16, WALLET_KEY),
      tessera_pub_key: many(16, 'k'.repeat(256)),
    };
    expect((await client.create(largest)).status).to.equal(200);
  });

  it('refuses keys of more than one tenant with 409, also in a change, and writes nothing', async () => {
    await client.write(server.tenant.identity, 1, 1);
    await client.write(server.otherTenant.identity, 2, 2);
    const both = { wallet_pub_key: [walletKeyOf(1), walletKeyOf(2)] };
    expectProblem(await client.create(aSubject(both)), 409, 'SUBJECT_AMBIGUOUS', 'wallet_pub_key');
    const { body } = await client.create(aSubject({ wallet_pub_key: [walletKeyOf(2), walletKeyOf(3)] }));
    expectProblem(await client.patch(body.identity, both), 409, 'SUBJECT_AMBIGUOUS', 'wallet_pub_key');
    expect((await client.read(body.identity)).body).to.eql(body);
    // The wallet writes a record of a second tenant: the subject can still be named otherwise, and repaired.
    await client.write(server.tenant.identity, 3, 3);
    const named = await client.patch(body.identity, { display_name: 'ambiguous' });
    expect([named.status, named.body.display_name]).to.eql([200, 'ambiguous']);
    expect((await client.patch(body.identity, { wallet_pub_key: [walletKeyOf(2)] })).status).to.equal(200);
  });

  it('is ambiguous from the moment when its keys lead to several tenants, until they are replaced', async () => {
    const { body } = await client.create(aSubject({ wallet_pub_key: [walletKeyOf(2), walletKeyOf(3)] }));
    await client.write(server.otherTenant.identity, 2, 2);
    expect((await client.read(body.identity)).body).to.eql(body);
    const { atMs } = server.clock;
    server.clock.atMs += 1_000;
    await client.write(server.tenant.identity, 3, 3);
    const ambiguous = (await client.read(body.identity)).body;
    expect(ambiguous).to.eql({ ...body, ambiguous: true });
    expect((await client.list()).body.subjects).to.eql([body]);
    expect((await client.read(`${body.identity}?at_time=${new Date(atMs).toISOString()}`)).body).to.eql(body);
    const repaired = await client.patch(body.identity, { ...ambiguous, wallet_pub_key: [walletKeyOf(2)] });
    expect(repaired.status).to.equal(200);
    expect((await client.read(body.identity)).body)
      .to.eql(repaired.body)
      .and.not.have.property('ambiguous');
  });

  it('creates one subject per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one' };
    const answers = await Promise.all([1, 2, 3].map(() => client.create(aSubject(), { headers })));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    expectProblem(await client.create(aSubject({ display_name: 'other' }), { headers }), 409, 'IDEMPOTENCY_CONFLICT');
    await client.patch(answers[0]!.body.identity, { display_name: 'changed' });
    expect((await client.create(aSubject(), { headers })).body).to.eql(answers[0]!.body);
    await client.remove(answers[0]!.body.identity);
    expect((await client.create(aSubject(), { headers })).body).to.eql(answers[0]!.body);
    expect((await client.list()).names).to.eql([]);
  });

  it('refuses more subjects than the tenant may have with 402, also at once', async () => {
    const answers = await Promise.all(Array.from({ length: LIMITS.subjectsMax + 3 }, () => client.create(aSubject())));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).to.have.length(3);
    for (const answer of refused) expectProblem(answer, 402, 'SUBJECT_QUOTA_REACHED');
    await client.remove(answers.find(({ status }) => status === 200)!.body.identity);
    expect((await client.create(aSubject())).status).to.equal(200);
    expect((await client.create(aSubject(), { as: server.otherTenant.administrator })).status).to.equal(200);
  });
});
