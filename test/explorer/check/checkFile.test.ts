// What is checked of a file that a person gives, and what leaves the browser of it.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type CheckResult, checkFile } from '../../../explorer/check/checkFile.ts';
import { EVENT_IDENTITY, isEvent, readKind } from '../../../explorer/check/givenFile.ts';
import { runCheck, settle } from '../../../explorer/check/runCheck.ts';
import { toChecksumAddress } from '../../../ledger/encoding/address.ts';
import { UnreadableEvidence } from '../../../ledger/evidence/unreadableEvidence.ts';
import { toEventResource, withoutPrincipals } from '../../../ledger/records/event.ts';
import { ALPHA, anEvent } from '../../support/records.ts';
import { useStubs } from '../inNode/stubs.ts';

const UUIDS = ['6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a', '7d0f2b9a-3c51-4a57-8f0e-2b1c9d4e6f80'] as const;
const EVENT = toEventResource(anEvent({ identity: `assets/${UUIDS[0]}/events/${UUIDS[1]}` }), ALPHA, {
  confirmation_status: 'CONFIRMED',
  timestamp_committed: '2026-01-01T00:00:00Z',
  block_number: 18,
  transaction_index: 0,
  log_index: 0,
  transaction_id: `0x${'ab'.repeat(32)}`,
  from: toChecksumAddress(`0x${'1d'.repeat(20)}`),
});
const EVIDENCE = `/svc/v1/assets/${UUIDS[0]}/events/${UUIDS[1]}:evidence`;
const MAX = 64 * 1_024 * 1_024;
const { signal } = new AbortController();
const toBlob = (value: unknown): Blob => new Blob([typeof value === 'string' ? value : JSON.stringify(value)]);

describe('the check of a file', () => {
  const { answers, sent } = useStubs();
  const pathsOf = (): string[] => sent.map(({ path }) => path.split('?')[0]!);
  const BLOBS = [{ identity: 'blobs/1', attached_by: [], attached_by_total: 0 }];
  beforeEach(() => {
    answers.set('/svc/v1/blobs', () => ({ blobs: BLOBS }));
    answers.set('/ui/config.json', () => ({
      contract: `0x${'c7'.repeat(20)}`,
      chain_id: '19',
      rpc: true,
      issuers: [],
    }));
  });
  const errorOf = (checked: Promise<CheckResult>): Promise<unknown> => checked.catch((error) => error);

  it('finds a file that is no record by its hash, of which alone the server learns', async () => {
    for (const content of ['', 'no JSON', '{"identity":"assets/x"}', '[]', '"\u00e9"']) {
      sent.length = 0;
      const hash = createHash('sha256').update(content).digest('hex');
      expect(await checkFile(toBlob(content), { signal })).to.eql({ kind: 'file', hash, blobs: BLOBS, statedBy: [] });
      expect(sent).to.eql([{ path: `/svc/v1/blobs?hash=${hash}`, body: '' }]);
    }
    expect(await checkFile(new Blob([Uint8Array.of(0xff)]), { signal })).to.deep.include({ kind: 'file' });
  });

  it('reads no file of more than 64 MiB', async () => {
    const file = { size: MAX, arrayBuffer: async () => new ArrayBuffer(1) } as Blob;
    expect(await checkFile(file, { signal })).to.deep.include({ kind: 'file' });
    const error = await errorOf(checkFile({ ...file, size: MAX + 1 } as Blob, { signal }));
    expect((error as Error).message).to.match(/more than 64 MiB/);
  });

  it('asks the chain about an event, and the server for its proofs when the reader has roots', async () => {
    answers.set('/rpc', () => ({ result: '0x14' }));
    expect(await checkFile(toBlob(EVENT), { signal })).to.deep.include({ kind: 'chain' });
    expect(pathsOf().filter((path) => path !== '/ui/config.json')).to.not.include(EVIDENCE);
    sent.length = 0;
    await errorOf(checkFile(toBlob(EVENT), { trust: '{}', signal }));
    expect(pathsOf()).to.have.length(1);
    expect(pathsOf()[0])
      .to.include(UUIDS[0])
      .and.to.include(UUIDS[1])
      .and.to.match(/evidence/);
  });

  it('refutes nothing of an event as everybody sees it, or without a member', async () => {
    answers.set('/rpc', () => ({ result: '0x14' }));
    const { from: _, ...lacking } = EVENT;
    for (const event of [withoutPrincipals(EVENT), lacking]) {
      const outcome = await settle(() => checkFile(toBlob(event), { signal }));
      expect(outcome).to.have.nested.property('error.cause.code', 'EVIDENCE_UNREADABLE');
    }
  });

  it('asks nobody about an evidence file', async () => {
    const error = await errorOf(checkFile(toBlob({ ...UNREADABLE }), { signal }));
    expect(error).to.be.instanceOf(UnreadableEvidence);
    expect(sent).to.eql([]);
  });

  it('blames an evidence file, and not the roots of the reader, when the file names no ledger', async () => {
    for (const ledger of [undefined, null, {}, { chain_id: 19 }, { contract: `0x${'c7'.repeat(20)}` }]) {
      const error = await errorOf(checkFile(toBlob({ ...UNREADABLE, ledger }), { signal }));
      expect(error).to.be.instanceOf(UnreadableEvidence);
      expect((error as Error).message, JSON.stringify(ledger)).to.match(/^the file names no ledger/);
    }
  });

  it('is an error as a value', async () => {
    const failure = new Error('x');
    expect(await settle(() => Promise.reject(failure))).to.eql({ error: failure });
    const result = { kind: 'file', hash: '', blobs: [], statedBy: [] } as const;
    expect(await runCheck(async ({ checkFile: loaded }) => (loaded === checkFile ? result : Promise.reject()))).to.eql({
      result,
    });
  });
});

const UNREADABLE = { format: 'provenance-ledger/evidence/1' };

describe('the kind of a file', () => {
  const kindOf = (value: unknown) => readKind(new TextEncoder().encode(JSON.stringify(value)));

  it('is that of an event by its identity', () => {
    expect(kindOf(EVENT)).to.eql({ event: EVENT });
    for (const value of [null, 7, {}, { identity: `${EVENT.identity}0` }, { identity: `x${EVENT.identity}` }])
      expect(isEvent(value), JSON.stringify(value)).to.equal(false);
    expect(EVENT_IDENTITY.exec(EVENT.identity)?.slice(1)).to.eql(UUIDS);
  });

  it('is none of other JSON, and unreadable where it is no JSON', () => {
    expect(kindOf({ a: 1 })).to.equal(undefined);
    for (const bytes of [Uint8Array.of(0xff), new TextEncoder().encode('{')])
      expect(() => readKind(bytes)).to.throw(UnreadableEvidence);
  });

  it('is that of the JSON after a byte order mark', () => {
    expect(readKind(new TextEncoder().encode(`\ufeff${JSON.stringify(EVENT)}`))).to.eql({ event: EVENT });
  });
});
