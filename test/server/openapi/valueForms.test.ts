import { expect } from 'chai';
import { readDocument, toOperations, toQueryParameters } from '../../../server/openapi/document.ts';
import { toValueForm } from '../../../server/openapi/valueForms.ts';
import { LIMITS } from '../support/testServer.ts';

const document = readDocument(LIMITS);
const parameters = Object.keys(document.paths)
  .flatMap((path) => toOperations(document, path))
  .flatMap(({ id, path, method }) =>
    toQueryParameters(document, path, method).map((parameter) => ({ id, ...parameter })),
  );

// Parameters whose values have several forms, wherever they are.
const FORMS: Readonly<Record<string, string>> = {
  owner: 'address',
  from: 'address',
  wallet_address: 'address',
  transaction_id: 'transaction',
  hash: 'sha256',
  tenant_identity: 'tenant',
  asset_identity: 'asset',
  chain_id: 'chain',
};

describe('forms of values', () => {
  it('are those of every parameter of a list that names an address, a hash, a tenant, an asset or a chain', () => {
    const named = parameters.filter(({ name, schema }) => name in FORMS && schema.type === 'string');
    expect(named.length).to.be.greaterThan(10);
    for (const { id, name, 'x-form': form } of named) expect(form, `${id} ${name}`).to.equal(FORMS[name]);
    for (const { id, name, 'x-form': form } of parameters)
      if (form !== undefined) expect(FORMS[name], `${id} ${name}`).to.equal(form);
  });

  it('are read as the one that responses have', () => {
    const uuid = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
    const digits = 'AB'.repeat(32);
    const cases: [string, string, string[]][] = [
      [
        'address',
        '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'],
      ],
      ['transaction', `0x${digits.toLowerCase()}`, [digits, `0X${digits}`]],
      ['sha256', digits.toLowerCase(), [digits, `0x${digits}`, `sha256:${digits}`, `SHA-256:${digits}`]],
      ['tenant', `tenant/${uuid}`, [uuid.toUpperCase(), `TENANT/${uuid}`]],
      ['asset', `assets/${uuid}`, [uuid, `publicassets/${uuid.toUpperCase()}`]],
      ['chain', '424242', ['0x67932', '0424242']],
    ];
    for (const [form, value, others] of cases) {
      const { read, description } = toValueForm(form);
      for (const text of [value, ...others]) expect(read(text), text).to.equal(value);
      for (const wrong of ['x', `${value} `, `${value}\n`, '']) expect(read(wrong), wrong).to.equal(undefined);
      expect(description).to.be.a('string');
    }
    expect(() => toValueForm('toString')).to.throw();
  });
});
