import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import { createPathTable } from '../../../server/http/pathTable.ts';
import { readDocument } from '../../../server/openapi/document.ts';
import { runs } from '../../support/propertyRuns.ts';

const templates = Object.keys(readDocument().paths);
const find = createPathTable(templates.map((template) => [template, template]));

// A verb at the end of a path also matches as part of a parameter, so Express must compare those first.
const byVerb = (one: string, other: string): number => Number(other.includes(':')) - Number(one.includes(':'));

const createExpressFind = () => {
  const router = express.Router({ caseSensitive: true, strict: true });
  let found: unknown;
  for (const template of templates.toSorted(byVerb)) {
    const route = template.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');
    router.get(route, ({ params }) => {
      found = { entry: template, values: Object.values(params) };
    });
  }
  return (path: string): unknown => {
    found = undefined;
    const request = { method: 'GET', url: path } as IncomingMessage;
    router(request as never, {} as ServerResponse as never, () => undefined);
    return found;
  };
};

const findByExpress = createExpressFind();

const segments = [...new Set(templates.flatMap((template) => template.split('/').slice(1)))];
const segment = fc.oneof(
  fc.constantFrom(...segments.filter((one) => !one.includes('{'))),
  fc.constantFrom(
    '',
    'x',
    'X',
    'Assets',
    ':publicurl',
    'x:publicurl',
    'x:y:publicurl',
    'x:',
    'info',
    'events:publicurl',
  ),
);
const ofTemplate = fc.constantFrom(...templates).chain((template) =>
  fc.tuple(
    ...template
      .split('/')
      .slice(1)
      .map((one) => fc.oneof(fc.constant(one.replace(/\{\w+\}/, 'v')), segment)),
  ),
);

describe('the path table', () => {
  for (const template of templates) {
    it(`finds ${template}`, () => {
      const values = [...template.matchAll(/\{\w+\}/g)].map((_, at) => `value-${at}`);
      let at = 0;
      const path = template.replaceAll(/\{\w+\}/g, () => values[at++]!);
      expect(find(path)).to.eql({ entry: template, values });
    });
  }

  it('finds what the router of Express finds', () => {
    const check = fc.property(fc.oneof(ofTemplate, fc.array(segment, { maxLength: 8 })), (parts) => {
      const path = `/${parts.join('/')}`;
      expect(find(path), path).to.eql(findByExpress(path));
    });
    fc.assert(check, runs(1_000));
  });

  it('returns to an earlier parameter when literal text leads nowhere', () => {
    const nested = createPathTable([
      ['/a/{x}/c', 1],
      ['/a/b/{x}', 2],
      ['/a/b/d/e', 3],
    ]);
    expect(nested('/a/b/c')).to.eql({ entry: 2, values: ['c'] });
    expect(nested('/a/z/c')).to.eql({ entry: 1, values: ['z'] });
    expect(nested('/a/b/d')).to.eql({ entry: 2, values: ['d'] });
    expect(nested('/a/b/d/c')).to.equal(undefined);
    expect(nested('/a//c')).to.equal(undefined);
  });
});
