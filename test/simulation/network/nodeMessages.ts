// The messages of a node: requests that it receives and answers that it sends, which may be faulty.
import { theWorld } from '../world/world.ts';
import type { Exchange } from './exchange.ts';
import { answerOfGateway, drawMessageFault, type MessageFault, toFaultyAnswer } from './messageFaults.ts';
import type { NodeConditions, NodeOptions } from './nodeConditions.ts';
import type { NodeRuns } from './nodeRuns.ts';
import { LATENCY_MS } from './simulatedFetch.ts';

/** What the messages of a node need from it. */
export interface MessageContext {
  readonly conditions: Readonly<NodeConditions>;
  readonly runs: NodeRuns;
  /** The answer to the body of a request. */
  readonly answerText: (body: string) => string;
}

type Deliver = (exchange: Exchange, fault: MessageFault | undefined, text: string) => void;

const FIRST_ANSWER = '{"jsonrpc":"2.0","id":0,"result":"0x0"}';

const messagesOf = (name: string) => theWorld().stream(`network messages of ${name}`);

// The connection breaks, or its packets are lost without a sign.
const lose = (name: string, exchange: Exchange): void => {
  if (messagesOf(name).chance(0.5)) exchange.reset('ECONNRESET');
};

// Sends answers, and remembers them for those that a faulty connection confuses.
const createDelivery = (name: string): Deliver => {
  const answered = new Map<string, string>();
  let last = FIRST_ANSWER;
  return (exchange, fault, text) => {
    if (fault === 'loseAnswer') lose(name, exchange);
    else {
      const former = { last, ofMethod: answered.get(exchange.method) ?? last };
      exchange.respond(toFaultyAnswer(fault, text, former, messagesOf(name)));
    }
    last = text;
    answered.set(exchange.method, text);
  };
};

const createProcessing = (
  { longDelayMs }: NodeOptions,
  { conditions, runs, answerText }: MessageContext,
  deliver: Deliver,
) => {
  return (exchange: Exchange, fault: MessageFault | undefined): void => {
    const run = runs.current();
    let text = answerText(exchange.body);
    if (fault === 'repeatRequest') text = answerText(exchange.body);
    const latencyMs = theWorld()
      .stream('network latency')
      .integer(...LATENCY_MS);
    const delayMs = latencyMs + conditions.slowMs + (fault === 'delayAnswer' ? longDelayMs : 0);
    theWorld().schedule(delayMs, () => runs.whenRunning(exchange, () => deliver(exchange, fault, text), run));
  };
};

/** Receives the requests of a node. */
export const createReceiver = (options: NodeOptions, context: MessageContext): ((exchange: Exchange) => void) => {
  const { name, onFault } = options;
  const { conditions, runs } = context;
  const process = createProcessing(options, context, createDelivery(name));
  const note = (fault: MessageFault, { method }: Exchange): void => {
    theWorld().note(name, () => `has a faulty connection for ${method}: ${fault}`);
    onFault(fault);
  };
  const handle = (exchange: Exchange): void => {
    const fault = conditions.lossy && drawMessageFault(messagesOf(name), conditions.lossy, exchange.method);
    if (fault !== undefined) note(fault, exchange);
    const gateway = answerOfGateway(fault);
    if (fault === 'loseRequest') lose(name, exchange);
    else if (gateway !== undefined) exchange.respond(gateway);
    else process(exchange, fault);
  };
  return (exchange) => {
    if (conditions.state === 'down') exchange.reset('ECONNREFUSED');
    else runs.whenRunning(exchange, () => handle(exchange));
  };
};
