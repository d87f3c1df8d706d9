// What others wrote, in files, answers and names, never controls the terminal of who runs a command.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { toVisibleText } from '../../ledger/encoding/visible.ts';
import { type CommandScript, type Run, runScript } from '../support/runScript.ts';
import { createTemporaryDirectory } from '../support/testLedger.ts';

const CONTRACT = `0x${'11'.repeat(20)}`;
const ASSET = 'assets/6e2d9c4f-7a1b-4f38-9c05-8d7e6f5a4b3c';
const PROOF = 'PROVED under a root that you named';
/** As a forger writes it: it erases the line, moves up, prints a proof of its own, and hides the rest. */
const HOSTILE = `x\r\x1b[2K\x1b[1A\u009b2K\r\x0b\n${PROOF}\n\u2028\u202e\u200b\x1b[8m`;

const expectHarmless = ({ stdout, stderr }: Run): void => {
  const output = stdout + stderr;
  expect(output).to.equal(toVisibleText(output)).and.not.to.include('\r');
  expect(output.split('\n')).not.to.include(PROOF);
  expect(output).to.include('\\u{1b}[8m');
};

describe('commands that print what others wrote', () => {
  let directory: string;
  let remove: () => Promise<void>;
  let server: Server;
  let url: string;

  before(async () => {
    ({ path: directory, remove } = await createTemporaryDirectory());
    server = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: HOSTILE }, message: HOSTILE }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    await remove();
  });

  const writeJson = async (name: string, value: unknown): Promise<string> => {
    const path = join(directory, name);
    await writeFile(path, JSON.stringify(value));
    return path;
  };

  it('show a forged evidence file as what it is', async () => {
    const ledger = { chain_id: 1, contract: CONTRACT };
    const file = { format: 'provenance-ledger/evidence/1', ledger, claim: { kind: 'event' }, blocks: [], proofs: [] };
    const [forged, trust] = [
      await writeJson('lie.json', { ...file, [HOSTILE]: 1 }),
      await writeJson('trust.json', ledger),
    ];
    const run = await runScript('verify.ts', directory, [forged, '--trust', trust]);
    expect(run.code).to.equal(2);
    expectHarmless(run);
    const bad = await writeJson('badTrust.json', { ...ledger, [HOSTILE]: 1 });
    expectHarmless(await runScript('verify.ts', directory, [forged, '--trust', bad]));
  });

  it('show the answers of a node and of a server', async () => {
    const event = await writeJson('event.json', { identity: HOSTILE });
    expectHarmless(await runScript('verify.ts', directory, [event, '--rpc', url, '--contract', HOSTILE]));
    const lines = join(directory, 'lines.json');
    await writeFile(lines, JSON.stringify({ identity: ASSET, attributes: { arc_display_name: HOSTILE } }));
    expectHarmless(await runScript('import.ts', directory, [lines, '--url', url, '--token', 'x']));
  });

  const NAMING: readonly (readonly [script: CommandScript, args: readonly string[]])[] = [
    ['backup.ts', [HOSTILE]],
    ['clock.ts', ['accept', HOSTILE]],
    ['demo.ts', [HOSTILE]],
    ['deploy.ts', [HOSTILE]],
    ['evidence.ts', [HOSTILE]],
    ['export.ts', ['--out', HOSTILE, HOSTILE]],
    ['import.ts', [HOSTILE]],
    ['logKey.ts', [HOSTILE]],
    ['migrate.ts', [HOSTILE]],
    ['rebuild.ts', [HOSTILE]],
    ['repair.ts', [HOSTILE]],
    ['restore.ts', [HOSTILE]],
    ['tenant.ts', ['admit', HOSTILE]],
    ['tenant.ts', ['create', HOSTILE]],
    ['token.ts', [HOSTILE]],
    ['verify.ts', [HOSTILE, '--trust', HOSTILE]],
  ];
  for (const [script, args] of NAMING)
    it(`show names that ${script} ${args[0] === HOSTILE ? '' : `${args[0]} `}is given, and that of its directory`, async () => {
      const path = join(directory, HOSTILE.replaceAll('/', ''), script);
      await mkdir(path, { recursive: true });
      const run = await runScript(script, path, args);
      expect(run.code).not.to.equal(0);
      const output = run.stdout + run.stderr;
      expect(output).to.equal(toVisibleText(output)).and.not.to.include('\r');
    });
});
