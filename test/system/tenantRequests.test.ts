// Organisations on one chain, each with a server: a tenant is requested, admitted and served, and its writers are added
// and removed, without a secret between them.
import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { callView } from '../../chain/callView.ts';
import { createTransactionSender } from '../../chain/writing/transactionSender.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { toTenantChoice } from '../../host/tenancy/chosenTenant.ts';
import { listTenants, type TenantState } from '../../host/tenancy/listTenants.ts';
import { addWriterByLine, admitByLine, removeWriter } from '../../host/tenancy/tenantAnswers.ts';
import { requestTenant, requestWriter } from '../../host/tenancy/tenantRequests.ts';
import { createTenantStart } from '../../host/tenancy/tenantStart.ts';
import { acceptSuccession, handOverByLine, requestSuccession } from '../../host/tenancy/tenantSuccession.ts';
import { watchTenants } from '../../host/tenancy/tenantWatch.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { decodeRequestLine, encodeRequestLine } from '../../ledger/tenancy/requestLine.ts';
import { deployOn, type TestNetwork, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { codeOf, NOT_REFUSED, rejectionOf } from '../support/refusals.ts';
import { openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const KILLED = new Error('killed');

describe('tenants of a ledger with several organisations', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let network: TestNetwork;
  let founder: Ledger;
  const open: Ledger[] = [];
  before(async () => {
    node = await startNode(QUICK_NODE);
    network = toNetwork(node.url);
    const dataDir = await createDirectory();
    await deployOn(node, dataDir, network);
    founder = await openTestLedger(dataDir, { network });
  });
  after(async () => {
    for (const ledger of open) await ledger.close();
    await founder.close();
    await node.kill();
  });

  const openAt = async (dataDir: string): Promise<Ledger> => {
    const keyring = await openKeyring(dataPaths(dataDir).keys);
    await setBalance(node, (await keyring.openWallet('relayer')).address);
    return openTestLedger(dataDir, { network: { ...network, contract: founder.contract } });
  };
  const openJoined = async (): Promise<Ledger> => {
    const ledger = await openAt(await createDirectory());
    open.push(ledger);
    return ledger;
  };
  const watch = (ledger: Ledger) => {
    const [lines, problems]: [string[], string[]] = [[], []];
    const watched = watchTenants(ledger, {
      onLine: (line) => lines.push(line),
      onProblem: (message, cause) => problems.push(`${message}: ${(cause as Error).message}`),
      pauseMs: 20,
    });
    return { ...watched, lines, problems };
  };
  const stateOf = async (ledger: Ledger, identity: string): Promise<TenantState | undefined> =>
    (await listTenants(ledger)).find(({ tenantIdentity }) => tenantIdentity === identity)?.state;
  const isServed = (ledger: Ledger, identity: string) => () => ledger.wallets.tenantIdentities().includes(identity);
  const serve = async (ledger: Ledger, name: string) => {
    const requested = await requestTenant(ledger, { name });
    await admitByLine(founder, requested.line);
    const { stop } = watch(ledger);
    await until(async () => (await ledger.keyring.pendingTenants.list()).length === 0);
    await stop();
    return requested;
  };

  it('get tokens without a name while they are the only one of their server', async () => {
    const ledger = await openJoined();
    const { token } = createOperatorCommands(ledger);
    const issue = () => token!({ ...toTenantChoice(undefined), role: 'reader' });
    expect(await rejectionOf(issue())).to.equal('TENANT_NOT_FOUND');
    await serve(ledger, 'only');
    expect(await issue()).to.have.property('token');
    expect(await rejectionOf(token!({ tenant: 'default', role: 'reader' }))).to.equal('TENANT_NOT_FOUND');
    await serve(ledger, 'second');
    expect(await rejectionOf(issue())).to.equal('TENANT_NOT_FOUND');
  });

  it('are requested with one line, which repeating gives again, and a secret that is shown once', async () => {
    const ledger = await openJoined();
    const first = await requestTenant(ledger, { name: 'acme' });
    const again = await requestTenant(ledger, { name: 'acme' });
    expect([again.line, again.clientId]).to.deep.equal([first.line, first.clientId]);
    expect([typeof first.clientSecret, again.clientSecret]).to.deep.equal(['string', undefined]);
    expect(await rejectionOf(requestTenant(ledger, { name: '../x' }))).to.equal('REQUEST_INVALID');
    expect(codeOf(() => ledger.wallets.authorOf(first.tenantIdentity))).to.equal('TENANT_PENDING');
    expect(ledger.wallets.tenantIdentities()).to.deep.equal([]);
    expect(await stateOf(ledger, first.tenantIdentity)).to.equal('requested');
    const files = await readdir(dataPaths(ledger.dataDir).keys);
    expect(files.some((name) => name.endsWith('.tmp'))).to.equal(false);
  });

  it('have all of their keys from the request on, so that a backup has the whole tenant', async () => {
    const ledger = await openJoined();
    const { tenantIdentity } = await requestTenant(ledger, { name: 'keys' });
    const uuid = tenantIdentity.slice('tenant/'.length);
    expect(await readdir(dataPaths(ledger.dataDir).keys)).to.include.members([
      `tenant-author-${uuid}.key`,
      `tenant-administrator-${uuid}.key`,
    ]);
    expect(codeOf(() => ledger.wallets.authorOf(tenantIdentity))).to.equal('TENANT_PENDING');
  });

  it('are served once they are admitted, without a restart, with a line for each step', async () => {
    const ledger = await openJoined();
    const { tenantIdentity, line, clientId } = await requestTenant(ledger, { name: 'beta' });
    const { lines, problems, stop } = watch(ledger);
    expect(await admitByLine(founder, line)).to.include({ tenantIdentity, outcome: 'done' });
    expect(await admitByLine(founder, line)).to.include({ tenantIdentity, outcome: 'before' });
    await until(async () => (await ledger.keyring.pendingTenants.list()).length === 0);
    await stop();
    expect([lines.length, problems]).to.deep.equal([2, []]);
    expect(await stateOf(ledger, tenantIdentity)).to.equal('serving');
    expect((await ledger.view.readTenant(tenantIdentity))?.display_name).to.equal('beta');
    expect((await ledger.view.readApplication(clientId))?.tenantIdentity).to.equal(tenantIdentity);
    expect(await rejectionOf(requestTenant(ledger, { name: 'beta' }))).to.equal('TENANT_EXISTS');
    expect(ledger.outbox.readEntries()).to.deep.equal([]);
  });

  it('are refused by a line of another chain or contract, and by one whose tenant has another administrator', async () => {
    const ledger = await openJoined();
    const { line, tenantIdentity } = await requestTenant(ledger, { name: 'gamma' });
    const request = decodeRequestLine(line, 'tenant');
    const admit = (changed: object) => rejectionOf(admitByLine(founder, encodeRequestLine({ ...request, ...changed })));
    expect(await admit({ chainId: 1 })).to.equal('CHAIN_MISMATCH');
    expect(await admit({ contract: `0x${'11'.repeat(20)}` })).to.equal('CHAIN_MISMATCH');
    expect(await admit({ account: `0x${'00'.repeat(20)}` })).to.equal('REQUEST_INVALID');
    expect(await rejectionOf(admitByLine(founder, line.slice(0, -1)))).to.equal('REQUEST_INVALID');
    expect(await rejectionOf(admitByLine(founder, `${line}${line}`))).to.equal('REQUEST_INVALID');
    expect(await admit({ account: `0x${'22'.repeat(20)}` })).to.equal(NOT_REFUSED);
    expect(await rejectionOf(admitByLine(founder, line))).to.equal('TENANT_EXISTS');
    const { problems, stop } = watch(ledger);
    await until(() => problems.length > 0);
    await stop();
    expect(isServed(ledger, tenantIdentity)()).to.equal(false);
  });

  it('are admitted by a call from elsewhere where the key of the administrator is not here', async () => {
    const [one, other] = [await openJoined(), await openJoined()];
    const { line, tenantIdentity } = await requestTenant(one, { name: 'delta' });
    const { outcome, call } = await admitByLine(other, line);
    const owner = await founder.keyring.requireWallet('ledger-administrator');
    expect([outcome, call?.owner, call?.value]).to.deep.equal(['elsewhere', owner.address, 0]);
    expect(await stateOf(one, tenantIdentity)).to.equal('requested');
    await setBalance(node, owner.address);
    const sender = createTransactionSender(founder.chain, owner);
    await sender.send({ to: call!.to, data: fromHex(call!.data), gasLimit: 300_000 });
    await until(async () => (await stateOf(one, tenantIdentity)) === 'admitted');
  });

  it('have several writers, which their administrator adds and removes', async () => {
    const [one, two] = [await openJoined(), await openJoined()];
    const { tenantIdentity } = await serve(one, 'epsilon');
    expect(await rejectionOf(requestWriter(one, tenantIdentity))).to.equal('TENANT_EXISTS');
    expect(await rejectionOf(requestWriter(two, 'nobody'))).to.equal('IDENTITY_INVALID');
    const { line } = await requestWriter(two, tenantIdentity);
    expect((await requestWriter(two, tenantIdentity)).line).to.equal(line);
    expect(await stateOf(two, tenantIdentity)).to.equal('joining');
    const second = watch(two);
    expect(await rejectionOf(addWriterByLine(two, line))).to.equal('FORBIDDEN');
    expect(await rejectionOf(admitByLine(founder, line))).to.equal('REQUEST_INVALID');
    expect((await addWriterByLine(one, line)).outcome).to.equal('done');
    expect((await addWriterByLine(one, line)).outcome).to.equal('before');
    await until(isServed(two, tenantIdentity));
    await until(async () => (await stateOf(two, tenantIdentity)) === 'serving');
    await second.stop();
    const address = two.wallets.findAddress(tenantIdentity)!;
    expect(await rejectionOf(removeWriter(two, address))).to.equal('REQUEST_INVALID');
    expect((await removeWriter(one, address)).map((answer) => answer.tenantIdentity)).to.deep.equal([tenantIdentity]);
    expect(await stateOf(two, tenantIdentity)).to.equal('removed');
    expect(await rejectionOf(removeWriter(one, address))).to.equal('REQUEST_INVALID');
    expect(await rejectionOf(removeWriter(one, '0x12'))).to.equal('REQUEST_INVALID');
    const { line: again } = await requestWriter(two, tenantIdentity);
    expect(again).to.equal(line);
    expect((await addWriterByLine(one, again)).outcome).to.equal('done');
    expect(await stateOf(two, tenantIdentity)).to.equal('serving');
  });

  it('are handed over to a new key, on the same server and on another one', async () => {
    const [one, two] = [await openJoined(), await openJoined()];
    const { tenantIdentity } = await serve(one, 'theta');
    const administrator = async (): Promise<string | undefined> =>
      (await listTenants(one)).find((tenant) => tenant.tenantIdentity === tenantIdentity)?.administrator;
    const first = await administrator();
    expect(await rejectionOf(acceptSuccession(one, tenantIdentity))).to.equal('FORBIDDEN');
    expect(await rejectionOf(requestSuccession(two, tenantIdentity))).to.equal('TENANT_NOT_FOUND');
    const { line } = await requestSuccession(one, tenantIdentity);
    expect((await requestSuccession(one, tenantIdentity)).line).to.equal(line);
    expect(await rejectionOf(acceptSuccession(one, tenantIdentity))).to.equal('FORBIDDEN');
    expect(await rejectionOf(addWriterByLine(one, line))).to.equal('REQUEST_INVALID');
    expect((await handOverByLine(one, line)).outcome).to.equal('done');
    expect((await handOverByLine(one, line)).outcome).to.equal('before');
    expect(await administrator()).to.equal(first);
    const renamed = { ...one.keyring, renameWallet: () => Promise.reject(KILLED) };
    expect(await acceptSuccession({ ...one, keyring: renamed }, tenantIdentity).catch((error) => error)).to.equal(
      KILLED,
    );
    const { account } = await acceptSuccession(one, tenantIdentity);
    expect([await administrator(), account === first]).to.deep.equal([account, false]);
    await requestWriter(two, tenantIdentity);
    const other = await requestSuccession(two, tenantIdentity);
    await handOverByLine(one, other.line);
    await acceptSuccession(two, tenantIdentity);
    const { line: writer } = await requestWriter(two, tenantIdentity);
    expect(await rejectionOf(addWriterByLine(one, writer))).to.equal('FORBIDDEN');
    const hasKey = async (ledger: Ledger): Promise<boolean | undefined> =>
      (await listTenants(ledger)).find((tenant) => tenant.tenantIdentity === tenantIdentity)?.isAdministeredHere;
    expect([await hasKey(one), await hasKey(two)]).to.deep.equal([false, true]);
    expect((await addWriterByLine(two, writer)).outcome).to.equal('done');
  });

  it('get no writer from a line for a tenant that the ledger has not admitted', async () => {
    const [one, two] = [await openJoined(), await openJoined()];
    const { tenantIdentity } = await requestTenant(one, { name: 'zeta' });
    const { line } = await requestWriter(two, tenantIdentity);
    expect(await rejectionOf(addWriterByLine(one, line))).to.equal('TENANT_NOT_FOUND');
  });

  const kills: [step: string, kill: (ledger: Ledger) => Ledger][] = [
    [
      'before the key is registered',
      (ledger) => ({ ...ledger, chain: { ...ledger.chain, fetchBid: () => Promise.reject(KILLED) } }),
    ],
    [
      'after the key is sent',
      (ledger) => ({ ...ledger, chain: { ...ledger.chain, awaitFinal: () => Promise.reject(KILLED) } }),
    ],
    ['before the beginning is noted', (ledger) => withPending(ledger, { write: () => Promise.reject(KILLED) })],
    [
      'before the tenant is added',
      (ledger) => ({ ...ledger, wallets: { ...ledger.wallets, add: () => Promise.reject(KILLED) } }),
    ],
    ['before the first record', (ledger) => withAppend(ledger, 0)],
    ['between the two records', (ledger) => withAppend(ledger, 1)],
    ['before the request is forgotten', (ledger) => withPending(ledger, { remove: () => Promise.reject(KILLED) })],
  ];
  const withPending = (ledger: Ledger, changed: object): Ledger => ({
    ...ledger,
    keyring: { ...ledger.keyring, pendingTenants: { ...ledger.keyring.pendingTenants, ...changed } },
  });
  // The first `count` records are accepted, the others are not.
  const withAppend = (ledger: Ledger, count: number): Ledger => {
    let left = count;
    const append: Ledger['writer']['append'] = (identity, record) => {
      if (left === 0) return Promise.reject(KILLED);
      left -= 1;
      return ledger.writer.append(identity, record);
    };
    return { ...ledger, writer: { ...ledger.writer, append } };
  };

  for (const [step, kill] of kills) {
    it(`are served, with each first record once, after an end ${step}`, async () => {
      const dataDir = await createDirectory();
      const ledger = await openAt(dataDir);
      const { tenantIdentity, line, clientId } = await requestTenant(ledger, {
        name: `eta ${step.replaceAll(' ', '-')}`,
      });
      await admitByLine(founder, line);
      const [pending] = await ledger.keyring.pendingTenants.list();
      const started = createTenantStart(kill(ledger), () => undefined, new AbortController().signal);
      const failure = await started.advance(pending!).then(
        () => 'served',
        (error: Error) => error.message,
      );
      expect(failure).to.equal('killed');
      await ledger.close();
      const again = await openAt(dataDir);
      open.push(again);
      const { stop, problems } = watch(again);
      await until(async () => (await again.keyring.pendingTenants.list()).length === 0);
      await stop();
      expect(problems).to.deep.equal([]);
      expect(await stateOf(again, tenantIdentity)).to.equal('serving');
      expect((await again.view.readApplication(clientId))?.tenantIdentity).to.equal(tenantIdentity);
      const tree = { name: 'treeOf', args: [toHex(toKey(tenantIdentity))] };
      expect((await callView(again.chain.request, again.contract, tree))[0]).to.equal(2n);
    });
  }
});
