import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { type SubjectRecord, toWalletAddress } from '../../../../ledger/records/subject.ts';
import { WALLET_KEY } from '../../../support/records.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aSubject, createASubject } from '../../support/requests.ts';
import { createSubjectClient, type SubjectClient, WALLET_ADDRESS, walletKeyOf } from '../../support/subjectClient.ts';
import { useNewServer } from '../../support/useServer.ts';

const SUBJECTS = '/svc/iam/v1/subjects';
const SELF = 'subjects/00000000-0000-0000-0000-000000000000';
const NO_SUBJECT = 'subjects/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('subjects', () => {
  const server = useNewServer();
  let client: SubjectClient;
  beforeEach(() => {
    client = createSubjectClient(server);
  });

  describe('GET iam/v1/subjects', () => {
    it('lists the newest first, in pages, counted, without the own', async () => {
      for (let number = 1; number <= 7; number += 1) await client.create(aSubject({ display_name: `s${number}` }));
      const first = await client.list();
      expect([first.names, first.headers.get('x-total-count')]).to.eql([['s7', 's6', 's5', 's4', 's3'], '7']);
      const { names, body } = await client.list(`page_size=5&page_token=${first.body.next_page_token}`);
      expect([names, body.next_page_token]).to.eql([['s2', 's1'], '']);
      expectProblem(await client.read('subjects?page_token=x'), 400, 'PAGE_TOKEN_INVALID');
    });

    it('finds by name and by address, in any case', async () => {
      await client.create(aSubject({ display_name: 'a' }));
      await client.create(aSubject({ display_name: 'b', wallet_pub_key: [walletKeyOf(1), WALLET_KEY] }));
      await client.create(aSubject({ display_name: 'b', wallet_pub_key: [walletKeyOf(1)] }));
      expect((await client.list('display_name=b')).names).to.eql(['b', 'b']);
      for (const address of [
        WALLET_ADDRESS,
        WALLET_ADDRESS.toLowerCase(),
        `0x${WALLET_ADDRESS.slice(2).toUpperCase()}`,
      ])
        expect((await client.list(`wallet_address=${address}`)).names).to.eql(['b', 'a']);
      expect((await client.list(`wallet_address=${WALLET_ADDRESS}&display_name=a`)).names).to.eql(['a']);
      expect((await client.list(`wallet_address=0x${'0'.repeat(40)}`)).names).to.eql([]);
      for (const query of ['wallet_address=', `wallet_address=${WALLET_ADDRESS}0`, 'wallet_address=x', 'name=x'])
        expectProblem(await client.read(`subjects?${query}`), 400, 'REQUEST_INVALID');
    });

    it('finds a changed subject by its new keys alone', async () => {
      const { identity } = (await client.create(aSubject())).body;
      await client.patch(identity, { wallet_pub_key: [walletKeyOf(1)] });
      expect((await client.list(`wallet_address=${WALLET_ADDRESS}`)).names).to.eql([]);
      expect((await client.list(`wallet_address=${toWalletAddress(walletKeyOf(1))}`)).names).to.eql(['harbour office']);
    });
  });

  describe('PATCH iam/v1/subjects/{uuid}', () => {
    it('changes the fields that are given, and records nothing if nothing changes', async () => {
      const before = await createASubject(server);
      const { status, body } = await client.patch(before.identity, {
        display_name: 'B',
        tenant: 'x',
        wallet_pub_key: null,
      });
      expect([status, body]).to.eql([200, { ...before, display_name: 'B' }]);
      for (const json of [{}, { display_name: 'B' }, body])
        expect((await client.patch(before.identity, json)).body).to.eql(body);
      expect(server.ledger.records).to.have.length(2);
      expect((await client.read(before.identity)).body).to.eql(body);
    });

    it('changes the fields that `mask` names alone, and resets those that the body lacks', async () => {
      const before = await createASubject(server, aSubject({ tessera_pub_key: ['t'] }));
      const masked = (mask: string, json: object) => client.patch(`${before.identity}?mask=${mask}`, json);
      const renamed = await masked('display_name', { display_name: 'B', wallet_pub_key: ['04'], tessera_pub_key: [] });
      expect([renamed.status, renamed.body]).to.eql([200, { ...before, display_name: 'B' }]);
      const reset = await masked('tessera_pub_key,display_name', { display_name: 'C' });
      expect(reset.body).to.eql({ ...before, display_name: 'C', tessera_pub_key: [] });
      for (const name of ['display_name', 'wallet_pub_key'])
        expectProblem(await masked(name, { tessera_pub_key: [] }), 400, 'REQUEST_INVALID', name);
      expectProblem(
        await masked('display_name', { display_name: 'D', wallet_pub_key: 'x' }),
        400,
        'REQUEST_INVALID',
        'wallet_pub_key',
      );
      for (const mask of ['', 'wallet_address', 'display_name,', 'constructor'])
        expectProblem(await masked(mask, { display_name: 'D' }), 400, 'REQUEST_INVALID', 'mask');
      expect((await client.read(before.identity)).body).to.eql(reset.body);
    });

    it('loses no concurrent change', async () => {
      const { identity } = await createASubject(server);
      server.ledger.beforeAppend = async () => {
        for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      };
      const changes = [{ display_name: 'A' }, { wallet_pub_key: [walletKeyOf(1)] }, { tessera_pub_key: ['t'] }];
      const answers = await Promise.all(changes.map((json) => client.patch(identity, json)));
      expect(answers.map(({ status }) => status)).to.eql([200, 200, 200]);
      expect((await client.read(identity)).body).to.deep.include(Object.assign({}, ...changes));
      const versions = server.ledger.records as SubjectRecord[];
      expect(versions.map(({ follows }) => follows)).to.eql([
        '',
        ...versions.slice(0, -1).map((each) => each.identity),
      ]);
    });

    it('refuses invalid changes, and answers 404 for what is missing', async () => {
      const { identity } = await createASubject(server);
      expectProblem(
        await client.patch(identity, { wallet_pub_key: ['04'] }),
        400,
        'WALLET_KEY_INVALID',
        'wallet_pub_key/0',
      );
      expectProblem(await client.patch(identity, { wallet_pub_key: [] }), 400, 'REQUEST_INVALID', 'wallet_pub_key');
      expectProblem(await client.patch(identity, { display_name: '' }), 400, 'REQUEST_INVALID', 'display_name');
      expectProblem(await client.patch(NO_SUBJECT, {}), 404, 'SUBJECT_NOT_FOUND');
      expectProblem(await client.patch('subjects/x', {}), 400, 'IDENTITY_INVALID', 'uuid');
      expect(server.ledger.records).to.have.length(1);
    });
  });

  describe('DELETE iam/v1/subjects/{uuid}', () => {
    it('answers with an empty object, once, and the subject is gone', async () => {
      const { identity } = await createASubject(server);
      const answers = await Promise.all([1, 2, 3].map(() => client.remove(identity)));
      expect(answers.map(({ status }) => status).sort()).to.eql([200, 404, 404]);
      expect(answers.find(({ status }) => status === 200)!.body).to.eql({});
      for (const answer of [
        await client.read(identity),
        await client.patch(identity, { display_name: 'x' }),
        await client.remove(identity),
      ])
        expectProblem(answer, 404, 'SUBJECT_NOT_FOUND');
      expect((await client.list()).names).to.eql([]);
      expect(server.ledger.records[1]).to.deep.include({ is_deleted: true, display_name: 'harbour office' });
    });
  });

  describe('at_time', () => {
    it('reads the version of that time', async () => {
      const { identity } = await createASubject(server, aSubject({ display_name: 'first' }));
      server.clock.atMs += 1_000;
      await client.patch(identity, { display_name: 'second' });
      server.clock.atMs += 1_000;
      await client.remove(identity);
      server.clock.atMs += 10_000;
      const readAt = (time: string) => client.read(`${identity}?at_time=2026-11-20T10:15:${time}Z`);
      expectProblem(await readAt('30.122'), 404, 'SUBJECT_NOT_FOUND');
      expect((await readAt('30.123')).body.display_name).to.equal('first');
      expect((await readAt('31.122')).body.display_name).to.equal('first');
      expect((await readAt('31.123')).body).to.deep.include({
        display_name: 'second',
        confirmation_status: 'CONFIRMED',
      });
      for (const time of ['32.123', '33', '59']) expectProblem(await readAt(time), 404, 'SUBJECT_NOT_FOUND');
      expectProblem(await readAt('x'), 400, 'TIMESTAMP_INVALID', 'at_time');
    });
  });

  describe('the own subject', () => {
    it('has the keys with which the server signs, and is in no list', async () => {
      const { status, body } = await client.read(SELF);
      expect([status, body]).to.eql([
        200,
        {
          identity: SELF,
          display_name: 'Self',
          wallet_pub_key: [WALLET_KEY],
          wallet_address: [WALLET_ADDRESS],
          tessera_pub_key: [],
          tenant: server.tenant.identity,
          confirmation_status: 'CONFIRMED',
        },
      ]);
      expect((await client.read(SELF, { as: server.otherTenant.auditor })).body.tenant).to.equal(
        server.otherTenant.identity,
      );
      expect((await client.list()).names).to.eql([]);
      expect((await client.create(body, { as: server.otherTenant.administrator })).status).to.equal(200);
      expectProblem(await client.read(`${SELF}?at_time=x`), 400, 'TIMESTAMP_INVALID', 'at_time');
      expect((await client.read(`${SELF}?at_time=2020-01-01T00:00:00Z`)).body).to.eql(body);
    });

    it('cannot be changed or deleted', async () => {
      expectProblem(await client.patch(SELF, { display_name: 'x' }), 400, 'SUBJECT_UNCHANGEABLE');
      expectProblem(await client.patch(SELF, {}), 400, 'SUBJECT_UNCHANGEABLE');
      expectProblem(await client.remove(SELF), 400, 'SUBJECT_UNCHANGEABLE');
      expect(server.ledger.records).to.eql([]);
    });
  });

  it('are managed by administrators, and read by auditors', async () => {
    const { identity } = await createASubject(server);
    const { reader, writer, auditor, administrator, root, roleless } = server.tenant;
    for (const as of [reader, writer, roleless]) {
      for (const path of [identity, SELF, 'subjects']) expectProblem(await client.read(path, { as }), 403, 'FORBIDDEN');
    }
    for (const as of [reader, writer, auditor, roleless]) {
      expectProblem(await client.create(aSubject(), { as }), 403, 'FORBIDDEN');
      expectProblem(await client.patch(identity, {}, { as }), 403, 'FORBIDDEN');
      expectProblem(await client.remove(identity, { as }), 403, 'FORBIDDEN');
    }
    for (const as of [auditor, administrator, root]) {
      for (const path of [identity, SELF, 'subjects']) expect((await client.read(path, { as })).status).to.equal(200);
    }
    for (const as of [administrator, root]) expect((await client.create(aSubject(), { as })).status).to.equal(200);
    expectProblem(await server.request('GET', SUBJECTS, { as: null }), 401, 'UNAUTHENTICATED');
  });

  it("of another tenant are answered like missing ones, and don't count", async () => {
    const { identity } = await createASubject(server);
    const as = server.otherTenant.root;
    const answers = [
      [await client.read(identity, { as }), await client.read(NO_SUBJECT, { as })],
      [
        await client.patch(identity, { display_name: 'x' }, { as }),
        await client.patch(NO_SUBJECT, { display_name: 'x' }, { as }),
      ],
      [await client.remove(identity, { as }), await client.remove(NO_SUBJECT, { as })],
    ];
    for (const [foreign, missing] of answers) {
      expectProblem(foreign!, 404, 'SUBJECT_NOT_FOUND');
      expect(foreign!.body).to.eql(missing!.body);
    }
    const listed = await client.read(`subjects?wallet_address=${WALLET_ADDRESS}`, { as });
    expect(listed.body).to.eql({ subjects: [], next_page_token: '' });
  });
});
