// Encodes bodies in steps.
import { expect } from 'chai';
import fc from 'fast-check';
import { finish } from '../../../ledger/compliance/steps.ts';
import { encodeJsonInSteps, encodeTextInSteps } from '../../../server/http/steppedJson.ts';
import { createAnAsset, createAPolicy } from '../support/requests.ts';
import { startTestServer } from '../support/testServer.ts';

describe('a long body', () => {
  it('has the bytes of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))), (body) => {
        expect(finish(encodeJsonInSteps(body)).toString()).to.equal(JSON.stringify(body));
      }),
    );
  });

  it('has a step for each item of its lists', () => {
    const steps = encodeJsonInSteps({ one: [1, 2, 3], other: 4, another: [5, 6] });
    let count = 0;
    while (!steps.next().done) count += 1;
    expect(count).to.equal(5);
  });

  it('that is a text has its bytes in UTF-8, in several steps, wherever a pair of surrogates is', () => {
    for (const before of ['', 'a', 'ab', 'é']) {
      const text = before + '\u{1f600}x'.repeat(100_000);
      const parts = finish(encodeTextInSteps(text));
      expect(parts.length).to.be.greaterThan(2);
      expect(Buffer.concat(parts).equals(Buffer.from(text))).to.equal(true);
    }
  });

  it('of a check is what the client receives', async () => {
    const server = await startTestServer({}, {}, { validateResponses: false });
    const asset = await createAnAsset(server, { attributes: { a: 'b' } });
    await createAPolicy(server, {
      compliance_type: 'COMPLIANCE_RICHNESS',
      richness_assertions: [{ or: ['a=ü'] }, { or: ['a=b'] }],
    });
    const { status, headers, body } = await server.request('GET', `/svc/v1/compliance/assets/${asset}`);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(body.compliance[0].reason).to.equal('No assertion holds: a=ü');
    await server.close();
  });
});
