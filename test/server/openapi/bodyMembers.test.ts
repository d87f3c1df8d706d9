// Every member of every body of the interface is kept, decided by the server and shown in its answer, or refused unless
// there is nothing in it (decision 51). The samples give each member that is kept a content, which the answer must
// have.
import { expect } from 'chai';
import { type ApiOperation, readDocument, type SchemaObject, toOperations } from '../../../server/openapi/document.ts';
import { createAnApplication } from '../support/applications.ts';
import { WHOLE_ASSET, WHOLE_EVENT, WHOLE_LOCATION, WHOLE_POLICY } from '../support/bodySamples.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { postLines } from '../support/lines.ts';
import { aSubject, createALocation, createAnAccessPolicy, createAnAsset, createASubject } from '../support/requests.ts';
import { ISSUER, LIMITS } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

type Members = Readonly<Record<string, unknown>>;

/** How an operation is tried. */
interface Trial {
  readonly path: () => string;
  /** A body with each member that the operation keeps. */
  readonly sample: () => Members;
  /** What the answer must have of the sample; undefined: all of it, `null`: nothing, because nothing is recorded. */
  readonly shown?: Members | null;
  /** Members that are ignored on purpose: the resource shows them, and the server alone decides them. */
  readonly ignored: readonly string[];
}

const document = readDocument(LIMITS);
const operations = Object.keys(document.paths).flatMap((path) => toOperations(document, path));
const withBody = operations.filter(({ mediaType }) => mediaType !== undefined);

const resolve = (schema: SchemaObject): SchemaObject => {
  const own = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  return own.$ref === undefined ? own : document.components.schemas[own.$ref.split('/').at(-1)!]!;
};

const isReferenceTo = (schema: SchemaObject, name: string): boolean => schema.$ref === `#/components/schemas/${name}`;

const membersOf = ({ bodySchema }: ApiOperation, name: string): string[] =>
  Object.entries(resolve(bodySchema).properties ?? {}).flatMap(([member, schema]) =>
    isReferenceTo(schema, name) ? [member] : [],
  );

/** Paths of the members that a schema keeps; `*` stands for the items of a list. */
const findKept = (schema: SchemaObject, path = ''): string[] => {
  const { properties, items } = resolve(schema);
  if (items !== undefined) return findKept(items, `${path}/*`);
  if (properties === undefined) return path === '' ? [] : [path];
  return Object.entries(properties).flatMap(([name, member]) =>
    isReferenceTo(member, 'Ignored') || isReferenceTo(member, 'KeptElsewhere')
      ? []
      : findKept(member, `${path}/${name}`),
  );
};

/** Whether a value has content at a path of `findKept`. */
const isGiven = (value: unknown, path: string): boolean => {
  const [name, ...rest] = path.slice(1).split('/');
  const inner = name === '*' ? (value as unknown[])[0] : (value as Members)[name!];
  const isThere = inner !== undefined && inner !== null && inner !== '';
  return rest.length === 0 ? isThere : isThere && isGiven(inner, `/${rest.join('/')}`);
};
const EVENT_IGNORED = [
  'identity',
  'asset_identity',
  'asset_settings',
  'timestamp_accepted',
  'timestamp_committed',
  'principal_accepted',
  'confirmation_status',
  'failure_reason',
  'block_number',
  'transaction_index',
  'log_index',
  'transaction_id',
  'from',
  'tenant_identity',
  'contribution',
  'appended_again',
];
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  createEvent: ['trails', 'attachments', 'location'],
  createEvents: ['trails', 'attachments', 'location'],
  createLocation: ['attachments'],
  updateLocation: ['attachments'],
};

