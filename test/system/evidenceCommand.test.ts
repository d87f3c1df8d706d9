// npm run evidence on a running server, and what npm run verify says of its files.
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { findServer } from '../../host/operator/controlClient.ts';
import { encodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { runScript, toProblems } from '../support/runScript.ts';
import { runVerify } from '../support/runVerify.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';

const EVENTS = 4;

describe('npm run evidence', () => {
  let root: string;
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: ServerProcess | undefined;
  let asset: string;
  let event: string;
  let policy: string;
  let at: string;
  let tenant: string;
  let trust: string;

  const run = (...args: string[]) => runScript('evidence.ts', dataDir, args);
  const pathOf = (name: string): string => join(root, name);

  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
    dataDir = join(root, 'data');
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'silent', LOG_ORIGIN: 'log.example/1' });
    const token = (await runScript('token.ts', dataDir)).stdout.trim();
    const post = async (path: string, body: object) =>
      (await send<{ identity: string; tenant_identity: string }>(`${server!.url}/svc/v2/${path}`, token, { body }))
        .body;
    ({ identity: asset, tenant_identity: tenant } = await post('assets', { attributes: {} }));
    const record = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: {} };
    const events = await Promise.all(Array.from({ length: EVENTS }, () => post(`${asset}/events`, record)));
    event = events.at(-1)!.identity;
    at = new Date().toISOString();
    const weight = { description: 'weight', display_name: 'weight', richness_assertions: [{ or: ['weight>=10'] }] };
    const body = { compliance_type: 'COMPLIANCE_RICHNESS', asset_filter: [], ...weight };
    const policies = `${server.url}/svc/v1/compliance_policies`;
    policy = (await send<{ identity: string }>(policies, token, { body })).body.identity;
    const { chainId, contract } = await findServer(dataDir);
    const { logKey } = createCheckpointSigner(
      'log.example/1',
      await (await openKeyring(dataPaths(dataDir).keys)).requireLogKey(),
    );
    trust = pathOf('trust.json');
    await writeFile(trust, JSON.stringify({ chain_id: chainId, contract, logs: [encodeVerifierKey(logKey)] }));
  });
  after(async () => {
    await server?.stop('SIGKILL');
    await remove();
  });

  const kinds: readonly [name: string, toArgs: () => string[]][] = [
    // First what needs a checkpoint: an event that is alone in its block has a file before one, without an anchor.
    ['a history', () => [asset]],
    ['an event', () => [event]],
    ['an event with the code', () => [event, '--code']],
    ['a history with its records', () => [asset, '--records']],
    ['a range', () => [asset, '--from', '2', '--to', '3']],
    ['a verdict', () => [asset, '--policy', policy]],
    ['a verdict of a time', () => [asset, '--policy', policy, '--at', at]],
    ['an absence', () => ['assets/00000000-0000-4000-8000-000000000000', '--absent']],
    ['the list of a tenant', () => [tenant]],
    ['the list of a tenant with the code', () => [tenant, '--code']],
  ];
  for (const [name, toArgs] of kinds) {
    it(`writes a file that verify accepts under the key of the log: ${name}`, async () => {
      const file = pathOf(`${name}.json`);
      const { code, stdout, stderr } = await run(...toArgs(), '--out', file);
      expect([code, stdout], stderr).to.deep.equal([0, '']);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      const verified = await runVerify(file, '--trust', trust);
      expect(verified.code, verified.output).to.equal(0);
      expect(/^code +proved/m.test(verified.output)).to.equal(toArgs().includes('--code'));
    });
  }

  it('writes a file that is read with a byte order mark too, as roots of trust are', async () => {
    const [file, marked, markedTrust] = ['plain.json', 'marked.json', 'marked-trust.json'].map(pathOf) as [
      string,
      string,
      string,
    ];
    expect((await run(event, '--out', file)).code).to.equal(0);
    for (const [from, to] of [
      [file, marked],
      [trust, markedTrust],
    ] as const)
      await writeFile(to, `\ufeff${await readFile(from, 'utf8')}`);
    expect((await runVerify(file, '--trust', trust)).code).to.equal(0);
    expect((await runVerify(marked, '--trust', trust)).code).to.equal(0);
    expect((await runVerify(file, '--trust', markedTrust)).code).to.equal(0);
  });

  it('writes to standard output', async () => {
    const { code, stdout, stderr } = await run(event);
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.have.property('format', 'provenance-ledger/evidence/1');
  });

  it('writes no file over another, and none after a refusal', async () => {
    await writeFile(pathOf('mine'), 'mine');
    const refused = await run(event, '--out', pathOf('mine'));
    expect([refused.code, toProblems(refused).includes(`${pathOf('mine')} exists`)]).to.deep.equal([1, true]);
    expect(await readFile(pathOf('mine'), 'utf8')).to.equal('mine');
    for (const args of [[asset, '--absent'], [asset, '--to', '99'], ['x'], [asset, '--from', '0'], [tenant]]) {
      const out = args[0] === tenant ? [] : ['--out', pathOf('none')];
      const { code, stdout } = await run(...args, ...out);
      expect([args, code, stdout]).to.deep.equal([args, 1, '']);
    }
    expect(await stat(pathOf('none')).catch(() => undefined)).to.equal(undefined);
  });

  it('writes none of the two files of a tenant when one of them exists', async () => {
    for (const name of ['list.json', 'list.json.leaves']) {
      const directory = pathOf(`with ${name}`);
      await mkdir(directory);
      await writeFile(join(directory, name), 'mine');
      const refused = await run(tenant, '--out', join(directory, 'list.json'));
      expect([refused.code, toProblems(refused)]).to.deep.equal([
        1,
        `no evidence: ${join(directory, name)} exists; name a new file with --out\n`,
      ]);
      expect(await readdir(directory)).to.deep.equal([name]);
      expect(await readFile(join(directory, name), 'utf8')).to.equal('mine');
    }
  });

  it('removes the leaves of a tenant when it can not write the list', async () => {
    const directory = pathOf('with a link');
    await mkdir(directory);
    // Seen as no file, and refused as one.
    await symlink(join(directory, 'nothing'), join(directory, 'list.json'));
    expect((await run(tenant, '--out', join(directory, 'list.json'))).code).to.equal(1);
    expect(await readdir(directory)).to.deep.equal(['list.json']);
  });

  it('refuses options that do not fit together, before it asks the server', async () => {
    const wrong: readonly (readonly [option: string, ...args: string[]])[] = [
      ['--from', event, '--from', '1', '--records'],
      ['--policy', event, '--policy', policy],
      ['--to', tenant, '--to', '3', '--out', pathOf('none')],
      ['--records', asset, '--absent', '--records'],
      ['--records', asset, '--to', '3', '--records'],
      ['--to', asset, '--from', '1'],
      ['--to', asset, '--policy', policy, '--to', '2'],
      ['--at', asset, '--at', at],
    ];
    for (const [option, ...args] of wrong) {
      const { code, stdout, stderr } = await run(...args);
      expect([args, code, stdout]).to.deep.equal([args, 1, '']);
      expect(stderr.trim().split('\n')).to.have.length(1);
      expect(stderr).to.include(option);
    }
  });

  it('names the command that starts a server when none runs', async () => {
    await server!.stop('SIGTERM');
    server = undefined;
    const { code, stderr } = await run(event);
    expect(code).to.equal(1);
    expect(stderr).to.include('npm start');
  });
});
