// Time stamps of the checkpoint that is shown, by an authority of OpenSSL behind HTTP, and by authorities that lie.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fromBER, Sequence, Utf8String } from 'asn1js';
import { expect } from 'chai';
import type { SignedHead } from '../../../chain/blockLog/blockLog.ts';
import { openTimestamping, type Timestamping } from '../../../host/evidence/timestamping.ts';
import { decodeSignedNote } from '../../../ledger/evidence/signedNote.ts';
import { createNumberedChain } from '../../support/blockLogs.ts';
import { useDirectories } from '../../support/directories.ts';
import { skipWithoutPrograms } from '../../support/missing.ts';
import { failureOf } from '../../support/refusals.ts';
import { createTimestampAuthority, type TimestampAuthority } from '../../support/timestampAuthority.ts';
import { until } from '../../support/until.ts';
import { signBlocks } from '../../support/witnesses.ts';

type Answer = (query: Uint8Array) => Promise<{ status?: number; bytes: Uint8Array }>;

const toHead = (size: number): SignedHead => ({
  note: signBlocks(createNumberedChain(), size),
  size,
  newestBlock: size - 1,
  signedAtSeconds: 1_000,
});

const textOf = ({ note }: SignedHead): Uint8Array => Buffer.from(decodeSignedNote(note).text);

// The same answer with a text beside its status.
const withText = (answer: Uint8Array, characters: number): Uint8Array => {
  const { result } = fromBER(answer) as unknown as { result: Sequence };
  const [status, ...token] = result.valueBlock.value as [Sequence, Sequence];
  const texts = new Sequence({ value: [new Utf8String({ value: 'x'.repeat(characters) })] });
  status.valueBlock.value.push(texts);
  return new Uint8Array(new Sequence({ value: [status, ...token] }).toBER());
};

const flip = (bytes: Uint8Array, at: number): Uint8Array => bytes.with(at, bytes[at]! ^ 1);
const spoil = (bytes: Uint8Array): Uint8Array => flip(bytes, bytes.length - 1);

describe('the time stamp of a checkpoint', () => {
  const makeDirectory = useDirectories();
  let directory: string;
  let authority: TimestampAuthority;
  let other: TimestampAuthority;
  let problems: string[];
  let requests: number;
  let answer: Answer;
  let url: string;
  const opened: Timestamping[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    expect(request.headers['content-type']).to.equal('application/timestamp-query');
    const { status = 200, bytes } = await answer(Buffer.concat(chunks));
    requests += 1;
    response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(bytes);
  });

  before(async function () {
    skipWithoutPrograms(this, 'openssl');
    const create = async () => createTimestampAuthority(await makeDirectory());
    [authority, other] = [await create(), await create()];
    server.listen(0, '127.0.0.1');
    await until(() => server.listening);
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}/tsa`;
  });
  beforeEach(async () => {
    directory = await makeDirectory();
    problems = [];
    requests = 0;
    answer = async (query) => ({ bytes: await authority.answer(query) });
  });
  afterEach(() => Promise.all(opened.splice(0).map(({ stop }) => stop())));
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const open = async (head?: SignedHead): Promise<Timestamping> => {
    const onProblem = (message: string): void => void problems.push(message);
    const timestamping = await openTimestamping({ directory, url, caFile: authority.allFile, onProblem }, head);
    opened.push(timestamping);
    return timestamping;
  };

  it('is one that OpenSSL verifies, is kept over a start, and is requested once for each checkpoint', async () => {
    const [first, second] = [toHead(5), toHead(9)];
    const { stamp, find } = await open();
    expect(find(first)).to.equal(undefined);
    stamp(first);
    stamp(first);
    await until(() => find(first) !== undefined);
    stamp(first);
    expect(await authority.verify(find(first)!, textOf(first))).to.equal(true);
    expect([find(second), requests]).to.deep.equal([undefined, 1]);
    const again = await open(first);
    expect(again.find(first)).to.deep.equal(find(first));
    again.stamp(second);
    await until(() => again.find(second) !== undefined);
    expect([again.find(first), requests, problems]).to.deep.equal([undefined, 2, []]);
    expect((await open(first)).find(first)).to.equal(undefined);
  });

  it('may come with a text, in an answer that is not large', async () => {
    const head = toHead(5);
    answer = async (query) => ({ bytes: withText(await authority.answer(query), 100) });
    const { stamp, find } = await open();
    stamp(head);
    await until(() => find(head) !== undefined);
    expect(await authority.verify(find(head)!, textOf(head))).to.equal(true);
  });

  it('is not used when its file is damaged', async () => {
    const head = toHead(5);
    const { stamp, find } = await open();
    stamp(head);
    await until(() => find(head) !== undefined);
    const path = join(directory, 'timestamp');
    const token = await readFile(path);
    for (const bytes of [Buffer.alloc(0), token.subarray(1), spoil(token)]) {
      await writeFile(path, bytes);
      expect((await open(head)).find(head)).to.equal(undefined);
    }
  });

  const LIES: readonly (readonly [string, Answer])[] = [
    ['that is no answer', async () => ({ bytes: await authority.stamp(Buffer.from('other')) })],
    // The hash follows its tag and length.
    [
      'of another message',
      async (query) => ({
        bytes: await authority.answer(flip(query, Buffer.from(query).indexOf('0420', 0, 'hex') + 2)),
      }),
    ],
    ['of an earlier request', async () => ({ bytes: earlier! })],
    ['of another authority', async (query) => ({ bytes: await other.answer(query) })],
    ['with a wrong signature', async (query) => ({ bytes: spoil(await authority.answer(query)) })],
    ['that was refused', async () => ({ bytes: await authority.answer(Buffer.from('30030201', 'hex')) })],
    ['cut off', async (query) => ({ bytes: (await authority.answer(query)).subarray(0, -1) })],
    ['of nothing', async () => ({ bytes: new Uint8Array() })],
    ['without end', async () => ({ bytes: new Uint8Array(100_000) })],
    ['in a large answer', async (query) => ({ bytes: withText(await authority.answer(query), 8_192) })],
    ['with status 500', async (query) => ({ status: 500, bytes: await authority.answer(query) })],
  ];
  let earlier: Uint8Array | undefined;
  for (const [name, lie] of LIES) {
    it(`is not one ${name}, which is reported once; the next is used`, async () => {
      const head = toHead(5);
      if (name === 'of an earlier request') {
        const { stamp, find } = await open();
        answer = async (query) => {
          earlier = await authority.answer(query);
          return { bytes: earlier };
        };
        stamp(head);
        await until(() => find(head) !== undefined);
        directory = join(directory, 'new');
        await mkdir(directory);
        requests = 0;
      }
      answer = lie;
      const { stamp, find } = await open();
      for (const expected of [1, 2]) {
        await until(() => {
          stamp(head);
          return requests >= expected;
        });
      }
      await until(() => problems.length > 0);
      expect([find(head), problems.length]).to.deep.equal([undefined, 1]);
      answer = async (query) => ({ bytes: await authority.answer(query) });
      await until(() => {
        stamp(head);
        return find(head) !== undefined;
      });
      expect(problems).to.have.length(2);
    });
  }

  it('needs certificates', async () => {
    const options = { directory, url, onProblem: () => undefined };
    await writeFile(join(directory, 'empty.pem'), '');
    for (const caFile of ['none.pem', 'empty.pem'].map((name) => join(directory, name)))
      expect(((await failureOf(openTimestamping({ ...options, caFile }, undefined))) as Error).message).to.include(
        'TSA_CA_FILE',
      );
  });
});
