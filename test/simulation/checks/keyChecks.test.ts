// What a request with a used `Idempotency-Key` may be refused with.
import { expect } from 'chai';
import type { CreationRequest, History, Refusal, Sight } from '../clients/history.ts';
import { checkKeys } from './keyChecks.ts';

const ANSWERED_MS = 100;
const INDEX_CLOSED = 'the index could not be reopened';
const FAILED_REPLAY = 'The journal is damaged';

const requestOf = (label: string, parts: Partial<CreationRequest>): CreationRequest => ({
  label,
  kind: 'createEvent',
  tenantIdentity: 'tenant/1',
  streamIdentity: 'assets/1',
  key: 'key',
  body: {},
  attempts: [],
  sights: [],
  ...parts,
});

const sight = { sentMs: 0, atMs: ANSWERED_MS, identity: 'assets/1/events/1', status: 'PENDING' } as Sight;

const refusalOf = (parts: Pick<Refusal, 'code' | 'message'>): Refusal => ({
  ...parts,
  atMs: ANSWERED_MS + 10,
  starts: 1,
  outboxCountMax: 0,
  outboxFailed: 0,
});

// The second of two requests with one key, sent after the answer to the first.
const findWrong = (parts: Pick<Refusal, 'code' | 'message'>): string[] => {
  const first = requestOf('r0', { sights: [sight] });
  const rival = requestOf('r0 again', { attempts: [{ sentMs: ANSWERED_MS, outcome: refusalOf(parts) }] });
  const history = { requests: [first, rival] } as unknown as History;
  const failed = [{ tenantIdentity: 'tenant/1', record: {} as never, identity: sight.identity, label: 'r0' }];
  return checkKeys({ history, records: [], failed }).map(({ text }) => text);
};

describe('a request with a used key', () => {
  it('is refused with a conflict', () => {
    expect(findWrong({ code: 'IDEMPOTENCY_CONFLICT', message: '' })).to.deep.equal([]);
  });

  it('is refused otherwise while the key cannot be looked up', () => {
    expect(findWrong({ code: 'INDEX_REBUILDING', message: '' })).to.deep.equal([]);
    expect(findWrong({ code: 'STORAGE_FULL', message: INDEX_CLOSED })).to.deep.equal([]);
    expect(findWrong({ code: 'CHAIN_UNAVAILABLE', message: `${FAILED_REPLAY}: block 4` })).to.deep.equal([]);
  });

  it('is not refused because the chain accepts no transactions', () => {
    expect(findWrong({ code: 'CHAIN_UNAVAILABLE', message: 'Block 4 could not be written' })).to.have.length(1);
  });

  it('does not reach the outbox', () => {
    const message = 'the outbox cannot be written; retrying every 1000 ms';
    expect(findWrong({ code: 'STORAGE_FULL', message })).to.deep.equal([
      'r0 again, with a used key, is not refused with a conflict',
    ]);
  });
});
