import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { findItems } from '../../../host/import/jsonItems.ts';
import { openSource } from '../../../host/import/sourceItems.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

const ASSET = 'assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a';
const event = (n: number) => ({
  identity: `${ASSET}/events/00000000-0000-4000-8000-00000000000${n}`,
  asset_identity: ASSET,
  ...(n === 1 ? { behaviour: 'AssetCreator', operation: 'NewAsset' } : { operation: 'Record' }),
  timestamp_accepted: `2021-03-0${n}T00:00:00Z`,
});
const ASSET_READ = { identity: ASSET, attributes: {} };
const LOCATION = { identity: ASSET.replace('assets', 'locations'), latitude: '1', longitude: '2' };
const POLICY = { identity: ASSET.replace('assets', 'compliance_policies') };
const BLOB = { identity: ASSET.replace('assets', 'blobs') };
const asLines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('the items of a source', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  before(async () => {
    directory = await createTemporaryDirectory();
  });
  after(() => directory.remove());

  const write = async (text: string | Uint8Array): Promise<string> => {
    const path = join(directory.path, 'source');
    await writeFile(path, text);
    return path;
  };
  /** Each item as its kind and line, twice, because a source is read several times. */
  const read = async (text: string | Uint8Array): Promise<string[]> => {
    const refusals: string[] = [];
    const source = await openSource(await write(text), (line) => void refusals.push(`refusal line ${line}`));
    const readKinds = (): string[] =>
      [...source.readItems('asset'), ...source.readItems('creation', 'event', 'location', 'policy', 'blob')].map(
        ({ kind, line, identity }) => `${kind === 'event' ? `event ${identity.at(-1)}` : kind} line ${line}`,
      );
    const kinds = readKinds();
    expect(readKinds()).to.eql(kinds);
    source.close();
    return [...refusals, ...kinds];
  };

  const EVENTS = [event(1), event(2)];
  const READ = ['creation line 1', 'event 2 line 2'];
  const NEWEST_FIRST = [event(3), event(2)];

  it('begin after a byte order mark', async () => {
    expect(await read(`\ufeff${asLines(...EVENTS)}`)).to.eql(READ);
  });

  it('are those of lines after a first line that is none', async () => {
    for (const first of ['{broken\n', '{}\n', '[]x\n', 'null\n', '{"subjects":[{}]}\n', 'a,b\n', '"x\n', '{"a":1,\n'])
      expect(await read(`${first}${asLines(event(2), event(3))}`), first).to.eql([
        'refusal line 1',
        'event 2 line 2',
        'event 3 line 3',
      ]);
  });

  it('are those of an array, of a list and of one object, on one line or on several', async () => {
    const [READ_AS_LIST, ON_LINES] = [
      ['creation line 1', 'event 2 line 1'],
      ['creation line 2', 'event 2 line 9'],
    ];
    for (const [space, expected, offset] of [
      [0, READ_AS_LIST, READ_AS_LIST],
      [2, ON_LINES, ['creation line 3', 'event 2 line 10']],
    ] as const) {
      expect(await read(JSON.stringify(EVENTS, null, space))).to.eql(expected);
      expect(await read(JSON.stringify({ events: EVENTS }, null, space))).to.eql(offset);
      expect(await read(JSON.stringify(event(2), null, space))).to.eql(['event 2 line 1']);
    }
    expect(await read(JSON.stringify([ASSET_READ, ...NEWEST_FIRST]))).to.eql([
      'asset line 1',
      'event 2 line 1',
      'event 3 line 1',
    ]);
  });

  it('are those of all texts, however they follow each other', async () => {
    const pages = [{ events: [event(3)], next_page_token: 'x' }, { events: [event(2)] }, { assets: [ASSET_READ] }];
    const kinds = ['asset', 'event 2', 'event 3'];
    for (const space of [0, 1, '\t'])
      for (const between of ['', '\n', ' ', '\r\n', '\ufeff', '\n\u001e', '\n\n\ufeff']) {
        const text = pages.map((page) => JSON.stringify(page, null, space)).join(between);
        const found = (await read(text)).map((item) => item.replace(/ line .*/, ''));
        expect(found, JSON.stringify([space, between])).to.eql(kinds);
      }
    for (const text of [JSON.stringify(pages), JSON.stringify([[event(3)], [event(2), ASSET_READ]])])
      expect(await read(text)).to.eql(kinds.map((kind) => `${kind} line 1`));
  });

  it('are also locations, policies and files, and lists of them', async () => {
    const kinds = ['location line 1', 'policy line 1', 'blob line 1'];
    const lists = { locations: [LOCATION], compliance_policies: [POLICY], blobs: [BLOB] };
    expect((await read(JSON.stringify(lists))).toSorted()).to.eql(kinds.toSorted());
    expect(await read(asLines(LOCATION, POLICY, BLOB))).to.eql(['location line 1', 'policy line 2', 'blob line 3']);
  });

  it('are those of lists with the prefix of public assets', async () => {
    const shown = JSON.stringify([event(2), ASSET_READ]).replaceAll('"assets/', '"publicassets/');
    expect(await read(shown)).to.eql(['asset line 1', 'event 2 line 1']);
  });

  it('are in the order of an API where the times of a list are equal', async () => {
    const events = NEWEST_FIRST.map((each) => ({ ...each, timestamp_accepted: '2021-03-01T00:00:00Z' }));
    expect(await read(JSON.stringify({ events }))).to.eql(['event 2 line 1', 'event 3 line 1']);
  });

  it('are refusals for each text that is no list between lists', async () => {
    const text = `${asLines({ events: NEWEST_FIRST })}{broken\n${asLines({}, { events: [event(1), 7] })}`;
    expect(await read(text)).to.eql([
      'refusal line 2',
      'refusal line 3',
      'refusal line 4',
      'creation line 4',
      'event 2 line 1',
      'event 3 line 1',
    ]);
  });

  it('are refusals for lists of something else', async () => {
    expect(await read(JSON.stringify({ events: [], subjects: [{}], next_page_token: '' }))).to.eql(['refusal line 1']);
  });

  it('are refusals for members of a list that are none, and for objects', async () => {
    for (const more of [{ subjects: [{}] }, { assets: 'x' }, { assets: {} }, { assets: 0 }, { summary: {} }])
      expect(await read(JSON.stringify({ events: [event(2)], ...more })), JSON.stringify(more)).to.eql([
        'refusal line 1',
        'event 2 line 1',
      ]);
    expect(await read(JSON.stringify({ events: [event(2)], assets: null, more: [], total: 1, next: 'x' }))).to.eql([
      'event 2 line 1',
    ]);
  });

  it('are refusals for what repeats a name, on one line or on several', async () => {
    const list = JSON.stringify([event(2)]);
    expect(await read(`{"events":${list},"events":${list}}\n${asLines([event(3)])}`)).to.eql([
      'refusal line 1',
      'event 3 line 2',
    ]);
    expect(await read(`{\n"events":${list},\n"events":${list}}`)).to.eql(['refusal line 1']);
    expect(await read(`${asLines(event(2))}{"identity":"x",${JSON.stringify(event(3)).slice(1)}`)).to.eql([
      'refusal line 2',
      'event 2 line 1',
    ]);
  });

  it('are a refusal for a byte order mark and nothing else', async () => {
    expect(await read('\ufeff')).to.eql(['refusal line 1']);
  });

  it('are refusals for what is cut off, not JSON or not UTF-8', async () => {
    expect(await read('{"events":[')).to.eql(['refusal line 1']);
    expect(await read('not json at all\n')).to.eql(['refusal line 1']);
    expect(await read(Buffer.from(`${asLines(event(2))}"\xff"\n`, 'latin1'))).to.eql([
      'refusal line 2',
      'event 2 line 1',
    ]);
    for (const blank of ['', '\n \n']) expect(await read(blank)).to.eql([]);
  });

  it('are nothing of a list that is cut off', async () => {
    const text = JSON.stringify({ events: [event(2), event(3)] }, null, 2);
    for (const length of [text.length - 1, text.length - 60, 40])
      expect(await read(text.slice(0, length))).to.eql(['refusal line 1']);
  });

  it('are found across the parts in which a file is read', async () => {
    const large = { ...event(2), event_attributes: { note: '\\"}{€'.repeat(2 ** 18) } };
    expect(await read(asLines(large, event(3), large))).to.eql(['event 2 line 1', 'event 2 line 3', 'event 3 line 2']);
  });

  it('are refusals for what is larger than a server accepts, or nested deeper', async () => {
    const large = asLines({ ...event(2), note: 'x'.repeat(16 * 2 ** 20) });
    const deep = `${'['.repeat(100)}${']'.repeat(100)}\n`;
    expect(await read(`${large}${deep}${asLines(event(3))}`)).to.eql([
      'refusal line 1',
      'refusal line 2',
      'event 3 line 3',
    ]);
  });

  it('are found beside broken lines without reading these again, in many turns of the event loop', async () => {
    const text = Buffer.from(`${'[\n{"broken\n'.repeat(100_000)}{}\n`);
    let [bytesRead, refused, turns, isOver] = [0, 0, 0, false];
    const items: number[] = [];
    const countTurn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await findItems(
      {
        size: text.length,
        read: (from, to) => {
          bytesRead += to - from;
          return text.subarray(from, to);
        },
      },
      {
        onItem: ({ line }) => void items.push(line),
        onRefusal: () => undefined,
        onListBegin: () => undefined,
        onListEnd: () => undefined,
        count: () => items.length,
        keepFirst: () => undefined,
        onTextEnd: () => undefined,
        onTextFailed: () => {
          refused += 1;
        },
      },
    );
    isOver = true;
    expect([items, refused]).to.eql([[200_001], 200_000]);
    expect(bytesRead).to.be.at.most(2 * text.length);
    expect(turns).to.be.greaterThan(2);
  });

  it('are not read from a missing file, a directory, a pipe or UTF-16', async () => {
    const pipe = join(directory.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const wide = join(directory.path, 'wide');
    await writeFile(wide, Buffer.from('\ufeff[]', 'utf16le'));
    for (const path of [join(directory.path, 'missing'), directory.path, pipe, wide])
      expect(await openSource(path, () => {}).catch((error: unknown) => error), path).to.be.an('error');
  });
});
