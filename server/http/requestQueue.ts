// Runs the requests of one connection one after another. Node parses every pipelined request that it has read and emits
// them all at once; a response that is queued behind another never emits `close` when its socket closes, so whatever
// its handler opened would stay open.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createRequestParties, type RequestParties } from '../fairness/requestParties.ts';
import { createRunInTurns, REQUESTS_PER_TURN } from '../fairness/requestTurns.ts';

/** Observes when a connection has a request in progress. */
export interface QueueObserver {
  /** Called when a request is dispatched. */
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  /** Called when the connection has neither a request in progress nor a waiting one. */
  onIdle(socket: Socket): void;
}

export interface RequestQueueOptions extends QueueObserver {
  /** Requests that may wait on all connections together. Beyond it the connection with the most is closed. */
  readonly waitingMax: number;
  /** The share of a request; that of its connection's network unless given. */
  readonly readShare?: RequestParties['readShare'] | undefined;
}

/**
 * Pipelined requests that wait on all connections together. One read of a socket is at most 64 KiB, which is up to
 * 3,640 of the shortest requests; each needs about 5 KB of memory.
 */
export const PIPELINED_WAITING_MAX = 8_192;

const ofConnections = createRequestParties(({ socket }) => socket.remoteAddress ?? '');

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

interface Queue {
  readonly socket: Socket;
  running: Exchange | undefined;
  waiting: Exchange[];
  /** If set, nothing more is read, and this function ends the connection after the last answer. */
  end: (() => void) | undefined;
}

/** The requests of a server, one after another on each connection. */
export interface RequestQueue {
  /** The listener for Node's `request` event. */
  readonly add: RequestListener;
  /**
   * Ends a connection from which nothing more can be read. Calls `end` after the answers to all complete requests, or
   * at once when there is none. An incomplete request is dropped; if its answer has begun, the connection is closed and
   * `end` isn't called.
   */
  readonly endAfterAnswers: (socket: Socket, end: () => void) => void;
}

/** The queues of all connections with waiting requests, and the number of these requests. */
const createBacklog = (waitingMax: number) => {
  const queues = new Set<Queue>();
  let count = 0;

  const clear = (queue: Queue): void => {
    if (queues.delete(queue)) count -= queue.waiting.length;
    queue.waiting = [];
  };

  const findLongest = (): Queue =>
    [...queues].reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one));

  return {
    clear,
    add: (queue: Queue, exchange: Exchange): void => {
      queue.waiting.push(exchange);
      queues.add(queue);
      count += 1;
      if (count <= waitingMax) return;
      const longest = findLongest();
      clear(longest);
      longest.socket.destroy();
    },
    /** Drops the request whose body can't be read, which can only be the last one of a connection. */
    dropIncomplete: (queue: Queue): void => {
      if (queue.waiting.at(-1)?.[0].complete !== false) return;
      queue.waiting.pop();
      count -= 1;
      if (queue.waiting.length === 0) queues.delete(queue);
    },
    shift: (queue: Queue): Exchange | undefined => {
      const exchange = queue.waiting.shift();
      if (exchange !== undefined) count -= 1;
      if (queue.waiting.length === 0) queues.delete(queue);
      return exchange;
    },
  };
};

const endIfRequested = (queue: Queue): void => {
  const { socket, end } = queue;
  if (end === undefined) return;
  queue.end = undefined;
  // Reading on detects that the client closes. An answer with `connection: close` has already ended the connection.
  socket.resume();
  if (socket.writable) end();
};

// A few requests in each turn of the event loop.
const createTakeIn = (
  answer: RequestListener,
  { readShare = ofConnections.readShare }: Pick<RequestQueueOptions, 'readShare'>,
): RequestListener => {
  const runInTurns = createRunInTurns(REQUESTS_PER_TURN);
  return (request, response) =>
    runInTurns(
      () => readShare(request),
      () => {
        if (!response.closed) answer(request, response);
      },
    );
};

/**
 * Dispatches a connection's next request when the response before it is closed. While requests wait the socket is
 * paused, so that Node parses no more than it has already read. A connection that closes drops its waiting requests,
 * also one that waits for its turn of the event loop.
 */
export const createRequestQueue = (answer: RequestListener, options: RequestQueueOptions): RequestQueue => {
  const queues = new WeakMap<Socket, Queue>();
  const backlog = createBacklog(options.waitingMax);
  const takeIn = createTakeIn(answer, options);

  const dispatch = (queue: Queue, [request, response]: Exchange): void => {
    queue.running = [request, response];
    response.once('close', () => advance(queue));
    options.onRequest(request, response);
    takeIn(request, response);
  };

  const dispatchWaiting = (queue: Queue, exchange: Exchange): void => {
    // Node assigns the socket to the next response only if the connection stays open.
    if (queue.socket.destroyed || exchange[1].socket === null) {
      backlog.clear(queue);
      return;
    }
    if (queue.waiting.length === 0) queue.socket.resume();
    dispatch(queue, exchange);
  };

  const advance = (queue: Queue): void => {
    const exchange = backlog.shift(queue);
    if (exchange === undefined) {
      queue.running = undefined;
      options.onIdle(queue.socket);
      endIfRequested(queue);
      return;
    }
    // Lets other connections run between two requests of this one.
    setImmediate(() => dispatchWaiting(queue, exchange));
  };

  const open = (socket: Socket): Queue => {
    const queue: Queue = { socket, running: undefined, waiting: [], end: undefined };
    queues.set(socket, queue);
    socket.once('close', () => backlog.clear(queue));
    // Node resumes a socket when a response has drained or a body is read.
    socket.on('resume', () => (queue.waiting.length > 0 || queue.end !== undefined) && socket.pause());
    return queue;
  };

  const add: RequestListener = (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const queue = queues.get(socket) ?? open(socket);
    if (queue.running === undefined) {
      dispatch(queue, [request, response]);
      return;
    }
    backlog.add(queue, [request, response]);
    if (queue.waiting.length > 0) socket.pause();
  };

  const endAfterAnswers = (socket: Socket, end: () => void): void => {
    const queue = queues.get(socket);
    const [request, response] = queue?.running ?? [];
    if (queue !== undefined && request?.complete) {
      backlog.dropIncomplete(queue);
      queue.end ??= end;
      socket.pause();
    } else if (response?.headersSent) socket.destroy();
    else end();
  };

  return { add, endAfterAnswers };
};
