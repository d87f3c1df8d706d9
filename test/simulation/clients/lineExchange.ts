// A request of many lines and its answer, which travel in pieces at the same time, each direction in order. The
// connection ends early when a piece is lost, when the server's process ends, or when the client disconnects.
import { LedgerError } from '../../../ledger/errors.ts';
import type { Line } from '../../../server/lines/lineBody.ts';
import { type RawLine, splitLines } from '../../../server/lines/splitLines.ts';
import type { Machine } from '../server/machine.ts';
import type { OpenServer } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import { type ClientNetwork, wait } from './exchange.ts';
import { toRequestParts } from './request.ts';

/** What a client sends, and what it is notified of. */
export interface LineOrder {
  readonly tenantIdentity: string;
  /** The body. Pieces begin and end anywhere in a line. */
  readonly pieces: readonly string[];
  /** Number of the lines. */
  readonly lines: number;
  /** The client disconnects after so many pieces; undefined: when it has the complete answer. */
  readonly piecesUntilEnd: number | undefined;
  /** Longest pause between two pieces of the body, and before the server reads on, in virtual milliseconds. */
  readonly pauseMsMax: number;
  /** Called before a piece is sent. */
  readonly onPiece: (at: number) => void;
  /** Called with complete lines of the answer when they arrive. */
  readonly onAnswer: (text: string) => void;
}

/** How an exchange ended: `refused` is a connection that the machine refused, because it has no server. */
export type LineExchanged = 'complete' | 'lost' | 'refused';

/** Milliseconds without progress after which a client disconnects. */
const TIMEOUT_MS = 20_000;
const LATENCY_MS = [0, 5] as const;
/** Small, so that a request has several groups. */
const LIMITS = { linesMax: 500_000, lineBytesMax: 4_096, groupLinesMax: 3, groupBytesMax: 2_000 };

// The pieces that have arrived. A broken connection ends the body at once, whatever has arrived.
const createBody = () => {
  const pieces: Buffer[] = [];
  let isEnded = false;
  let failure: LedgerError | undefined;
  let wake = (): void => undefined;
  const change = (apply: () => void) => (): void => {
    apply();
    wake();
  };
  async function* read(): AsyncGenerator<Buffer> {
    while (failure === undefined && !(isEnded && pieces.length === 0)) {
      const next = pieces.shift();
      if (next !== undefined) yield next;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failure !== undefined) throw failure;
  }
  return {
    read,
    add: (text: string): void => change(() => pieces.push(Buffer.from(text)))(),
    end: change(() => {
      isEnded = true;
    }),
    break: change(() => {
      failure = new LedgerError('REQUEST_INVALID', { message: 'the client disconnected' });
    }),
  };
};

type Body = ReturnType<typeof createBody>;

const decode = ({ number, bytes }: RawLine): Line<unknown> => {
  try {
    return { number, value: JSON.parse(bytes!.toString()) };
  } catch (cause) {
    return { number, refusal: new LedgerError('REQUEST_INVALID', { cause }) };
  }
};

async function* readGroups(body: Body): AsyncGenerator<Line<unknown>[]> {
  for await (const group of splitLines(body.read(), LIMITS, async () => undefined)) yield group.map(decode);
}

/** Sends one request of lines to the server of a machine. Never rejects. */
export const exchangeLines = (
  { machine, network }: { readonly machine: Machine; readonly network: ClientNetwork },
  order: LineOrder,
): Promise<LineExchanged> =>
  new Promise((resolve) => {
    const world = theWorld();
    const random = world.stream('clients of lines');
    const body = createBody();
    const pause = (): Promise<void> => wait(random.integer(0, order.pauseMsMax));
    const travel = (): Promise<void> => wait(random.integer(...LATENCY_MS));
    let isOpen = true;
    let cancelTimeout = (): void => undefined;
    let forget = (): void => undefined;
    const end = (result: LineExchanged): void => {
      if (!isOpen) return;
      isOpen = false;
      cancelTimeout();
      forget();
      body.break();
      resolve(result);
    };
    const restartTimeout = (): void => {
      cancelTimeout();
      cancelTimeout = world.schedule(TIMEOUT_MS, () => end('lost'));
    };
    const isLost = (): boolean => {
      if (random.chance(network.lossRate)) end('lost');
      return !isOpen;
    };

    const sendBody = async (): Promise<void> => {
      for (const [at, piece] of order.pieces.entries()) {
        if (!isOpen) return;
        if (at === order.piecesUntilEnd) return end('lost');
        order.onPiece(at);
        await travel();
        if (isLost()) return;
        body.add(piece);
        restartTimeout();
        await pause();
      }
      body.end();
    };

    // In the server's process. Answers that it has sent arrive also when it ends.
    let arrived = Promise.resolve();
    const deliver = (task: () => void): void => {
      arrived = arrived.then(travel).then(() => {
        if (isLost()) return;
        restartTimeout();
        task();
      });
    };
    const serve = async ({ handlers, process }: OpenServer): Promise<void> => {
      const request = { ...toRequestParts(order.tenantIdentity), body: { groups: readGroups(body) } };
      const { lines } = await handlers.createEvents(request as never);
      for await (const text of lines) {
        if (!isOpen || !process.isAlive()) return;
        deliver(() => order.onAnswer(String(text)));
        await pause();
      }
      if (process.isAlive()) deliver(() => end('complete'));
    };

    const connect = async (): Promise<void> => {
      await travel();
      const server = machine.server();
      if (isLost()) return;
      if (server === undefined) return end('refused');
      forget = machine.onEnd(() => void travel().then(() => arrived.then(() => end('lost'))));
      restartTimeout();
      server.inProgress += order.lines;
      void sendBody();
      const served = server.process.run(() => serve(server));
      await served.catch((error: unknown) => {
        world.note('server', () => `fails to answer lines: ${String(error)}`);
        end('lost');
      });
      server.inProgress -= order.lines;
    };
    void connect();
  });
