// The server is killed at random steps while several clients write, and while it recovers. After every restart nothing
// that was answered is lost. A few kills of the real process on a real disk: test/simulation/ has the many, and npm run
// soak those under load.
import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { CHAIN_KINDS, EXTERNAL } from '../support/chainKinds.ts';
import { useKilledServer } from '../support/killedServer.ts';

const KILLS = 6;
// The server's own part is the same on both chains, and each start takes several seconds.
const KILLS_EXTERNAL = 3;
// Of the kills, every third is followed by two more, each while the server recovers.
const RECOVERY_PERIOD = 3;
const KILLS_IN_RECOVERY = 2;
const CLIENTS = 4;
// A kill follows so many answers, and comes so many steps later: those of a few batches.
const ANSWERS = { min: 2, max: 40 };
const STEPS_MAX = 24;
/** A start has so many steps or fewer. Early and late ones are equally likely. */
const START_STEPS_LOG2 = 10;

// A failing run prints its seed; CRASH_SEED repeats the run.
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000_007);

for (const kind of CHAIN_KINDS) {
  const kills = kind === EXTERNAL ? KILLS_EXTERNAL : KILLS;
  describe(`on ${kind.name}, killed with SIGKILL at random moments`, function () {
    // Each kill is followed by a start and by the check of everything.
    this.timeout(240_000);
    const server = useKilledServer(kind, CLIENTS);

    it(`keeps all answered records over ${kills} kills (seed ${SEED})`, async () => {
      const random = createRandom(SEED);
      for (let kill = 0; kill < kills; kill += 1) {
        await server.start(1 + Math.floor(random() * STEPS_MAX));
        await server.writeUntilKilled(ANSWERS.min + random() * (ANSWERS.max - ANSWERS.min));
        if (kill % RECOVERY_PERIOD !== RECOVERY_PERIOD - 1) continue;
        for (let again = 0; again < KILLS_IN_RECOVERY; again += 1)
          await server.killWhileStarting(Math.floor(2 ** (random() * START_STEPS_LOG2)));
      }
      await server.start(1);
      expect(await server.stop()).to.equal(0);
      expect(server.answered()).to.be.greaterThan(kills);
    });
  });
}
