// npm run verify with options and files that don't belong together, and files that are none.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { runVerify } from '../support/runVerify.ts';
import { createTemporaryDirectory } from '../support/testLedger.ts';

const CONTRACT = `0x${'ab'.repeat(20)}`;
/** Nothing listens here. */
const NODE = ['--rpc', 'http://127.0.0.1:9', '--contract', CONTRACT];
const NOT_CHECKED = 2;

describe('npm run verify', () => {
  let directory: string;
  let remove: () => Promise<void>;

  before(async () => {
    ({ path: directory, remove } = await createTemporaryDirectory());
    await writeFile(
      pathOf('event.json'),
      JSON.stringify({ identity: 'assets/a/events/b', asset_identity: 'assets/a' }),
    );
    await writeFile(pathOf('evidence.json'), JSON.stringify({ format: 'provenance-ledger/evidence/1' }));
    await writeFile(pathOf('latin1.json'), Buffer.from('{"\xe9":1}', 'latin1'));
    await writeFile(pathOf('trust.json'), JSON.stringify({ chain_id: 1, contract: CONTRACT }));
  });
  after(() => remove());

  const pathOf = (name: string): string => join(directory, name);
  const trusting = (name: string): string[] => [pathOf(name), '--trust', pathOf('trust.json')];

  it('reads an event, an evidence file and roots of trust after a byte order mark', async () => {
    for (const name of ['event.json', 'evidence.json', 'trust.json'])
      await writeFile(pathOf(`marked-${name}`), `\ufeff${await readFile(pathOf(name), 'utf8')}`);
    const [event, evidence, trust] = ['event.json', 'evidence.json', 'trust.json'].map((name) =>
      pathOf(`marked-${name}`),
    );
    for (const [marked, plain] of [
      [
        [event!, ...NODE],
        [pathOf('event.json'), ...NODE],
      ],
      [[evidence!, '--trust', trust!], trusting('evidence.json')],
    ] as const)
      expect(await runVerify(...marked)).to.deep.equal(await runVerify(...plain));
  });

  const refused: Record<string, readonly [toArgs: () => string[], named: RegExp]> = {
    'an evidence file on a node': [() => [pathOf('evidence.json'), ...NODE], /use --trust/],
    'an event offline': [() => trusting('event.json'), /an event needs --rpc and --contract/],
    'roots of trust and a node': [() => [...trusting('evidence.json'), ...NODE], /--rpc and --contract/],
    'roots of trust and a history': [() => [...trusting('evidence.json'), '--history'], /--history/],
    'roots of trust and a token': [() => [...trusting('evidence.json'), '--token', 'x'], /--token/],
    'an evidence file from standard input': [() => ['-', '--trust', pathOf('trust.json')], /a file on the disk/],
    'an evidence file of a URL': [() => ['http://127.0.0.1:9/', '--trust', pathOf('trust.json')], /a file on the disk/],
    'leaves without roots of trust': [() => [pathOf('event.json'), ...NODE, '--leaves', 'x'], /--leaves/],
    'a directory as an evidence file': [() => trusting(''), /is a directory/],
    'a directory as roots of trust': [() => [pathOf('evidence.json'), '--trust', directory], /is a directory/],
    'a file that is not UTF-8': [() => trusting('latin1.json'), /latin1\.json is not UTF-8/],
    'neither a node nor roots of trust': [() => [pathOf('event.json')], /--rpc.*--trust/],
  };
  for (const [name, [toArgs, named]] of Object.entries(refused)) {
    it(`refuses ${name}, in one clear line`, async () => {
      const { code, output } = await runVerify(...toArgs());
      expect(output)
        .to.match(/^can't be checked: .+\n$/)
        .and.match(named);
      expect(code).to.equal(NOT_CHECKED);
    });
  }
});
