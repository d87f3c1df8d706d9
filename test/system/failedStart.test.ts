// Starts that fail at each of their steps, and start again in the same process.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { createTenant } from '../../host/tenants.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type Step, withFailingStep } from '../support/failingSteps.ts';
import { aCreation } from '../support/records.ts';
import { openTestLedger } from '../support/testLedger.ts';

// The first and the last step of each name: the others run between the same steps.
const isEnd = ({ name, occurrence }: Step, _: number, steps: readonly Step[]): boolean =>
  occurrence === 1 || occurrence === steps.filter((other) => other.name === name).length;

describe('a start that fails', () => {
  const makeDirectory = useDirectories();

  for (const { name: chain, prepare } of CHAIN_KINDS)
    it(`closes all that it opened, whichever of its steps fails: ${chain}`, async () => {
      const dataDir = await makeDirectory();
      const network = await prepare(dataDir);
      const open = (): Promise<Ledger> => openTestLedger(dataDir, { network });
      const filled = await open();
      const { identity } = await createTenant(filled, { name: 'alpha' }, Date.now());
      await filled.writer.append(identity, aCreation());
      await filled.close();
      const start = async (failing?: Step) => {
        let started: Ledger | undefined;
        const watched = await withFailingStep(dataDir, failing, async () => {
          started = await open().catch(() => undefined);
        });
        await started?.close();
        return { ...watched, hasStarted: started !== undefined };
      };
      const { steps } = await start();
      const failed = new Set<string>();
      for (const step of steps.filter(isEnd)) {
        const { openDatabases, hasStarted } = await start(step);
        if (hasStarted) continue;
        expect(openDatabases, step.name).to.deep.equal([]);
        failed.add(step.name);
      }
      expect(failed.size).to.be.at.least(30);
      expect((await start()).hasStarted).to.equal(true);
    });
});
