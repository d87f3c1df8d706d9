// The positions that events state.
import type { LedgerEvent } from '../api/client.ts';
import { toEventType } from './names.ts';
import { readPosition } from './positions.ts';
import { toLocal } from './times.ts';

/** The position of an event, named by what happened and when, as it declares; nothing if it states none. */
export const toMarkedEvents = (event: LedgerEvent) => {
  const position = readPosition(event.event_attributes) ?? readPosition(event.asset_attributes);
  const title = `${toEventType(event)}, ${toLocal(event.timestamp_declared)}`;
  return position === undefined ? [] : [{ ...position, title }];
};