describe('the members of bodies', () => {
  const server = useServer();
  const known = {} as Record<'asset' | 'location' | 'application' | 'subject' | 'accessPolicy', string>;
  before(async () => {
    known.asset = `assets/${await createAnAsset(server)}`;
    known.location = (await createALocation(server)).identity;
    known.application = (await createAnApplication(server)).identity;
    known.subject = (await createASubject(server)).identity;
    known.accessPolicy = (await createAnAccessPolicy(server)).identity;
  });

  const accessPolicy = () => ({
    display_name: 'Gate',
    description: 'north',
    filters: [{ or: ['a=b'] }],
    access_permissions: [
      {
        subjects: [known.subject],
        user_attributes: [{ or: ['a=b'] }],
        behaviours: ['RecordEvidence'],
        include_attributes: ['a'],
        asset_attributes_read: ['b'],
        asset_attributes_write: ['c'],
        event_arc_display_type_read: ['d'],
        event_arc_display_type_write: ['e'],
      },
    ],
  });
  const application = () => ({ display_name: 'Gate', custom_claims: { a: 'b' }, roles: ['reader'] });
  const POLICIES = '/svc/v1/compliance_policies';
  const POLICY_IGNORED = ['identity', 'condition_syntax', 'value_order'];
  const SHARED_IGNORED = ['identity', 'tenant', 'condition_syntax'];
  const APPLICATION_IGNORED = ['identity', 'client_id', 'tenant_id', 'credentials'];
  const SUBJECT_IGNORED = ['identity', 'tenant', 'confirmation_status', 'failure_reason', 'ambiguous'];

  const TRIALS: Readonly<Record<string, Trial>> = {
    createAsset: {
      path: () => '/svc/v2/assets',
      sample: () => WHOLE_ASSET,
      ignored: [
        'identity',
        'confirmation_status',
        'failure_reason',
        'tracked',
        'owner',
        'at_time',
        'tenant_identity',
        'chain_id',
        'storage_integrity',
      ],
    },
    createEvent: {
      path: () => `/svc/v2/${known.asset}/events`,
      sample: () => ({ ...WHOLE_EVENT, public: false }),
      shown: WHOLE_EVENT,
      ignored: EVENT_IGNORED,
    },
    createLocation: { path: () => '/svc/v2/locations', sample: () => WHOLE_LOCATION, ignored: ['identity'] },
    updateLocation: { path: () => `/svc/v2/${known.location}`, sample: () => WHOLE_LOCATION, ignored: ['identity'] },
    createPolicy: { path: () => POLICIES, sample: () => WHOLE_POLICY, ignored: POLICY_IGNORED },
    tryPolicy: {
      path: () => `/svc/v1/compliance/${known.asset}:try`,
      sample: () => WHOLE_POLICY,
      shown: null,
      ignored: POLICY_IGNORED,
    },
    checkAssets: {
      path: () => '/svc/v1/compliance/assets:check',
      sample: () => ({ asset_identities: [known.asset], compliant_at: '2026-11-19T11:14:05.000Z' }),
      shown: { compliant_at: '2026-11-19T11:14:05.000Z' },
      ignored: [],
    },
    updateRootPrincipals: {
      path: () => '/svc/v1/tenancies/root_principals',
      sample: () => {
        const { subject } = server.tenant.root;
        return { root_principals: [{ issuer: ISSUER, subject, display_name: 'Root', email: 'root@example.com' }] };
      },
      ignored: [],
    },
    createAccessPolicy: { path: () => '/svc/iam/v1/access_policies', sample: accessPolicy, ignored: SHARED_IGNORED },
    updateAccessPolicy: {
      path: () => `/svc/iam/v1/${known.accessPolicy}`,
      sample: accessPolicy,
      ignored: SHARED_IGNORED,
    },
    createApplication: {
      path: () => '/svc/iam/v1/applications',
      sample: application,
      ignored: APPLICATION_IGNORED,
    },
    updateApplication: {
      path: () => `/svc/iam/v1/${known.application}`,
      sample: application,
      ignored: APPLICATION_IGNORED,
    },
    createSubject: {
      path: () => '/svc/iam/v1/subjects',
      sample: () => ({ ...aSubject(), wallet_address: ['0x99Fa4AAB0AF2B53f158083D8f244bb4523388197'] }),
      ignored: SUBJECT_IGNORED,
    },
    updateSubject: {
      path: () => `/svc/iam/v1/${known.subject}`,
      sample: aSubject,
      ignored: [...SUBJECT_IGNORED, 'wallet_address'],
    },
  };

  const LINES = ['createEvents'];
  // A file, and a form in which other parameters are ignored (RFC 6749 section 3.2).
  const OTHER_BODIES = ['createBlob', 'issueToken'];

  const send = (id: string, json: Members) => {
    const { method } = withBody.find((operation) => operation.id === id)!;
    return server.request(method.toUpperCase(), TRIALS[id]!.path(), { as: server.tenant.root, json });
  };
  const sendLine = async (json: Members) => {
    const [{ status, error, event: body }] = await postLines(server, `${JSON.stringify(json)}\n`);
    return { status, headers: new Headers({ 'content-type': 'application/json; charset=utf-8' }), body: error ?? body };
  };
  const sendAny = (id: string, members: Members) =>
    LINES.includes(id)
      ? sendLine({ ...WHOLE_EVENT, asset_identity: known.asset, ...members })
      : send(id, { ...TRIALS[id]!.sample(), ...members });

  it('are tried for every operation that has a body', () => {
    expect([...Object.keys(TRIALS), ...LINES, ...OTHER_BODIES].sort()).to.eql(withBody.map(({ id }) => id).sort());
  });

  for (const operation of withBody.filter(({ id }) => id in TRIALS)) {
    const { id } = operation;
    const { sample, shown, ignored } = TRIALS[id]!;

    it(`are kept and shown, all that ${id} keeps`, async () => {
      const sent = sample();
      const kept = findKept(operation.bodySchema).filter((path) => id !== 'createEvent' || path !== '/attributes');
      expect(kept.filter((path) => !isGiven(sent, path))).to.eql([]);
      const { status, body } = await send(id, sent);
      expect([status, status === 200 ? '' : body]).to.eql([200, '']);
      if (shown !== null) expect(body).to.deep.include(shown ?? sent);
    });

    it(`are ignored in ${id} only where its answer shows them`, async () => {
      expect(membersOf(operation, 'Ignored')).to.have.members(ignored);
      if (ignored.length === 0) return;
      const foreign = Object.fromEntries(ignored.map((name) => [name, [{ foreign: name }]]));
      const { status, body } = await send(id, { ...sample(), ...foreign });
      expect([status, status === 200 ? '' : body]).to.eql([200, '']);
      expect(JSON.stringify(body)).not.to.include('foreign');
      const answers = Object.entries(document.components.schemas);
      const isShown = (name: string) =>
        answers.some(([, { required, properties = {} }]) => required !== undefined && name in properties);
      expect(ignored.filter((name) => !isShown(name))).to.eql([]);
    });
  }

  for (const { id, keptElsewhere } of withBody.filter((operation) => !OTHER_BODIES.includes(operation.id))) {
    it(`are refused by ${id} if they are unknown`, async () => {
      for (const content of ['x', null, []])
        expectProblem(await sendAny(id, { misspelt: content }), 400, 'REQUEST_INVALID', 'misspelt');
    });

    it(`are refused by ${id} if it would lose them, and accepted if nothing is in them`, async () => {
      expect([...keptElsewhere.keys()]).to.eql(ELSEWHERE[id] ?? []);
      for (const name of keptElsewhere.keys()) {
        for (const content of ['x', 0, false, ['x'], { a: { b: ['x'] } }])
          expectProblem(await sendAny(id, { [name]: content }), 400, 'REQUEST_INVALID', name);
        for (const nothing of [null, '', [], {}, { a: [null, {}] }])
          expect((await sendAny(id, { [name]: nothing })).status, JSON.stringify(nothing)).to.equal(200);
      }
    });
  }

  it('may be some of a resource where a PATCH changes it', async () => {
    const permission = { asset_attributes_read: ['toner_type'], user_attributes: [{ or: ['group:maintainers'] }] };
    const changes = {
      updateApplication: { custom_claims: { has_cyclist_light: 'false' } },
      updateAccessPolicy: { access_permissions: [permission] },
      updateSubject: { tessera_pub_key: ['key2'] },
      updateLocation: { attributes: { director: 'John Smith' } },
    };
    for (const [id, change] of Object.entries(changes)) {
      const { status, body } = await send(id, change);
      expect([id, status, Object.keys(change).every((name) => name in body)]).to.eql([id, 200, true]);
    }
  });

  it('say of an event of a public asset that it is public, if they say so', async () => {
    const path = `/svc/v2/assets/${await createAnAsset(server, { public: true })}/events`;
    const record = (isPublic: boolean) =>
      server.request('POST', path, { as: server.tenant.root, json: { ...WHOLE_EVENT, public: isPublic } });
    expect((await record(true)).status).to.equal(200);
    expectProblem(await record(false), 400, 'REQUEST_INVALID', 'public');
  });

  for (const id of ['createEvent', 'createEvents']) {
    it(`of ${id} may call the attributes of an event attributes`, async () => {
      for (const none of [undefined, null, {}]) {
        const { body } = await sendAny(id, { event_attributes: none, attributes: { x: 'y' } });
        expect(body.event_attributes).to.eql({ x: 'y' });
      }
      for (const nothing of [null, {}])
        expect((await sendAny(id, { attributes: nothing })).body.event_attributes).to.eql({ a: 'b' });
      expectProblem(await sendAny(id, { attributes: { x: 'y' } }), 400, 'REQUEST_INVALID', 'attributes');
      expectProblem(await sendAny(id, { attributes: { x: 1 } }), 400, 'ATTRIBUTE_INVALID', 'attributes/x');
    });

    it(`of ${id} may say whether the asset is public`, async () => {
      for (const isPublic of [null, false]) expect((await sendAny(id, { public: isPublic })).status).to.equal(200);
      for (const isPublic of [true, 'false', []])
        expectProblem(await sendAny(id, { public: isPublic }), 400, 'REQUEST_INVALID', 'public');
    });
  }
});
