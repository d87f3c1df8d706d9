// Checkpoints of a real ledger, recorded on another real one.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { anchorsOf, useAnchoredLedger } from '../../support/anchoredLedger.ts';
import { blockNumberOf, blockTimeOf, check, hashOf, provedOf } from '../../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile } from '../../support/evidenceFiles.ts';
import type { Intercept } from '../../support/otherLedger.ts';
import { until } from '../../support/until.ts';

const isEvidence = ({ path }: { path: string }): boolean => path.includes(':evidence');

describe('checkpoints recorded on another ledger', () => {
  const {
    own,
    problems,
    clock,
    toDirectory,
    other,
    listRecords,
    isPending,
    open,
    close,
    recordAndCheckpoint,
    fetchFile,
    isRecorded,
  } = useAnchoredLedger();

  it('are in evidence files, which prove it to those who know the other ledger', async () => {
    const checkpoints = await open();
    const { event, block } = await recordAndCheckpoint(checkpoints);
    await until(() => isRecorded(checkpoints, block));
    const file = await fetchFile(checkpoints, event);
    expect(anchorsOf(file).map((anchor) => 'elsewhere' in anchor)).to.deep.equal([false, true]);
    const { trust } = createEvidenceMaker(own().ledger);
    const logs = [checkpoints.logKey];
    const known = await check(file, trust({ logs, elsewhere: [other().trust] }));
    expect([known.exitCode, provedOf(known)], JSON.stringify(known.findings)).to.deep.equal([
      0,
      ['content', 'author', 'position', 'chain', 'operator', 'elsewhere'],
    ]);
    const [{ elsewhere: records }] = anchorsOf(file).slice(1) as [{ elsewhere: [EvidenceFile] }];
    const there = { blocks: [records[0].block!] };
    const { text } = known.findings.find(({ question }) => question === 'elsewhere')!;
    for (const part of [
      `block ${blockNumberOf(file)} is`,
      `block ${blockNumberOf(there)} (${new Date(1_000 * blockTimeOf(there)).toISOString()})`,
      `chain ${other().trust.chain_id}, contract ${other().trust.contract}`.toLowerCase(),
      toHex(toKey(other().tenant.identity)),
      toHex(toKey(other().asset.identity)),
    ])
      expect(text).to.include(part);
    const unlike = { ...other().trust, logs };
    for (const elsewhere of [[], [unlike]]) {
      const verdict = await check(file, trust({ logs, elsewhere }));
      expect([verdict.exitCode, provedOf(verdict).includes('elsewhere')]).to.deep.equal([0, false]);
    }
    const noted = await check(file, trust({ blocks: [hashOf(file)], elsewhere: [other().trust] }));
    expect(provedOf(noted)).to.include('elsewhere');
    expect([problems, await isPending()]).to.deep.equal([[], false]);
  });

  it('get one record in a period while the log grows, and prove what came before it meanwhile', async () => {
    const checkpoints = await open({ anchorSeconds: 60 });
    clock.nowMs += 60_000;
    const first = await recordAndCheckpoint(checkpoints);
    await until(() => isRecorded(checkpoints, first.block));
    const [events, names] = [await other().countEvents(), await listRecords()];
    const file = anchorsOf(await fetchFile(checkpoints, first.event))[1];
    const second = await recordAndCheckpoint(checkpoints);
    expect(await isRecorded(checkpoints, second.block)).to.equal(false);
    // By an attestation that the record covers, though there is a newer one.
    expect(anchorsOf(await fetchFile(checkpoints, first.event))[1]).to.deep.equal(file);
    expect(anchorsOf(await fetchFile(checkpoints, second.event))).to.have.length(1);
    clock.nowMs += 60_000;
    await checkpoints.request([]);
    await until(() => isRecorded(checkpoints, second.block));
    expect(anchorsOf(await fetchFile(checkpoints, first.event))).to.have.length(2);
    const third = await recordAndCheckpoint(checkpoints);
    expect([await other().countEvents(), (await listRecords()).length]).to.deep.equal([events + 1, names.length + 1]);
    // A clock that was set back doesn't end them.
    clock.nowMs -= 3_600_000;
    await checkpoints.request([]);
    await until(() => isRecorded(checkpoints, third.block));
    clock.nowMs += 7_200_000;
  });

  it('stay in evidence files after a restart, also without the settings', async () => {
    const first = await open();
    const { event, block } = await recordAndCheckpoint(first);
    await until(() => isRecorded(first, block));
    const file = await fetchFile(first, event);
    await close();
    const asked = other().requests.length;
    const second = await open({ anchorSeconds: 0 });
    expect(anchorsOf(await fetchFile(second, event))[1]).to.deep.equal(anchorsOf(file)[1]);
    expect(other().requests.length).to.equal(asked);
  });

  it('are recorded once when the server ends between the event and its evidence', async () => {
    const events = await other().countEvents();
    other().intercept(async (request) => (isEvidence(request) ? new Response('', { status: 503 }) : undefined));
    const first = await open();
    const { block } = await recordAndCheckpoint(first);
    await until(async () => (await other().countEvents()) > events);
    await until(() => other().requests.at(-1)!.includes(':evidence'));
    await close();
    expect([await isPending(), await isRecorded(first, block)]).to.deep.equal([true, false]);
    other().intercept(undefined);
    const second = await open();
    await until(() => isRecorded(second, block));
    expect([await other().countEvents(), await isPending()]).to.deep.equal([events + 1, false]);
    expect(problems).to.deep.equal([]);
  });

  it('are recorded once when the process was killed after the record, or before the event', async () => {
    const first = await open();
    const { block } = await recordAndCheckpoint(first);
    await until(() => isRecorded(first, block));
    await close();
    const [events, names] = [await other().countEvents(), await listRecords()];
    // As it is after a kill before the pending checkpoint was removed.
    const kept = await readFile(join(toDirectory(), names.at(-1)!));
    await writeFile(join(toDirectory(), 'pending'), kept);
    await writeFile(join(toDirectory(), '0000000000000001.tmp'), 'cut o');
    const second = await open({ anchorSeconds: 3_600 });
    await second.request([]);
    expect([await other().countEvents(), await listRecords()]).to.deep.equal([
      events,
      [...names, '0000000000000001.tmp'].sort(),
    ]);
    await close();
    // Before it: the record is made of the same checkpoint, though another one is shown.
    const later = await open({ anchorSeconds: 0 });
    const next = await recordAndCheckpoint(later);
    const { note } = later.log.head()!;
    await recordAndCheckpoint(later);
    await close();
    await writeFile(join(toDirectory(), 'pending'), JSON.stringify({ checkpoint: note, begun_at: 1 }));
    const third = await open({ anchorSeconds: 999_999 });
    await until(() => isRecorded(third, next.block));
    expect((await third.recorded.find(next.block))!.note).to.equal(note);
    expect([await other().countEvents(), problems]).to.deep.equal([events + 1, []]);
  });

  it('get another event where the first one shares its transaction, or was refused by the chain', async () => {
    const refusals: Intercept[] = [
      async (request) => (isEvidence(request) ? Response.json({}, { status: 409 }) : undefined),
      async (request) => {
        if (!request.path.endsWith('/events')) return undefined;
        const answer = (await (await request.forward()).json()) as object;
        return Response.json({ ...answer, confirmation_status: 'FAILED' });
      },
    ];
    const checkpoints = await open();
    for (const refuse of refusals) {
      problems.length = 0;
      const events = await other().countEvents();
      other().intercept(refuse);
      const { block } = await recordAndCheckpoint(checkpoints);
      await until(() => problems.length === 1);
      expect([await isPending(), await isRecorded(checkpoints, block)]).to.deep.equal([false, false]);
      other().intercept(undefined);
      clock.nowMs += 2_000;
      await until(async () => {
        await checkpoints.request([]);
        return isRecorded(checkpoints, block);
      });
      await until(() => problems.length === 2);
      expect(await other().countEvents()).to.equal(events + 2);
    }
  });
});
