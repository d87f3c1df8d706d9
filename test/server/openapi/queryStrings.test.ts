import { expect } from 'chai';
import fc from 'fast-check';
import { LedgerError } from '../../../ledger/errors.ts';
import { readDocument, toQueryParameters } from '../../../server/openapi/document.ts';
import { FILTERS_BYTES_MAX, FILTERS_MAX, readQuery } from '../../../server/openapi/queryStrings.ts';
import { LIMITS } from '../support/testServer.ts';

const document = readDocument(LIMITS);
const ASSETS = toQueryParameters(document, '/v2/assets', 'get');
const EVENTS = toQueryParameters(document, '/v2/assets/{asset_uuid}/events', 'get');
const read = (query: string, parameters = EVENTS) => readQuery(`/anything?${query}`, parameters);

const refusedField = (query: string, parameters = EVENTS): string | undefined => {
  try {
    read(query, parameters);
    return undefined;
  } catch (error) {
    expect(error).to.be.instanceOf(LedgerError).and.to.have.property('code', 'REQUEST_INVALID');
    return (error as LedgerError).violations[0]!.field;
  }
};

describe('readQuery', () => {
  it("reads parameters by name, and those of a group under the group's name", () => {
    expect(read('page_size=10&order_by=DEFAULT&attributes.a=b&asset.attributes.c!=*')).to.eql({
      single: { page_size: 10, order_by: 'DEFAULT' },
      groups: { attribute_filters: { 'attributes.a': 'b', 'asset.attributes.c!': '*' } },
    });
    for (const url of ['/x', '/x?', '/x?&&']) expect(readQuery(url, EVENTS)).to.eql({ single: {}, groups: {} });
  });

  it('splits at the first equals sign, and decodes plus as a space', () => {
    const { groups } = read('attributes.a=b=c&attributes.d%3De=f%3Dg&attributes.h+i=j%20k%2Bl');
    expect(groups.attribute_filters).to.eql({
      'attributes.a': 'b=c',
      'attributes.d=e': 'f=g',
      'attributes.h i': 'j k+l',
    });
  });

  it('decodes attribute names and values of any kind', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.constantFrom('a[0]', '[]', '__proto__', 'constructor', '&', '=', '+', '%', '#', 'a!b', '!!', '\n', '\u0000'),
    );
    const filters = fc.uniqueArray(fc.tuple(text, text), { maxLength: 10, selector: ([name]) => name });
    fc.assert(
      fc.property(filters, (given) => {
        const named = given
          .filter(([name]) => name !== '!' && !/[<>]$/.test(name))
          .map(([name, value]) => [`attributes.${name}`, value]);
        const query = named.map((pair) => pair.map((part) => encodeURIComponent(part!)).join('=')).join('&');
        const { groups } = read(query, ASSETS);
        expect(Object.entries(groups.attribute_filters ?? {})).to.have.deep.members(named);
      }),
    );
  });

  const LONG = 'é'.repeat(1024);
  const refusals: [title: string, query: string, field: string][] = [
    ['an unknown parameter', 'pagesize=1', 'pagesize'],
    ['an unknown map', 'attribute.a=b', 'attribute.a'],
    ['a map alone', 'attributes=b', 'attributes'],
    ['the name of the group', 'attribute_filters=b', 'attribute_filters'],
    ['an inherited name', '__proto__=1', '__proto__'],
    ['a nameless parameter', '=1', 'query'],
    ['an empty attribute name', 'attributes.=b', 'attributes.'],
    ['an empty attribute name, negated', 'attributes.!=b', 'attributes.!'],
    ['a long attribute name', `attributes.${LONG}x=b`, `attributes.${LONG}x`],
    ['an empty value', 'attributes.a=', 'attributes.a'],
    ['no value', 'attributes.a', 'attributes.a'],
    ['an empty field', 'operation=', 'operation'],
    ['a long value', `attributes.a=${'x'.repeat(4097)}`, 'attributes.a'],
    ['a repeated attribute', 'attributes.a=b&attributes.a=b', 'attributes.a'],
    ['a repeated field', 'operation=b&operation=c', 'operation'],
    ['a name repeated in another encoding', 'attributes.a=b&attributes.%61=c', 'attributes.a'],
    ['bytes that are not UTF-8', 'attributes.a=%ff', 'attributes.a'],
    ['a broken escape', 'attributes.a=%4', 'attributes.a'],
    ['half a surrogate pair', 'attributes.a=%ED%A0%80', 'attributes.a'],
    ['a name that is not UTF-8', 'attributes.%ff=a', 'attributes.%ff'],
  ];
  for (const [title, query, field] of refusals) {
    it(`refuses ${title} by its name`, () => {
      expect(refusedField(query)).to.equal(field);
    });
  }

  it('accepts integers in decimal digits only', () => {
    for (const value of ['1e2', '0x10', '%2B5', '+5', '%205', '5%20', '-1', '1.0', '010', '', '١', 'Infinity', '1_0']) {
      expect([value, refusedField(`page_size=${value}`)]).to.eql([value, 'page_size']);
    }
    expect(read('page_size=0').single).to.eql({ page_size: 0 });
  });

  it('accepts true and false as programs write them', () => {
    const readPublic = (value: string) => read(`public=${value}`, ASSETS).single.public;
    expect(['true', 'True', 'false', 'False'].map(readPublic)).to.eql([true, true, false, false]);
    for (const value of ['TRUE', 'yes', '1', 'tru', ''])
      expect([value, refusedField(`public=${value}`, ASSETS)]).to.eql([value, 'public']);
  });

  it('accepts filters exactly at the limits, and names the filter that exceeds them', () => {
    expect(refusedField(`attributes.${LONG}!=${'x'.repeat(3900)}`)).to.equal(undefined);
    const many = (count: number) => Array.from({ length: count }, (_, at) => `attributes.n${at}=v`).join('&');
    expect(refusedField(`page_size=1&${many(FILTERS_MAX)}`)).to.equal(undefined);
    expect(refusedField(many(FILTERS_MAX + 1))).to.equal(`attributes.n${FILTERS_MAX}`);
    const bytes = (count: number) => `attributes.a=${'x'.repeat(4000)}&attributes.b=${'x'.repeat(count - 4024)}`;
    expect(refusedField(bytes(FILTERS_BYTES_MAX))).to.equal(undefined);
    expect(refusedField(bytes(FILTERS_BYTES_MAX + 1))).to.equal('attributes.b');
  });

  it('names an unknown parameter among very many', () => {
    expect(refusedField(`${Array(1050).fill('page_size=1').join('&')}&zzz=1`)).to.equal('zzz');
  });
});
