// What must hold on every engine: nodes fail, the chain stalls and the ledger is killed, all while clients write.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { checkDirectory } from '../soak/checkLedger.ts';
import { skipWithout } from '../support/missing.ts';
import { type CommandScript, type Run, runScript } from '../support/runScript.ts';
import { runVerify } from '../support/runVerify.ts';
import { createTemporaryDirectory } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { cliqueOf } from './cliqueNetwork.ts';
import type { Engine, EngineKind } from './engine.ts';
import {
  deployOnEngine,
  type EngineLedger,
  fetchReportedValidators,
  type LoadedServer,
  type NodeReport,
  startLoadedServer,
} from './engineLedger.ts';
import { namedEngine, readNamedNodes } from './namedNodes.ts';

/** Answers in each state of the engine. */
const ANSWERS = 12;
const TIMEOUT_MS = 10_000;

const { ENGINE_GETH } = process.env;
const named = readNamedNodes(process.env);
const ENGINES: readonly EngineKind[] = [
  ...(ENGINE_GETH === undefined ? [] : [cliqueOf(ENGINE_GETH)]),
  ...(named === undefined ? [] : [namedEngine(named)]),
];

// Methods that name the present validators, of which an engine has one or none.
const VALIDATOR_METHODS: readonly (readonly [string, unknown[]])[] = [
  ['qbft_getValidatorsByBlockNumber', ['latest']],
  ['ibft_getValidatorsByBlockNumber', ['latest']],
  ['clique_getSigners', []],
];

const fetchValidators = async (engine: Engine): Promise<string[] | undefined> => {
  const request = createRpcClient(engine.nodes[0]!.url, TIMEOUT_MS);
  for (const [method, params] of VALIDATOR_METHODS) {
    const answer = await request(method, params).catch(() => undefined);
    if (Array.isArray(answer)) return answer.map((address) => String(address).toLowerCase());
  }
  return undefined;
};

