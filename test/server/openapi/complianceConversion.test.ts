import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { toComplianceDocument } from '../../../server/openapi/complianceConversion.ts';
import { readDocument } from '../../../server/openapi/document.ts';
import { LIMITS } from '../support/testServer.ts';

const validate = (document: object) => new Validator().validate(structuredClone(document) as never);

describe('the OpenAPI 2.0 document', () => {
  const described = toComplianceDocument(readDocument(LIMITS));

  it('is valid by the schema of OpenAPI 2.0', async () => {
    expect(await validate(described)).to.deep.include({ valid: true });
  });

  it('would be invalid with a keyword of OpenAPI 3', async () => {
    const changed = structuredClone(described) as never as { paths: Record<string, { get: { parameters: object[] } }> };
    changed.paths['/v1/compliance_policies']!.get.parameters.push({
      name: 'x',
      in: 'query',
      schema: { type: 'string' },
    });
    expect(await validate(changed)).to.deep.include({ valid: false });
  });
});
