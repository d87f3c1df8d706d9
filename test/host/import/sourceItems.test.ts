import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
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
    const source = await openSource(await write(text));
    const readKinds = async (): Promise<string[]> => {
      const kinds: string[] = [];
      for await (const item of source.readItems())
        kinds.push(`${item.kind === 'event' ? `event ${item.identity.at(-1)}` : item.kind} line ${item.line}`);
      return kinds;
    };
    const kinds = await readKinds();
    expect(await readKinds()).to.eql(kinds);
    return kinds;
  };

  const EVENTS = [event(1), event(2)];
  const READ = ['creation line 1', 'event 2 line 2'];
  const READ_AS_LIST = ['creation line 1', 'event 2 line 1'];
  const NEWEST_FIRST = [event(3), event(2)];

  it('begin after a byte order mark', async () => {
    expect(await read(`\ufeff${asLines(...EVENTS)}`)).to.eql(READ);
  });

  it('are those of lines after a first line that is none', async () => {
    for (const first of ['{broken\n', '{}\n', '[]x\n', 'null\n', '{"locations":[{}]}\n'])
      expect(await read(`${first}${asLines(event(2))}`), first).to.eql(['refusal line 1', 'event 2 line 2']);
  });

  it('are those of an array, of a list and of one object, on one line or on several', async () => {
    for (const space of [0, 2]) {
      expect(await read(JSON.stringify(EVENTS, null, space))).to.eql(READ_AS_LIST);
      expect(await read(JSON.stringify({ events: EVENTS }, null, space))).to.eql(READ_AS_LIST);
      expect(await read(JSON.stringify(event(2), null, space))).to.eql(['event 2 line 1']);
    }
    expect(await read(JSON.stringify([ASSET_READ, ...NEWEST_FIRST]))).to.eql([
      'asset line 1',
      'event 2 line 1',
      'event 3 line 1',
    ]);
  });

  it('are in the order of an API where the times of a list are equal', async () => {
    const events = NEWEST_FIRST.map((each) => ({ ...each, timestamp_accepted: '2021-03-01T00:00:00Z' }));
    expect(await read(JSON.stringify({ events }))).to.eql(['event 2 line 1', 'event 3 line 1']);
  });

  it('are refusals for each line that is no list between lists', async () => {
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
    expect(await read(JSON.stringify({ events: [], locations: [{}], next_page_token: '' }))).to.eql(['refusal line 1']);
  });

  it('are refusals for members of a list that are none, and for objects', async () => {
    for (const more of [{ locations: [{}] }, { assets: 'x' }, { assets: {} }, { assets: 0 }, { summary: {} }])
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
      'event 2 line 1',
      'refusal line 2',
    ]);
  });

  it('are a refusal for a byte order mark and nothing else', async () => {
    expect(await read('\ufeff')).to.eql(['refusal line 1']);
  });

  it('are refusals for what is cut off, not JSON or not UTF-8', async () => {
    expect(await read('{"events":[')).to.eql(['refusal line 1']);
    expect(await read('not json at all\n')).to.eql(['refusal line 1']);
    expect(await read(Buffer.from(`${asLines(event(2))}"\xff"\n`, 'latin1'))).to.eql([
      'event 2 line 1',
      'refusal line 2',
    ]);
    for (const blank of ['', '\n \n']) expect(await read(blank)).to.eql([]);
  });

  it('are not read from lists of more than 256 MiB', async () => {
    const path = await write(asLines([event(2)]));
    await truncate(path, 256 * 2 ** 20 + 1);
    const error = await openSource(path).catch((reason) => reason);
    expect(error.message).to.match(/has lists of 268435457 bytes; the limit is 268435456$/);
  });

  it('are not read from a missing file, a directory or a pipe', async () => {
    const pipe = join(directory.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [join(directory.path, 'missing'), directory.path, pipe])
      expect(await openSource(path).catch((error) => error), path).to.be.an('error');
  });
});
