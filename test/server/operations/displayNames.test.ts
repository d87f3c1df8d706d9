// The names that clients give to what they create: the same form for all, and older names stay readable.
import { expect } from 'chai';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { aLocationRecord, anAccessPolicyRecord, anApplicationRecord, aSubjectRecord } from '../../support/records.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { anAccessPolicy, aPolicy, aSubject } from '../support/requests.ts';
import { useNewServer } from '../support/useServer.ts';

interface Named {
  readonly path: string;
  readonly body: object;
  /** A record of the kind with this name, as it may be on a ledger. */
  readonly toRecord: (display_name: string) => LedgerRecord;
}

const NAMED: readonly Named[] = [
  {
    path: 'v2/locations',
    body: { latitude: 51.5, longitude: -0.1276 },
    toRecord: (display_name) => aLocationRecord(1, { display_name }),
  },
  {
    path: 'iam/v1/applications',
    body: {},
    toRecord: (display_name) => anApplicationRecord(1, { display_name }),
  },
  {
    path: 'iam/v1/subjects',
    body: aSubject(),
    toRecord: (display_name) => aSubjectRecord(1, { display_name }),
  },
  {
    path: 'iam/v1/access_policies',
    body: anAccessPolicy(),
    toRecord: (display_name) => anAccessPolicyRecord(1, { display_name }),
  },
];

const CONTROLS = ['\0', 'a\nb', 'a\t', '\u001b[31m', 'a\u007f', 'a\u0085b', '\u009f'];
const BLANKS = ['', ' ', '\u00a0', ' \u3000 '];
const NAMES = ['x', ' a ', '😀', 'Tür 7', 'a\u200db', 'سعر', '東京 駅'];

describe('the display name', () => {
  const server = useNewServer();

  const send = (method: string, path: string, json?: object) =>
    server.request(method, `/svc/${path}`, { as: server.tenant.root, ...(json && { json }) });

  for (const { path, body, toRecord } of NAMED) {
    it(`of ${path} is not blank and has no control character, also in a change`, async () => {
      const { status, body: created } = await send('POST', path, { ...body, display_name: 'x' });
      expect(status).to.equal(200);
      const [count, one] = [server.ledger.records.length, `${path}/${created.identity.split('/')[1]}`];
      for (const display_name of [...CONTROLS, ...BLANKS]) {
        expectProblem(await send('POST', path, { ...body, display_name }), 400, 'REQUEST_INVALID', 'display_name');
        expectProblem(await send('PATCH', one, { display_name }), 400, 'REQUEST_INVALID', 'display_name');
      }
      expect(server.ledger.records).to.have.length(count);
      for (const display_name of NAMES) {
        const named = await send('POST', path, { ...body, display_name });
        expect([named.status, named.body.display_name]).to.eql([200, display_name]);
        expect((await send('PATCH', one, { display_name })).body.display_name).to.equal(display_name);
      }
    });

    it(`of ${path} is read as the ledger has it, and may be left or replaced`, async () => {
      const record = toRecord('a\nb');
      await server.ledger.mine({ tenantIdentity: server.tenant.identity, record });
      const one = `${path}/${record.identity.split('/')[1]}`;
      expect((await send('GET', one)).body.display_name).to.equal('a\nb');
      const found = await send('GET', `${path}?display_name=a%0Ab`);
      expect(Object.values(found.body).flat()).to.deep.include((await send('GET', one)).body);
      const left = await send('PATCH', one, {});
      expect([left.status, left.body.display_name]).to.eql([200, 'a\nb']);
      expect((await send('PATCH', one, { display_name: 'a' })).body.display_name).to.equal('a');
    });
  }

  it('of a compliance policy may be missing or blank, and has no control character', async () => {
    for (const display_name of CONTROLS)
      expectProblem(
        await send('POST', 'v1/compliance_policies', aPolicy({ display_name })),
        400,
        'REQUEST_INVALID',
        'display_name',
      );
    expect(server.ledger.records).to.eql([]);
    for (const display_name of [...BLANKS, ...NAMES.slice(-2)]) {
      const { status, body } = await send('POST', 'v1/compliance_policies', aPolicy({ display_name }));
      expect([status, body.display_name]).to.eql([200, display_name]);
    }
  });
});
