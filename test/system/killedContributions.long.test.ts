// A server is killed at each of its steps while a tenant records events on another one's asset and the owner deletes
// the policy that allows them. After the restart the repeated requests find each event recorded once, or refused as not
// allowed any more, and it counts exactly where the chain has it before the deletion.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import type { Ledger } from '../../host/openLedger.ts';
import type { TreeRecord } from '../../indexer/treeView.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS, type TestNetwork } from '../support/chainKinds.ts';
import { MEASURE, type Parties, shareAsset } from '../support/contributedAsset.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import {
  createTemporaryDirectory,
  type JsonAnswer,
  openTestLedger,
  send,
  serveTestLedger,
} from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const KILLING = fileURLToPath(new URL('../support/killAtWrite.ts', import.meta.url));
/** More than a server has steps between the requests and their answers. */
const KILLS_MAX = 60;

/** What was requested in one life of the server, and what became of it. */
interface Trial {
  readonly policy: string;
  /** The status of each event, by its note, when its request was repeated after the restart. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** The answers to requests by their notes; undefined where the server was killed. */
type Answers = ReadonlyMap<string, JsonAnswer<EventResource> | undefined>;

const isConnectionError = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError;

const unlessKilled = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return undefined;
  }
};

/** Requests to a server process. */
const clientsOf = ({ url }: ServerProcess, { alpha, beta, asset, subject }: Parties) => {
  const archivist = `${url}/archivist`;
  return {
    permit: async (): Promise<string> => {
      const permission = {
        subjects: [subject],
        behaviours: ['RecordEvidence'],
        asset_attributes_write: ['weight'],
        event_arc_display_type_write: ['Measure'],
      };
      const body = { display_name: 'for one trial', filters: [], access_permissions: [permission] };
      const created = await send<{ identity: string }>(`${archivist}/iam/v1/access_policies`, alpha.token, { body });
      expect(created.status).to.equal(200);
      return created.body.identity;
    },
    revoke: (policy: string) => send(`${archivist}/iam/v1/${policy}`, alpha.token, { method: 'DELETE' }),
    contribute: (note: string): Promise<JsonAnswer<EventResource>> => {
      const body = { ...MEASURE, event_attributes: { ...MEASURE.event_attributes, note } };
      const headers = { 'Idempotency-Key': note };
      return send<EventResource>(`${archivist}/v2/${asset.identity}/events`, beta.token, { body, headers });
    },
  };
};

type Clients = ReturnType<typeof clientsOf>;

// The answers until the server was killed, or all of them. The deletion is requested with the first event, or after it.
const race = async (
  { contribute, revoke }: Clients,
  policy: string,
  [early, late]: readonly [string, string],
  isOrdered: boolean,
) => {
  const first = unlessKilled(contribute(early));
  if (isOrdered) await first;
  const [answered, , last] = await Promise.all([first, unlessKilled(revoke(policy)), unlessKilled(contribute(late))]);
  return new Map([
    [early, answered],
    [late, last],
  ]);
};

// Repeats the requests of a trial on the server that was started after the kill.
const repeat = async (
  { contribute, revoke }: Clients,
  policy: string,
  before: Answers,
): Promise<Map<string, number>> => {
  const outcomes = new Map<string, number>();
  for (const [note, answered] of before) {
    let again = await contribute(note);
    // A record that waits for the chain may still turn out to be none of the asset's events.
    while (again.body.confirmation_status === 'PENDING') again = await contribute(note);
    expect(again.status, note).to.be.oneOf([200, 404, 409]);
    if (answered?.body.confirmation_status === 'CONFIRMED')
      expect([again.status, again.body]).to.deep.equal([200, answered.body]);
    outcomes.set(note, again.status);
  }
  expect((await revoke(policy)).status).to.be.oneOf([200, 404]);
  return outcomes;
};

const toRecord = ({
  payload,
}: TreeRecord): { identity: string; is_deleted?: boolean; event_attributes?: { note?: string } } =>
  JSON.parse(Buffer.from(payload.subarray(1)).toString());

const isBefore = ({ place: one }: TreeRecord, { place: other }: TreeRecord): boolean =>
  one.blockNumber < other.blockNumber || (one.blockNumber === other.blockNumber && one.logIndex < other.logIndex);