for (const kind of ENGINES) {
  describe(`a ledger on ${kind.name}`, () => {
    let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
    let engine: Engine;
    let ledger: EngineLedger;
    let loaded: LoadedServer;

    before(async () => {
      directory = await createTemporaryDirectory();
      engine = await kind.open(directory.path);
      ledger = await deployOnEngine(engine, directory.path);
      loaded = await startLoadedServer(ledger);
      await loaded.whileWriting(() => loaded.awaitAnswers(ANSWERS));
    });
    after(async () => {
      await loaded?.close();
      await engine?.close();
      await directory.remove();
    });

    const toPath = (name: string): string => join(directory.path, name);
    const expectEveryRecordOnce = async (): Promise<void> => {
      const { differences, events } = await loaded.checkEvents();
      expect(differences).to.deep.equal([]);
      expect(events).to.be.greaterThan(0);
    };

    const fetchStall = async (): Promise<NodeReport['chain_stalled']> =>
      (await loaded.get<NodeReport>('../v1/node')).chain_stalled;

    // Behind the proxies of a named engine the chain goes on, so no transaction of the ledger waits in the pool.
    const expectReportedStall = async (): Promise<void> => {
      if (engine.validators === undefined) return;
      await until(async () => (await fetchStall()) !== null);
      expect(await fetchStall()).to.include({ code: 'CHAIN_STALLED' });
    };

    it('has each answered record once after each node was killed and started again', async () => {
      for (const node of engine.nodes) {
        await loaded.whileWriting(async () => {
          await loaded.awaitAnswers(ANSWERS);
          await node.kill();
          await loaded.awaitAnswers(ANSWERS);
          await node.start();
          await loaded.awaitAnswers(ANSWERS);
        });
        await expectEveryRecordOnce();
      }
    });

    it('has each answered record once after each node was stopped and started again', async () => {
      await loaded.whileWriting(async () => {
        for (const node of engine.nodes) {
          await node.stop();
          await loaded.awaitAnswers(ANSWERS);
          await node.start();
        }
      });
      await expectEveryRecordOnce();
    });

    it('has each answered record once after each node hung for a while', async () => {
      await loaded.whileWriting(async () => {
        for (const node of engine.nodes) {
          await loaded.awaitAnswers(ANSWERS);
          node.suspend();
          await loaded.awaitAnswers(ANSWERS);
          node.resume();
        }
      });
      await expectEveryRecordOnce();
    });

    it('has each answered record once after the server was killed', async () => {
      await loaded.whileWriting(async () => {
        for (let kill = 0; kill < 3; kill += 1) {
          await loaded.awaitAnswers(ANSWERS);
          await loaded.server.killAndRestart();
        }
      });
      await expectEveryRecordOnce();
    });

    it('reports a stall, accepts records in it, also after a kill, and has each once afterwards', async () => {
      const { counts, server } = loaded;
      await loaded.whileWriting(async () => {
        await loaded.awaitAnswers(ANSWERS);
        await engine.stall();
        const { pending } = counts;
        await until(() => counts.pending > pending);
        await expectReportedStall();
        const event = loaded.firstAnswered();
        await server.killAndRestart();
        expect(await loaded.get<EventResource>(event)).to.include({ identity: event });
        const again = counts.pending;
        await until(() => counts.pending > again);
        await engine.continue();
        await loaded.awaitAnswers(ANSWERS);
      });
      await expectEveryRecordOnce();
      await until(async () => (await fetchStall()) === null);
    });

    it('reports keys of validators, each of a node of its own', async function () {
      const validators = await fetchValidators(engine);
      if (validators === undefined) return skipWithout(this, 'validators whose keys this chain shows');
      const reported = await fetchReportedValidators(loaded);
      expect(reported).to.have.length(engine.nodes.length);
      if (engine.validators !== undefined) expect(reported).to.deep.equal(engine.validators);
      const keys = reported.filter((address) => address !== undefined);
      expect(keys).to.deep.equal([...new Set(keys)]);
      expect(validators).to.include.members(keys);
    });

    it('has events that npm run verify accepts on each node, and refuses when they are changed', async () => {
      const event = await loaded.get<EventResource>(loaded.firstAnswered());
      const [right, wrong] = [toPath('event.json'), toPath('changed.json')];
      await writeFile(right, JSON.stringify(event));
      await writeFile(wrong, JSON.stringify({ ...event, operation: 'record' }));
      for (const { url } of engine.nodes) {
        const at = ['--rpc', url, '--contract', ledger.contract];
        const accepted = await runVerify(right, ...at);
        expect(accepted.code, accepted.output).to.equal(0);
        expect((await runVerify(wrong, ...at)).code).to.equal(1);
      }
    });

    it('has evidence files that npm run verify accepts without a node', async () => {
      const run = (script: CommandScript, ...args: string[]): Promise<Run> =>
        runScript(script, ledger.dataDir, args, ledger.settings);
      const trust = toPath('trust.json');
      await writeFile(trust, (await run('logKey.ts', '--trust')).stdout);
      const event = loaded.firstAnswered();
      const asset = event.slice(0, event.indexOf('/events/'));
      for (const [name, identity] of Object.entries({ event, asset })) {
        const file = toPath(`${name}.evidence.json`);
        const made = await run('evidence.ts', identity, '--out', file);
        expect(made.code, made.stderr).to.equal(0);
        const verified = await runVerify(file, '--trust', trust);
        expect(verified.code, verified.output).to.equal(0);
      }
    });

    it('has the same records on the chain, and the same index after a rebuild', async () => {
      const { differences, streams } = await loaded.checkEvents();
      expect(differences).to.deep.equal([]);
      await loaded.server.stop();
      const { code, stderr } = await runScript('rebuild.ts', ledger.dataDir, [], ledger.settings);
      expect(code, stderr).to.equal(0);
      expect(await checkDirectory(ledger, streams, loaded.setUpBlock, () => undefined)).to.deep.equal([]);
    });
  });
}
