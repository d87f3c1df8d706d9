// The files of the records of checkpoints on another ledger.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { LedgerError } from '../../../ledger/errors.ts';
import { anchorsOf, useAnchoredLedger } from '../../support/anchoredLedger.ts';
import { until } from '../../support/until.ts';

describe('records of checkpoints that are kept', () => {
  const {
    makeDirectory,
    problems,
    causes,
    toDirectory,
    listRecords,
    open,
    close,
    recordAndCheckpoint,
    fetchFile,
    isRecorded,
    isPending,
  } = useAnchoredLedger();

  // With no advice to restore more than this file: an older directory has fewer records.
  const expectOnlyReport = (name: string): void => {
    const [{ code, message }] = causes as [LedgerError];
    expect([causes.length, code]).to.deep.equal([1, 'LOG_CORRUPT']);
    expect(message).to.include(`log/elsewhere/${name}`).and.not.include('directory log');
  };

  it('are not used when their files are damaged', async () => {
    const first = await open();
    const { event, block } = await recordAndCheckpoint(first);
    await until(() => isRecorded(first, block));
    await close();
    const name = (await listRecords()).at(-1)!;
    const path = join(toDirectory(), name);
    const text = await readFile(path, 'utf8');
    for (const damaged of [
      '',
      text.slice(9),
      text.replace(/"nodes":\["./, '"nodes":["B'),
      text.replace('own.example', 'own-example'),
      text.replace(/"checkpoint":".*?","begun/, '"checkpoint":"","begun'),
    ]) {
      problems.length = 0;
      causes.length = 0;
      await writeFile(path, damaged);
      const checkpoints = await open({ anchorSeconds: 0 });
      expect(anchorsOf(await fetchFile(checkpoints, event)), damaged).to.have.length(1);
      expect(problems).to.have.length(1);
      expectOnlyReport(name);
      await close();
    }
    await writeFile(path, text);
    expect(anchorsOf(await fetchFile(await open({ anchorSeconds: 0 }), event))).to.have.length(2);
  });

  it('begin with another checkpoint when the pending one is damaged', async () => {
    await close();
    await writeFile(join(toDirectory(), 'pending'), 'pend');
    const checkpoints = await open();
    expectOnlyReport('pending');
    const { block } = await recordAndCheckpoint(checkpoints);
    await until(() => isRecorded(checkpoints, block));
    await until(async () => !(await isPending()));
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
