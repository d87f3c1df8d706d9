// The ids of the messages of an event stream: where it continues in the chain, authenticated like page tokens.
import type { FeedEvent } from '../../indexer/feedView.ts';
import { refuseField } from '../../ledger/errors.ts';
import type { PageTokens } from '../lists/pageTokens.ts';
import { isRefusedAs } from '../records/missing.ts';

type Position = FeedEvent['next'];

/** Encodes and decodes the ids of one stream. */
export interface MessageIds {
  encode(next: Position): string;
  /** @throws LedgerError REQUEST_INVALID that names `Last-Event-ID` when `encode` did not create the id. */
  decode(id: string): Position;
}

const isForeign = isRefusedAs('PAGE_TOKEN_INVALID');

const decodePosition = (pageTokens: PageTokens, scope: string, id: string): Position => {
  try {
    return JSON.parse(pageTokens.decode(scope, id).position) as Position;
  } catch (error) {
    if (!isForeign(error)) throw error;
    throw refuseField('REQUEST_INVALID', 'Last-Event-ID', 'was not sent by this server in this stream');
  }
};

/** The ids of a stream. `scope` names the tenant and the stream. */
export const createMessageIds = (pageTokens: PageTokens, scope: string): MessageIds => ({
  encode: ({ blockNumber, logIndex }) =>
    pageTokens.encode(scope, { filters: {}, pageSize: null, position: JSON.stringify({ blockNumber, logIndex }) }),
  decode: (id) => decodePosition(pageTokens, scope, id),
});