// Compares what the index counts with the order of the records on the chain.
const expectOrder = async ({ trees }: Ledger, { alpha, beta, asset }: Parties, trials: readonly Trial[]) => {
  const readStream = (tenant: string, stream: string) =>
    trees.readStreamRecords(toKey(tenant), toKey(stream), 1, 4 * KILLS_MAX);
  const recorded = await readStream(beta.identity, `${alpha.identity}/${asset.identity}`);
  const noteOf = (found: TreeRecord): unknown => toRecord(found).event_attributes?.note;
  const counted: string[] = [];
  for (const { policy, outcomes } of trials) {
    const deletion = (await readStream(alpha.identity, policy)).filter((found) => toRecord(found).is_deleted);
    expect(deletion, policy).to.have.length(1);
    for (const [note, status] of outcomes) {
      const found = recorded.filter((each) => noteOf(each) === note);
      expect([note, found.length]).to.deep.equal([note, status === 404 ? 0 : 1]);
      if (found.length === 0) continue;
      const { identity } = toRecord(found[0]!);
      const isCounted = isBefore(found[0]!, deletion[0]!);
      expect([note, status]).to.deep.equal([note, isCounted ? 200 : 409]);
      expect(await trees.hasEffect(toKey(beta.identity), identity), note).to.equal(isCounted);
      if (isCounted) counted.push(identity.slice(alpha.identity.length + 1));
    }
  }
  return counted;
};

for (const kind of CHAIN_KINDS)
  describe(`contributions to a server that is killed at each of its steps, on ${kind.name}`, function () {
    // The server is started again some thirty times.
    this.timeout(600_000);
    const trials: Trial[] = [];
    let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
    let network: TestNetwork | undefined;
    let parties: Parties;
    let server: ServerProcess | undefined;

    before(async () => {
      directory = await createTemporaryDirectory();
      network = await kind.prepare(directory.path);
      const ledger = await openTestLedger(directory.path, { network });
      const serving = await serveTestLedger(ledger);
      parties = await shareAsset(ledger, serving);
      await parties.revoke();
      await serving.close();
      await ledger.close();
    });
    after(async () => {
      await server?.stop('SIGKILL');
      await directory.remove();
    });

    const markOf = (): string => join(directory.path, 'kill-from');
    // Without the mark no step ends the server.
    const start = async (killAt: number): Promise<Clients> => {
      await rm(markOf(), { force: true });
      server = await startServerProcess(directory.path, ['--import', KILLING], {
        ...(network && { CHAIN_RPC_URL: network.urls.join() }),
        CHECKPOINT_SECONDS: '0',
        LOG_LEVEL: 'silent',
        KILL_AT: String(killAt),
        KILL_FROM: markOf(),
      });
      return clientsOf(server, parties);
    };
    // Whether a step ends the server, before it has answered everything or while it is asked to end.
    const isKilled = async (answers: Answers): Promise<boolean> => {
      const { process, stop } = server!;
      const isAnswered = [...answers.values()].every((answer) => answer !== undefined);
      if (!isAnswered) await until(() => process.exitCode !== null || process.signalCode !== null);
      const code = await stop('SIGTERM');
      expect([code, process.signalCode]).to.be.deep.oneOf([
        [0, null],
        [null, 'SIGKILL'],
      ]);
      return code === null;
    };

    it('exist once, and count as the order on the chain decides', async () => {
      let clients = await start(1);
      // Both orders in turn, until the server survives both.
      for (let [killAt, survived] = [1, 0]; survived < 2; killAt += 1) {
        expect(killAt).to.be.lessThan(KILLS_MAX);
        const policy = await clients.permit();
        await writeFile(markOf(), '');
        const answers = await race(clients, policy, [`early-${killAt}`, `late-${killAt}`], killAt % 2 === 1);
        survived = (await isKilled(answers)) ? 0 : survived + 1;
        clients = await start(killAt + 1);
        trials.push({ policy, outcomes: await repeat(clients, policy, answers) });
      }
      expect(trials.length).to.be.greaterThan(8);
      // Before the first write the server is killed without a deletion, so the repeated request is still allowed.
      expect([...trials[0]!.outcomes.values()]).to.deep.equal([200, 200]);
      await server!.stop('SIGTERM');
    });

    it('are the same in an index that is built again', async () => {
      const ledger = await openTestLedger(directory.path, { network });
      const serving = await serveTestLedger(ledger);
      const counted = await expectOrder(ledger, parties, trials);
      const { events } = (
        await send<{ events: EventResource[] }>(
          `${serving.url}/archivist/v2/${parties.asset.identity}/events?page_size=1000`,
          parties.alpha.token,
        )
      ).body;
      const listed = events.filter(({ contribution }) => contribution !== undefined);
      expect(listed.map(({ identity }) => identity).sort()).to.deep.equal(counted.sort());
      await serving.close();
      await ledger.close();
      const incremental = await dumpDirectory(directory.path);
      await rm(dataPaths(directory.path).index, { recursive: true });
      await (await openTestLedger(directory.path, { network })).close();
      expect([...(await dumpDirectory(directory.path))]).to.deep.equal([...incremental]);
    });
  });
