// The server treats an application without roles as the document describes.
import { expect } from 'chai';
import { readDocument } from '../../../../server/openapi/document.ts';
import { createAnApplication, requestToken } from '../../support/applications.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

describe('the examples of POST iam/v1/applications', () => {
  const server = useServer();

  // biome-ignore lint/suspicious/noExplicitAny: a walk over a document
  const { post } = readDocument(LIMITS).paths['/iam/v1/applications'] as any;
  const { examples } = post.requestBody.content['application/json'];

  const listLocations = async ({
    client_id,
    credentials,
  }: {
    client_id: string;
    credentials: { secret: string }[];
  }) => {
    const { body } = await requestToken(server, client_id, credentials[0]!.secret);
    const headers = { authorization: `Bearer ${body.access_token}` };
    return server.request('GET', '/svc/v2/locations', { as: null, headers });
  };

  it("without roles assigns the server's configured ones", async () => {
    expect(examples.default.value).not.to.have.property('roles');
    const application = await createAnApplication(server, examples.default.value);
    expect(application.roles).to.eql(server.deps.applicationRoles);
    expect((await listLocations(application)).status).to.equal(200);
  });

  it('with an empty list assigns none, and every operation but those on shared records is 403', async () => {
    const application = await createAnApplication(server, examples.nothing.value);
    expect(application.roles).to.eql([]);
    expectProblem(await listLocations(application), 403, 'FORBIDDEN', 'authorization');
  });
});
