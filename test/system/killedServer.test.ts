// One kill of the real process while clients write, on a real disk. crash.long.test.ts has more of them.
import { expect } from 'chai';
import { EMBEDDED } from '../support/chainKinds.ts';
import { useKilledServer } from '../support/killedServer.ts';

const CLIENTS = 2;
const ANSWERS = 10;
/** Within the batch after those answers. */
const KILL_AT = 4;

describe('a server that is killed with SIGKILL while clients write', () => {
  const server = useKilledServer(EMBEDDED, CLIENTS);

  it('has every answered record once after a restart, and ends with exit code 0 when it is asked to', async () => {
    await server.start(KILL_AT);
    await server.writeUntilKilled(ANSWERS);
    expect(server.answered()).to.be.at.least(ANSWERS);
    await server.start(KILL_AT);
    expect(await server.stop()).to.equal(0);
  });
});
