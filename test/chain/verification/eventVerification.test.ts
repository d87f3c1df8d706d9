// The third-party check of an Attach on a real chain, without server and index: the list that it shows is the one that
// the asset's history results in, regardless of who wrote that history, and a node that hides a part of the history is
// detected.
import { expect } from 'chai';
import { createRpcServer } from '../../../chain/embedded/rpc/rpcServer.ts';
import { createRpcClient, type RpcRequest } from '../../../chain/jsonRpc/rpcRequest.ts';
import { type EventVerdict, verifyEvent } from '../../../chain/verification/eventVerification.ts';
import type { SubmittedRecord } from '../../../chain/writing/submission.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { UnreadableEvidence } from '../../../ledger/evidence/unreadableEvidence.ts';
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import type { AttributeValue } from '../../../ledger/records/attributes.ts';
import {
  type EventRecord,
  type EventResource,
  toEventResource,
  withoutPrincipals,
} from '../../../ledger/records/event.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { useTenantsOnChain } from '../../support/chainLedger.ts';
import { type Json, mutationsOf } from '../../support/mutations.ts';
import { ALPHA, aCreation, anAttach, anAttachment, anEvent, assetOf, BETA, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const attachments = (...blobs: number[]) => blobs.map((blob) => anAttachment(blob));
const attachmentEvent = (number: number, arc_attachments: AttributeValue): EventRecord =>
  anEvent({ identity: eventOf(1, number), asset_attributes: { arc_attachments } });
const attaching = (number: number, blobs: number[], fields: Partial<EventRecord> = {}): EventRecord =>
  anAttach(blobs, { identity: eventOf(1, number), ...fields });

const toFailures = ({ isVerified, findings }: EventVerdict): string[] => {
  const failures = findings.filter(({ answer }) => answer === 'refuted').map(({ text }) => text);
  expect(isVerified).to.equal(failures.length === 0);
  return failures;
};

describe('the check of an Attach', () => {
  const ledger = useTenantsOnChain(ALPHA, BETA);

  const submitted = (record: LedgerRecord, fields: Partial<SubmittedRecord> = {}): SubmittedRecord => ({
    tenantIdentity: ALPHA,
    streamIdentity: toStreamIdentityOf(record),
    record,
    payload: encodePayload(record),
    ...fields,
  });

  // Each in a transaction and a block of its own.
  const write = async (...records: (LedgerRecord | SubmittedRecord)[]): Promise<void> => {
    for (const record of records) await ledger.submit('payload' in record ? record : submitted(record));
  };

  const show = async (record: EventRecord, attachmentsAfter?: AttributeValue): Promise<EventResource> =>
    toEventResource(record, ALPHA, await ledger.readCommitment(ALPHA, record.identity), attachmentsAfter);

  const failuresOf = async (event: unknown, request: RpcRequest = ledger.chain.request): Promise<string[]> =>
    toFailures(await verifyEvent(request, ledger.contract, event, { withHistory: true }));
  const isVerified = (event: unknown): Promise<boolean> =>
    failuresOf(event).then(
      (failures) => failures.length === 0,
      (error: unknown) => {
        if (error instanceof UnreadableEvidence) return false;
        throw error;
      },
    );

  it('accepts the list that the creation, events and Attaches before it result in, and no other', async () => {
    const creation = aCreation({ asset_attributes: { arc_attachments: attachments(1) } });
    const [first, second] = [attaching(3, [2]), attaching(6, [8, 9], { asset_attributes: { colour: 'red' } })];
    const set = attachmentEvent(5, attachments(7));
    await write(creation, first, anEvent({ identity: eventOf(1, 4) }), set, second, attaching(7, [10]));
    expect(await failuresOf(await show(first, attachments(1, 2)))).to.deep.equal([]);
    expect(await failuresOf(await show(second, attachments(7, 8, 9)))).to.deep.equal([]);
    const wrong = [
      undefined,
      [],
      '',
      attachments(8, 9),
      attachments(7, 9, 8),
      attachments(7, 8, 9, 10),
      attachments(7),
    ];
    for (const list of wrong) {
      const failures = await failuresOf(await show(second, list));
      expect(failures).to.have.length(1);
      expect(failures[0]).to.match(/^asset_attributes\/arc_attachments /);
    }
  });

  it('refuses every change of a character, a member or a number', async () => {
    const second = attaching(4, [2], { asset_attributes: { colour: 'red' } });
    await write(aCreation(), attaching(3, [1]), second);
    const event = await show(second, attachments(1, 2));
    expect(await isVerified(event)).to.equal(true);
    let count = 0;
    for (const changed of mutationsOf(event as unknown as Json)) {
      if (typeof changed === 'object' && changed !== null && 'added' in changed) continue;
      expect(await isVerified(changed), JSON.stringify(changed)).to.equal(false);
      count += 1;
    }
    expect(count).to.be.greaterThan(900);
  });

  it('ignores what a writer appended to the stream that is no record', async () => {
    const attach = attaching(9, [3]);
    const foreign = anEvent({ identity: eventOf(2, 1), asset_attributes: { arc_attachments: attachments(66) } });
    const saying = attaching(7, [67]);
    await write(
      attachmentEvent(2, attachments(60)),
      aCreation({ asset_attributes: { arc_attachments: attachments(1) } }),
      aCreation({ identity: eventOf(1, 3), asset_attributes: { arc_attachments: attachments(61) } }),
      submitted(attachmentEvent(4, attachments(62)), { payload: Buffer.from('not a payload') }),
      submitted(attachmentEvent(5, attachments(63)), { payload: encodePayload(attachmentEvent(55, attachments(63))) }),
      submitted(foreign, { streamIdentity: assetOf(1) }),
      // An Attach that contains its list itself is no record.
      submitted(saying, {
        payload: encodePayload({ ...saying, asset_attributes: { arc_attachments: attachments(64) } }),
      }),
      submitted(attachmentEvent(8, attachments(65)), { tenantIdentity: BETA }),
      attach,
    );
    expect(await failuresOf(await show(attach, attachments(1, 3)))).to.deep.equal([]);
  });

  it('accepts an Attach without a list, over a value that is none, and before the creation', async () => {
    const early = attaching(1, [1]);
    const odd = attaching(3, [], { event_attributes: { arc_append_attachments: 'nothing' } });
    await write(early, aCreation({ asset_attributes: { arc_attachments: 'text' } }), odd);
    expect(await isVerified(await show(early))).to.equal(true);
    expect(await isVerified(await show(early, attachments(1)))).to.equal(false);
    expect(await isVerified(await show(odd, []))).to.equal(true);
    expect(await isVerified(await show(odd, 'text'))).to.equal(false);
    expect(await isVerified(await show(odd))).to.equal(false);
  });

  it('does not refuse an Attach because of later records, in its own block or after', async () => {
    const [first, second] = [attaching(3, [1]), attaching(4, [2])];
    await write(aCreation());
    await ledger.submit(submitted(first), submitted(second));
    await write(attachmentEvent(5, []));
    expect(await isVerified(await show(first, attachments(1)))).to.equal(true);
    expect(await isVerified(await show(second, attachments(1, 2)))).to.equal(true);
  });

  it('works through the public JSON-RPC port', async () => {
    const attach = attaching(3, [1]);
    await write(aCreation(), attach);
    const rpc = await createRpcServer({
      answer: ledger.chain.answer,
      host: '127.0.0.1',
      port: 0,
      onError: console.error,
    });
    try {
      const request = createRpcClient(rpc.url, 10_000);
      expect(await failuresOf(await show(attach, attachments(1)), request)).to.deep.equal([]);
      expect(await failuresOf(await show(attach, attachments(2)), request)).to.have.length(1);
    } finally {
      await rpc.close();
    }
  });

  describe('by a node with false logs', () => {
    const second = attaching(4, [2]);
    let event: EventResource;
    beforeEach(async () => {
      await write(aCreation(), attaching(3, [1]), second, attaching(5, [3]));
      event = await show(second, attachments(1, 2));
    });

    // The query for one record is passed on; `change` answers the query for the history.
    const lying =
      (change: (logs: unknown[]) => unknown[]): RpcRequest =>
      async (method, params) => {
        const answer = await ledger.chain.request(method, params);
        const isHistory = method === 'eth_getLogs' && (params[0] as { topics: string[] }).topics.length === 3;
        return isHistory ? change(answer as unknown[]) : answer;
      };
    const LIES: [string, (logs: unknown[]) => unknown[]][] = [
      ['omits a record', (logs) => logs.toSpliced(1, 1)],
      ['omits the last record', (logs) => logs.slice(0, 3)],
      ['returns a record twice', (logs) => logs.toSpliced(1, 0, logs[1])],
      ['changes the order', (logs) => [logs[0], logs[2], logs[1], logs[3]]],
      ['returns none', () => []],
      ['returns a record in place of another', (logs) => logs.with(1, logs[2])],
    ];
    for (const [name, change] of LIES) {
      it(`rejects with CHAIN_CORRUPT when it ${name}`, async () => {
        expect(await rejectionOf(verifyEvent(lying(change), ledger.contract, event))).to.equal('CHAIN_CORRUPT');
      });
    }

    it("accepts an honest node's answers, however small their pages", async () => {
      for (const blocksMax of [10_000, 3, 1]) {
        const ranges: number[] = [];
        const bounded: RpcRequest = (method, params) => {
          const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock: Hex; toBlock: Hex };
          const blocks = Number(toBlock) - Number(fromBlock) + 1;
          if (method !== 'eth_getLogs') return ledger.chain.request(method, params);
          if (blocks > blocksMax) return Promise.reject(new Error('the range is too wide'));
          ranges.push(blocks);
          return ledger.chain.request(method, params);
        };
        expect(await failuresOf(event, bounded)).to.deep.equal([]);
        expect(Math.max(...ranges)).to.be.at.most(blocksMax);
      }
    });
  });

  it('answers the questions of evidence, and completeness of an Attach or when it is asked', async () => {
    const attach = attaching(3, [1]);
    const event = anEvent({ identity: eventOf(1, 4) });
    await write(aCreation(), attach, event);
    const provedOf = async (json: unknown, withHistory: boolean): Promise<string[]> => {
      const { findings } = await verifyEvent(ledger.chain.request, ledger.contract, json, { withHistory });
      return findings.filter(({ answer }) => answer === 'proved').map(({ question }) => question);
    };
    const all = ['content', 'author', 'position', 'completeness', 'chain'];
    const withoutHistory = all.filter((question) => question !== 'completeness');
    expect(await provedOf(await show(attach, attachments(1)), false)).to.deep.equal(all);
    expect(await provedOf(await show(event), false)).to.deep.equal(withoutHistory);
    expect(await provedOf(await show(event), true)).to.deep.equal(all);
  });

  it('refutes nothing of an event that lacks what the ledger commits to, is not committed, or is none', async () => {
    const event = anEvent({ identity: eventOf(1, 4) });
    await write(aCreation(), event);
    const shown = await show(event);
    const { principal_declared: _, ...lacking } = shown;
    const unknown = [
      withoutPrincipals(shown),
      { ...withoutPrincipals(shown), operation: 'other' },
      lacking,
      { ...shown, identity: 'events/1' },
      { ...shown, confirmation_status: 'PENDING' },
      {},
      [shown],
      null,
    ];
    for (const json of unknown) expect(await rejectionOf(failuresOf(json))).to.equal('EVIDENCE_UNREADABLE');
    expect(
      await failuresOf({ ...shown, principal_declared: withoutPrincipals(shown).principal_declared }),
    ).to.have.length(1);
  });

  it('verifies an event whose writer recorded no principal', async () => {
    const event = withoutPrincipals({ ...anEvent({ identity: eventOf(1, 4) }) } as unknown as EventResource);
    await write(aCreation(), event as unknown as EventRecord);
    expect(await failuresOf(await show(event as unknown as EventRecord))).to.deep.equal([]);
  });

  it('names what it refutes, and the members that no record covers', async () => {
    const event = anEvent({ identity: eventOf(1, 4) });
    await write(aCreation(), event);
    const shown = await show(event);
    const refutedOf = async (json: unknown, at = ledger.contract): Promise<string[]> => {
      const { findings } = await verifyEvent(ledger.chain.request, at, json);
      return findings.filter(({ answer }) => answer === 'refuted').map(({ question }) => question);
    };
    expect(await refutedOf({ ...shown, operation: 'other' })).to.deep.equal(['content']);
    expect(await refutedOf({ ...shown, from: shown.from.toLowerCase() })).to.deep.equal(['author']);
    expect(await refutedOf({ ...shown, block_number: shown.block_number - 1 })).to.deep.equal(['position']);
    expect(await refutedOf({ ...shown, log_index: 7 })).to.deep.equal(['position']);
    expect(await refutedOf(shown, `0x${'ab'.repeat(20)}`)).to.deep.equal(['chain']);
    const { uncovered } = await verifyEvent(ledger.chain.request, ledger.contract, { ...shown, merkle: 1 });
    expect(uncovered).to.deep.equal(['merkle']);
  });
});
