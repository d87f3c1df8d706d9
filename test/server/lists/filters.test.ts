import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { toAttributeFilters, toFieldFilters, toTimeFilters } from '../../../server/lists/filters.ts';

const MAPS = { attributes: 'event_attributes', asset_attributes: 'asset_attributes' } as const;

describe('filters', () => {
  it('have four forms for attributes', () => {
    const of = (parameter: string, value: string) => toAttributeFilters({ [parameter]: value }, MAPS);
    const map = 'event_attributes';
    expect(of('attributes.a', 'v')).to.eql([{ map, name: 'a', is: 'equal', value: 'v' }]);
    expect(of('attributes.a', '*')).to.eql([{ map, name: 'a', is: 'present', value: '' }]);
    expect(of('attributes.a!', '*')).to.eql([{ map, name: 'a', is: 'absent', value: '' }]);
    expect(of('attributes.a!', 'v')).to.eql([{ map, name: 'a', is: 'different', value: 'v' }]);
  });

  it('remove from the name its prefix and one exclamation mark, and nothing else', () => {
    const names = (parameter: string) => toAttributeFilters({ [parameter]: 'v' }, MAPS).map(({ name }) => name);
    expect(names('attributes.attributes.a')).to.eql(['attributes.a']);
    expect(names('attributes.wow!!')).to.eql(['wow!']);
    expect(names('attributes.!a')).to.eql(['!a']);
    expect(names('attributes. a b ')).to.eql([' a b ']);
    expect(names('attributes.**')).to.eql(['**']);
    expect(names('asset_attributes.a')).to.eql(['a']);
  });

  it('have the requested fields', () => {
    const given = { operation: 'Record', order_by: 'DEFAULT' };
    expect(toFieldFilters(given, ['behaviour', 'operation'])).to.eql([{ field: 'operation', value: 'Record' }]);
  });

  it('have times in milliseconds, whatever the offset', () => {
    const given = {
      timestamp_accepted_since: '2026-11-20T11:00:00.1239+01:00',
      timestamp_declared_before: '1970-01-01T00:00:01Z',
    };
    expect(toTimeFilters(given, ['timestamp_accepted', 'timestamp_declared', 'timestamp_committed'])).to.eql([
      { time: 'timestamp_accepted', sinceMs: Date.parse('2026-11-20T10:00:00.123Z'), beforeMs: undefined },
      { time: 'timestamp_declared', sinceMs: undefined, beforeMs: 1000 },
    ]);
  });

  it('name the invalid time', () => {
    expect(() => toTimeFilters({ timestamp_committed_before: '2026-02-30T00:00:00Z' }, ['timestamp_committed']))
      .to.throw(LedgerError)
      .with.nested.property('violations[0].field', 'timestamp_committed_before');
  });
});
