// The files of the records of checkpoints on another ledger.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { anchorsOf, useAnchoredLedger } from '../../support/anchoredLedger.ts';
import { until } from '../../support/until.ts';

describe('records of checkpoints that are kept', () => {
  const { makeDirectory, problems, toDirectory, listRecords, open, close, recordAndCheckpoint, fetchFile, isRecorded } =
    useAnchoredLedger();

  it('are not used when their files are damaged', async () => {
    const first = await open();
    const { event, block } = await recordAndCheckpoint(first);
    await until(() => isRecorded(first, block));
    await close();
    const path = join(toDirectory(), (await listRecords()).at(-1)!);
    const text = await readFile(path, 'utf8');
    for (const damaged of [
      '',
      text.slice(9),
      text.replace(/"nodes":\["./, '"nodes":["B'),
      text.replace('own.example', 'own-example'),
    ]) {
      problems.length = 0;
      await writeFile(path, damaged);
      const checkpoints = await open({ anchorSeconds: 0 });
      expect(anchorsOf(await fetchFile(checkpoints, event)), damaged).to.have.length(1);
      expect(problems).to.have.length(1);
      await close();
    }
    await writeFile(path, text);
    expect(anchorsOf(await fetchFile(await open({ anchorSeconds: 0 }), event))).to.have.length(2);
  });

  it('are in a copy of the log', async () => {
    const { log } = await open();
    const target = await makeDirectory();
    await mkdir(target, { recursive: true });
    await log.copyTo(target);
    const names = await readdir(toDirectory());
    expect((await readdir(join(target, 'elsewhere'))).sort()).to.deep.equal(
      names.filter((name) => !name.endsWith('.tmp')).sort(),
    );
    expect(names.length).to.be.greaterThan(0);
  });
});
