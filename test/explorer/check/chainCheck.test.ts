// The check of an event against the contract, and the words of Solidity's ABI that it reads.
import { expect } from 'chai';
import { type ChainVerdict, checkOnChain } from '../../../explorer/check/chainCheck.ts';
import { fetchStored } from '../../../explorer/check/recordOf.ts';
import { toChecksumAddress } from '../../../ledger/encoding/address.ts';
import { toDomainSeparator, toRecordDigest } from '../../../ledger/encoding/digest.ts';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { requireEventClaim } from '../../../ledger/evidence/bundle/claimChecks.ts';
import { toEventResource, withoutPrincipals } from '../../../ledger/records/event.ts';
import { ALPHA, anAttach, anAttachment, anEvent } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const CONTRACT = `0x${'c7'.repeat(20)}` as const;
const LEDGER = { contract: CONTRACT, chain_id: '19' };
/** What other programs have as the selector of `recordOf(bytes32,bytes32)`. */
const RECORD_OF = '0xef10d94a';
const SECONDS = 1_767_225_600;
const TIME = '2026-01-01T00:00:00Z';
const EVENT = toEventResource(anEvent(), ALPHA, {
  confirmation_status: 'CONFIRMED',
  timestamp_committed: TIME,
  block_number: 18,
  transaction_index: 0,
  log_index: 0,
  transaction_id: `0x${'ab'.repeat(32)}`,
  from: toChecksumAddress(`0x${'1d'.repeat(20)}`),
});

const digestOf = (event: unknown): string => {
  const domain = toDomainSeparator({ chainId: 19, contract: fromHex(CONTRACT) });
  return toHex(toRecordDigest(domain, requireEventClaim(event).content));
};
const toWords = (digest: string, sequence: number): string =>
  `${digest.slice(0, 58)}${'0'.repeat(8)}${sequence.toString(16).padStart(64, '0')}`;

describe('the check of an event against the contract', () => {
  let answers: Record<string, unknown>;
  let asked: [string, readonly unknown[]][];
  beforeEach(() => {
    asked = [];
    answers = {
      eth_chainId: '0x13',
      eth_call: toWords(digestOf(EVENT), 5),
      eth_getBlockByNumber: { timestamp: `0x${SECONDS.toString(16)}` },
    };
  });
  const request = async (method: string, params: readonly unknown[]) => {
    asked.push([method, params]);
    return answers[method];
  };
  const check = (event: unknown = EVENT): Promise<ChainVerdict> => checkOnChain(request, LEDGER, event);
  const refutedOf = async (event?: unknown): Promise<string[]> => {
    const { isVerified, findings, uncovered } = await check(event);
    const refuted = findings.filter(({ answer }) => answer === 'refuted');
    expect([isVerified, uncovered, refuted[0]?.text]).to.not.deep.include(undefined);
    expect([isVerified, uncovered]).to.eql([false, []]);
    return refuted.map(({ question }) => question);
  };
  const errorOf = (): Promise<string> =>
    check().then(
      () => 'no error',
      (error: Error) => error.message,
    );

  it('asks a node for the chain, the record and the block', async () => {
    await check();
    expect(asked.map(([method]) => method)).to.eql(['eth_chainId', 'eth_call', 'eth_getBlockByNumber']);
    expect(asked[2]![1]).to.eql(['0x12', false]);
    const [{ to, data }, tag] = asked[1]![1] as [{ to: string; data: string }, string];
    expect([to, tag, data.length]).to.eql([CONTRACT, 'latest', 2 + 8 + 64 + 64]);
    expect(data.slice(0, 10)).to.equal(RECORD_OF);
  });

  it('verifies content, author and chain, and says what it does not reach', async () => {
    const { isVerified, findings, uncovered } = await check();
    const proved = findings.filter(({ answer }) => answer === 'proved').map(({ question }) => question);
    expect([isVerified, proved]).to.eql([true, ['content', 'author', 'chain']]);
    expect(uncovered).to.eql(['transaction_id', 'transaction_index', 'log_index']);
    const position = findings.find(({ question }) => question === 'position')!;
    expect([position.answer, position.text]).to.eql([
      'not answered',
      'record 5 of its asset; block 18 has the time that the event names, and the event’s evidence proves that it is in this block',
    ]);
  });

  it('does not reach shown attachments', async () => {
    const attach = toEventResource(anAttach([2]), ALPHA, { ...EVENT, confirmation_status: 'CONFIRMED' } as never, [
      anAttachment(2),
    ]);
    answers.eth_call = toWords(digestOf(attach), 5);
    expect((await check(attach)).uncovered).to.include('asset_attributes/arc_attachments');
  });

  it('refutes another content, author, chain, block and time', async () => {
    expect(await refutedOf({ ...EVENT, event_attributes: { other: 'x' } })).to.eql(['content']);
    expect(await refutedOf({ ...EVENT, from: EVENT.from!.toLowerCase() })).to.eql(['author']);
    expect(await refutedOf({ ...EVENT, timestamp_committed: '2026-01-01T00:00:01Z' })).to.eql(['position']);
    expect(await refutedOf({ ...EVENT, block_number: '18' })).to.have.length(1);
    answers.eth_getBlockByNumber = null;
    expect(await refutedOf()).to.eql(['position']);
    answers.eth_chainId = '0x14';
    expect(await refutedOf()).to.eql(['chain']);
  });

  it('refutes nothing of an event without its principals, or without another member', async () => {
    for (const event of [withoutPrincipals(EVENT), { identity: EVENT.identity }, null])
      expect(await rejectionOf(check(event))).to.equal('EVIDENCE_UNREADABLE');
  });

  it('refutes what the contract does not have', async () => {
    answers.eth_call = toWords(`0x${'0'.repeat(64)}`, 0);
    expect(await refutedOf()).to.eql(['content']);
  });

  it('fails where no contract answers, or no time is one', async () => {
    for (const timestamp of ['0x3afff44180', '-1', undefined, 'x']) {
      answers.eth_getBlockByNumber = { timestamp };
      expect(await errorOf(), String(timestamp)).to.match(/no time of block 18/);
    }
    answers.eth_getBlockByNumber = { timestamp: '0x3afff4417f' };
    expect(await refutedOf()).to.eql(['position']);
    answers.eth_getBlockByNumber = { timestamp: '0x0' };
    expect(await refutedOf()).to.eql(['position']);
    answers.eth_call = '0x';
    expect(await errorOf()).to.match(/^There is no ledger contract at 0x/);
  });

  it('passes on what is no refutation', async () => {
    const failure = new Error('no network');
    const error = await checkOnChain(() => Promise.reject(failure), LEDGER, EVENT).catch((reason) => reason);
    expect(error).to.equal(failure);
  });
});

describe('what the contract stores of a record', () => {
  const keys = { tenantKey: new Uint8Array(32).fill(1), recordKey: new Uint8Array(32).fill(2) };
  const read = (result: unknown) => fetchStored(async () => result, CONTRACT, keys);

  it('is the 28 bytes of its hash and its sequence', async () => {
    const hash = 'ab'.repeat(28);
    expect(await read(`0x${hash}${'0'.repeat(8)}${'0'.repeat(62)}0a`)).to.eql({ hash: `0x${hash}`, sequence: 10 });
  });

  it('is nothing of another form', async () => {
    for (const result of ['0x', `0x${'1'.repeat(128)}`, `0x${'0'.repeat(127)}`, null])
      expect(await read(result).catch((error: Error) => error.message)).to.match(/no ledger contract/);
  });
});
