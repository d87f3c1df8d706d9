// The load of bench/bulk.ts: requests of many lines, and exports. The work for each line is small, because the load
// generator shares the cores with the server that it measures.
import { request } from 'node:http';

/** Requests to send. */
export interface BulkOrder {
  readonly url: string;
  readonly token: string;
  /** Identities of the assets that the events go to, in turn. */
  readonly assets: readonly string[];
  /** Events of one request. */
  readonly events: number;
}

const CONFIRMED = '"status":200,"identity"';
const CHUNK_LINES = 100;

const toLine = (asset: string, count: number): string =>
  `${JSON.stringify({
    asset_identity: asset,
    behaviour: 'RecordEvidence',
    operation: 'Record',
    event_attributes: {
      arc_display_type: 'Inspection',
      arc_description: `the inspector saw that everything was in order, for the ${count}th time`,
      arc_correlation_value: `${count}`,
      inspector: 'Ida Holm',
      floor: 'Second floor',
      wing: 'east',
      tool: 'torch',
    },
    asset_attributes: { last_inspection: String(count) },
  })}\n`;

const toChunk = ({ assets, events }: BulkOrder, from: number): string =>
  Array.from({ length: Math.min(CHUNK_LINES, events - from) }, (_, at) =>
    toLine(assets[(from + at) % assets.length]!, from + at),
  ).join('');

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Sends one request and reads its answers while it sends. Rejects when a line isn't answered with 200. */
export const sendBulk = (order: BulkOrder): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/x-ndjson' };
    const url = `${order.url}/v2/events:bulk?fields=identity`;
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      const texts: string[] = [];
      response.setEncoding('latin1').on('data', (text: string) => texts.push(text));
      response.once('end', () => {
        const confirmed = countOf(texts.join(''), CONFIRMED);
        if (confirmed === order.events) resolve();
        else reject(new Error(`${confirmed} of ${order.events} events were recorded: ${texts.at(-1)?.slice(-500)}`));
      });
      response.once('error', reject);
    });
    sent.once('error', reject);
    const send = (from: number): void => {
      if (from >= order.events) sent.end();
      else if (sent.write(toChunk(order, from))) setImmediate(send, from + CHUNK_LINES);
      else sent.once('drain', () => send(from + CHUNK_LINES));
    };
    send(0);
  });

const NEWLINE = 0x0a;

const countLines = (chunk: Buffer): number => {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
};

/** Reads all events and returns their number. */
export const readExport = ({ url, token }: Pick<BulkOrder, 'url' | 'token'>): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(`${url}/v2/events:export`, { headers, agent: false }, (response) => {
      let lines = 0;
      response.on('data', (chunk: Buffer) => {
        lines += countLines(chunk);
      });
      response.once('end', () => resolve(lines)).once('error', reject);
    });
    sent.once('error', reject).end();
  });
