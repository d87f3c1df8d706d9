// The handler of every operation of the document; one that is missing, or answers something else, does not compile.
import type { ServerDeps } from './deps.ts';
import type { Handlers } from './handlers.ts';
import { createAsset } from './operations/createAsset.ts';
import { createEvent } from './operations/createEvent.ts';
import { getAsset } from './operations/getAsset.ts';
import { getEvent } from './operations/getEvent.ts';
import { getJwks } from './operations/getJwks.ts';
import { issueToken } from './operations/issueToken.ts';
import { listAssets } from './operations/listAssets.ts';
import { listEvents } from './operations/listEvents.ts';

export const operations = (deps: ServerDeps) =>
  ({
    createAsset: createAsset(deps),
    listAssets: listAssets(deps),
    getAsset: getAsset(deps),
    createEvent: createEvent(deps),
    listEvents: listEvents(deps),
    getEvent: getEvent(deps),
    issueToken: issueToken(deps),
    getJwks: getJwks(deps),
  }) satisfies Handlers;
