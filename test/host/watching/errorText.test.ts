import { inspect } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { toErrorLine, toErrorMessage, toErrorReport } from '../../../host/watching/errorText.ts';
import { runs } from '../../support/propertyRuns.ts';

const LENGTH_MAX = 80_000;

const fail = (): never => {
  throw new Error('reading it fails');
};

const createCircle = (): Error => {
  const error: Error & { self?: unknown } = new Error('circular');
  error.self = error;
  error.cause = error;
  return error;
};

const createRevoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable(new Error('revoked'), {});
  revoke();
  return proxy;
};

const createThrowing = (): unknown => {
  const traps = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const;
  return new Proxy(new Error('traps'), Object.fromEntries(traps.map((trap) => [trap, fail])));
};

const VALUES: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'a text': () => 'text',
  'a symbol': () => Symbol('s'),
  'an empty error': () => new Error(),
  'an object without prototype': () => Object.create(null),
  'a null-prototype error': () => Object.setPrototypeOf(new Error('x'), null),
  'a circle': createCircle,
  'a revoked proxy': createRevoked,
  'a proxy whose traps throw': createThrowing,
  'getters that throw': () =>
    Object.defineProperties(
      new Error('x'),
      Object.fromEntries(['message', 'stack', 'name', 'cause', 'code'].map((name) => [name, { get: fail }])),
    ),
  'an inspect method that throws': () => Object.assign(new Error('x'), { value: { [inspect.custom]: fail } }),
  'a message that is no text': () => Object.assign(new Error('x'), { message: { toString: fail }, stack: 7 }),
  'a message without end': () => new Error('x'.repeat(20_000_000)),
  'a property without end': () =>
    Object.assign(new Error('x'), { list: Array.from({ length: 100_000 }, () => 'y'.repeat(100)) }),
  'many properties': () =>
    Object.assign(new Error('x'), Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, at]))),
  'many causes': () =>
    Array.from({ length: 10_000 }).reduce<Error>((cause) => new Error('x', { cause }), new Error('first')),
  'errors of several attempts': () => new AggregateError([new Error('one'), new Error('two')], 'none'),
};

describe('the text of an error', () => {
  for (const [name, create] of Object.entries(VALUES))
    it(`exists and is bounded for ${name}`, () => {
      for (const show of [toErrorMessage, toErrorReport, toErrorLine]) {
        const text = show(create());
        expect(text).to.be.a('string').and.not.equal('');
        expect(text.length).to.be.lessThan(LENGTH_MAX);
      }
      expect(toErrorLine(create())).not.to.include('\n');
    });

  it('exists for anything', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(toErrorReport(value)).to.be.a('string');
        expect(toErrorReport(Object.assign(new Error('x', { cause: value }), { value }))).to.include('Error: x');
        expect(toErrorLine(value)).to.be.a('string');
      }),
      runs(200),
    );
  });

  it('has the stack, the properties and the causes of an error', () => {
    const cause = Object.assign(new TypeError('the cause'), { code: 'ECAUSE' });
    const report = toErrorReport(Object.assign(new Error('the error', { cause }), { violations: [{ field: 'f' }] }));
    expect(report).to.match(/^Error: the error\n {4}at .*errorText\.test\.ts/);
    expect(report).to.include("\n  violations: [ { field: 'f' } ]");
    expect(report).to.include('\ncaused by: TypeError: the cause\n');
    expect(report).to.include("\n  code: 'ECAUSE'");
  });
});
