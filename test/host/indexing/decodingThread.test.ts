import { expect } from 'chai';
import { startDecodingThread } from '../../../host/indexing/decodingThread.ts';
import { decodeLog } from '../../../indexer/projection/decodedRecord.ts';
import type { LogDecoder } from '../../../indexer/projection/logDecoder.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, anEvent, aTenantRecord, eventOf } from '../../support/records.ts';
import { failureOf } from '../../support/refusals.ts';

const LOGS = [aTenantRecord(ALPHA), anEvent(), anEvent({ identity: eventOf(1, 2) })].map((record, at) =>
  toRecordLog({ record }, at + 1),
);

const PARENT = "(await import('node:worker_threads')).parentPort";
const programOf = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

describe('the thread that decodes logs', () => {
  const withThread = async (program: URL | undefined, act: (thread: LogDecoder) => Promise<void>): Promise<void> => {
    const thread = startDecodingThread(program);
    try {
      await act(thread);
    } finally {
      await thread.close();
    }
  };

  it('answers each batch in the order of the calls', () =>
    withThread(undefined, async (thread) => {
      const decoded = await Promise.all([thread.decode(LOGS), thread.decode([]), thread.decode(LOGS.slice(1))]);
      const answers = decoded.map(({ records }) => records);
      expect(answers.map(({ length }) => length)).to.deep.equal([3, 0, 2]);
      for (const [at, log] of LOGS.entries()) {
        const { recordKey, streamKey } = decodeLog(log)!;
        expect(Buffer.from(answers[0]![at]!.recordKey)).to.deep.equal(Buffer.from(recordKey));
        expect(Buffer.from(answers[0]![at]!.streamKey)).to.deep.equal(Buffer.from(streamKey));
      }
      expect(answers[2]!.map((record) => record?.log)).to.deep.equal(LOGS.slice(1));
    }));

  it('rejects all calls when its program throws', () =>
    withThread(programOf("throw new Error('broken')"), async (thread) => {
      const both = [thread.decode(LOGS), thread.decode(LOGS)].map(failureOf);
      for (const rejection of await Promise.all(both)) {
        expect(rejection).to.have.property('message', 'the thread that decodes logs has failed: broken');
        expect(rejection).to.have.nested.property('cause.message', 'broken');
      }
      expect(await failureOf(thread.decode(LOGS))).to.have.nested.property('cause.message', 'broken');
    }));

  it('rejects the calls in progress, and later ones, when it ends', () =>
    withThread(programOf(`${PARENT}.once('message', () => process.exit(3))`), async (thread) => {
      const message = 'the thread that decodes logs has ended with code 3';
      expect(await failureOf(thread.decode(LOGS))).to.have.property('message', message);
      expect(await failureOf(thread.decode(LOGS))).to.have.property('message', message);
    }));

  it('rejects the calls in progress when it is closed', async () => {
    const thread = startDecodingThread(programOf(`${PARENT}.on('message', () => undefined)`));
    const rejection = failureOf(thread.decode(LOGS));
    await thread.close();
    expect(await rejection)
      .to.have.property('message')
      .that.matches(/has ended/);
  });
});
