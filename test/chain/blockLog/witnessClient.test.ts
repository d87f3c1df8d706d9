// What a log takes from a witness: one cosignature, of about our time, and nothing else.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { BlockLog, SignedHead } from '../../../chain/blockLog/blockLog.ts';
import { createWitnessClient, type WitnessClient, WitnessRefusal } from '../../../chain/blockLog/witnessClient.ts';
import { createNumberedChain, openNumberedLog } from '../../support/blockLogs.ts';
import { useDirectories } from '../../support/directories.ts';
import { NOW_SECONDS, now, type Running, startLiar, startWitness } from '../../support/listeningWitnesses.ts';
import { failureOf } from '../../support/refusals.ts';
import { openTestWitness } from '../../support/witnesses.ts';

describe('the client of a witness', () => {
  const makeDirectory = useDirectories();
  let log: BlockLog;
  let head: SignedHead;
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    log = await openNumberedLog(await makeDirectory(), createNumberedChain(9));
    await log.advance();
    head = log.head()!;
  });
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const run = async (start: Promise<Running>): Promise<Running> => {
    const running = await start;
    closing.push(running.close);
    return running;
  };
  const cosign = (client: WitnessClient) => client.cosign(head, AbortSignal.timeout(10_000));
  const refusalOf = async (client: WitnessClient): Promise<string> => {
    const failure = await failureOf(cosign(client));
    expect(failure).to.be.instanceOf(WitnessRefusal);
    return (failure as Error).message;
  };

  it('fails with the status that the witness answers', async () => {
    const { verifier } = await openTestWitness(await makeDirectory());
    let answer: readonly [status: number, text: string] = [200, ''];
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      request.resume();
      response.writeHead(answer[0]).end(answer[1]);
    };
    const client = createWitnessClient(await run(startLiar(verifier, listener)), { log, now });
    const refusalAt = (status: number, text: string): Promise<string> => {
      answer = [status, text];
      return refusalOf(client);
    };
    for (const status of [400, 403, 404, 413, 415, 422, 429, 500, 503])
      expect(await refusalAt(status, 'why\nnot\n')).to.equal(`it answers ${status} (why)`);
    expect(await refusalAt(409, 'x\n')).to.equal('it answers 409 without a size');
    expect(await refusalAt(409, '11\n')).to.include('it cosigned a checkpoint of 11 blocks, and the log has 10');
    expect(await refusalAt(409, '9\n')).to.equal('it answers 409 (9)');
    // The size of the log, and then again: the roots differ, as version 1.0.0 of the standard answers it.
    expect(await refusalAt(409, '10\n')).to.equal('it answers 409: it cosigned another checkpoint of 10 blocks');
    expect(await refusalAt(409, '')).to.equal('it answers 409: it cosigned another checkpoint of 10 blocks');
  });

  it('accepts a time up to a day from ours, and says how far it is', async () => {
    for (const ahead of [-86_400, -301, 0, 301, 86_400]) {
      const witness = await run(startWitness(await makeDirectory(), 0, () => NOW_SECONDS + ahead));
      expect(await cosign(createWitnessClient(witness, { log, now }))).to.include({ aheadSeconds: ahead });
    }
    for (const [ahead, sentence] of [
      [-86_401, "24 hours behind this server's"],
      [86_401, "24 hours ahead of this server's"],
      [365 * 86_400, "365 days ahead of this server's"],
      [1 - NOW_SECONDS, "20717 days behind this server's"],
    ] as const) {
      const witness = await run(startWitness(await makeDirectory(), 0, () => NOW_SECONDS + ahead));
      expect(await refusalOf(createWitnessClient(witness, { log, now }))).to.equal(
        `the time of its cosignature is ${sentence}`,
      );
    }
  });
});
