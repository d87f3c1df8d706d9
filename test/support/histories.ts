// fast-check generators of small histories of a ledger: few tenants and assets, so that records meet each other, with
// records that mean nothing among them.
import fc from 'fast-check';
import { toApplicationIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/record.ts';
import type { Written } from './recordLogs.ts';
import {
  ALPHA,
  aBuiltin,
  aCreation,
  anApplicationRecord,
  anEvent,
  aTenantRecord,
  BETA,
  eventOf,
  uuidOf,
} from './records.ts';

const NAMES = ['mint', 'sage'];
const BUILTINS = ['Add', 'Remove', 'StartTracking', 'StopTracking', 'Nothing'];

const EVERYDAY = ['event', 'event', 'builtin', 'builtin'] as const;

interface Choice {
  readonly tenant: string;
  readonly asset: number;
  readonly kind: 'tenant' | 'application' | 'creation' | 'event' | 'builtin';
  readonly name: number;
}

const toRecord = ({ tenant, asset, kind, name }: Choice, number: number): LedgerRecord => {
  const identity = eventOf(asset, number);
  const asset_attributes = { [`n${name}`]: String(number) };
  switch (kind) {
    case 'tenant':
      return aTenantRecord(tenant, {
        identity: toVersionIdentity(tenant, uuidOf(number)),
        display_name: NAMES[name % NAMES.length]!,
      });
    case 'application':
      return anApplicationRecord(asset, {
        identity: toVersionIdentity(toApplicationIdentity(uuidOf(asset)), uuidOf(number)),
        display_name: `version ${number}`,
      });
    case 'creation':
      return aCreation({ identity, asset_attributes });
    case 'event':
      return anEvent({ identity, asset_attributes });
    case 'builtin':
      return aBuiltin(BUILTINS[name]!, 'Firmware', { identity });
  }
};

const changes = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ payload: Uint8Array.of(1, 2, 3) }) },
);

const choices = fc.record({
  choice: fc.record<Choice>({
    tenant: fc.constantFrom(ALPHA, ALPHA, BETA),
    asset: fc.constantFrom(1, 1, 2, 3),
    kind: fc.constantFrom('tenant', 'application', ...Array<'creation'>(3).fill('creation'), ...EVERYDAY, ...EVERYDAY),
    name: fc.nat(4),
  }),
  writer: fc.constantFrom(...Array<undefined>(9).fill(undefined), BETA),
  changed: changes,
});

// Most histories begin with the tenants, so that what follows means something.
const beginnings = fc.constantFrom<Choice[]>(
  [],
  ...[ALPHA, BETA, ALPHA].map((first) =>
    [first, first === ALPHA ? BETA : ALPHA].map((tenant, name): Choice => ({ tenant, asset: 1, kind: 'tenant', name })),
  ),
);

const continuations = fc.array(fc.array(choices, { maxLength: 8, size: 'max' }), { maxLength: 12, size: 'max' });

/** The records of each block. No record is there twice, as on a chain. */
export const histories: fc.Arbitrary<Written[][]> = fc
  .tuple(beginnings, continuations)
  .map(([beginning, continuation]) => {
    const first = beginning.map((choice) => ({ choice, writer: undefined, changed: {} }));
    let number = 0;
    return [first, ...continuation].map((records) =>
      records.map(({ choice, writer, changed }) => {
        number += 1;
        return { tenantIdentity: writer ?? choice.tenant, record: toRecord(choice, number), changed };
      }),
    );
  });
