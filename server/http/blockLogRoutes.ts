// Serves the block log as static files (C2SP tlog-tiles): /checkpoint, and tiles and bundles of entries below /tile.
// They need no token: a log proves something because everybody sees the same one.
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { LedgerError } from '../../ledger/errors.ts';
import { decodeTilePath, type Tile } from '../../ledger/evidence/tiles.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';

const PATH_LENGTH_MAX = 64;

/** A log whose files are served. */
export interface PublishedLog {
  /** The newest checkpoint as a signed note; undefined before the first one. */
  readCheckpoint(): string | undefined;
  /** The content of a tile or bundle; undefined when the newest checkpoint doesn't cover it. */
  readTile(tile: Tile): Promise<Uint8Array | undefined>;
}

const findTile = (path: string): Tile => {
  try {
    if (path.length <= PATH_LENGTH_MAX) return decodeTilePath(path.slice(1));
  } catch (error) {
    if (!(error instanceof UnreadableEvidence)) throw error;
  }
  throw new LedgerError('ROUTE_NOT_FOUND');
};

/** The routes of a log. `limit` runs before each of them. */
export const createBlockLogRouter = (log: PublishedLog, limit: RequestHandler): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/checkpoint', limit, (_request, response) => {
    response.locals.operationId = 'checkpoint';
    const note = log.readCheckpoint();
    if (note === undefined) throw new LedgerError('ROUTE_NOT_FOUND');
    response.set('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(note);
  });
  router.get('/tile/*path', limit, async (request: Request, response: Response) => {
    response.locals.operationId = 'tile';
    const bytes = await log.readTile(findTile(request.path));
    if (bytes === undefined) throw new LedgerError('ROUTE_NOT_FOUND');
    // Tiles of any width never change.
    response.set('cache-control', 'public, max-age=31536000, immutable').type('application/octet-stream');
    response.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
  return router;
};
