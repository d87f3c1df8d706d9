// How many uploads may be under way at once, in all and of one tenant, so that no tenant can take every turn. Where none is free, the slowest
// of those that come too slowly makes room.
import type { IncomingMessage } from 'node:http';
import { LedgerError } from '../../ledger/errors.ts';
import { isAwaited, measurePace } from '../http/bodyPace.ts';
import type { UploadPace } from '../limits.ts';

export interface Occupant {
  readonly tenantIdentity: string;
  /** Its pace in bytes per second where it is slow; undefined where it is not, or waits for the server. */
  readSlowPace(): number | undefined;
  /** Called when its slot was given to another. */
  end(): void;
}

export interface UploadSlots {
  /** Runs a task in a slot of its tenant. Rejects with UPLOADS_BUSY when none is free and no upload is slow. */
  occupy<T>(occupant: Occupant, task: () => Promise<T>): Promise<T>;
}

/** Measures an upload from now on. */
export const createReadSlowPace = (request: IncomingMessage, { graceMs, bytesPerSecondMin }: UploadPace) => {
  const { elapsedMs, bytesPerSecond } = measurePace(request);
  return (): number | undefined => {
    if (!isAwaited(request) || elapsedMs() <= graceMs) return undefined;
    const pace = bytesPerSecond();
    return pace < bytesPerSecondMin ? pace : undefined;
  };
};

const findSlowest = (occupants: readonly Occupant[]): Occupant | undefined =>
  occupants
    .map((occupant) => ({ occupant, pace: occupant.readSlowPace() ?? Number.POSITIVE_INFINITY }))
    .filter(({ pace }) => Number.isFinite(pace))
    .sort((one, other) => one.pace - other.pace)[0]?.occupant;

/** Slots, none of them taken. */
export const createUploadSlots = ({ max, tenantMax }: { max: number; tenantMax: number }): UploadSlots => {
  const occupants = new Set<Occupant>();
  const makeRoom = (rivals: readonly Occupant[], rivalsMax: number): void => {
    if (rivals.length < rivalsMax) return;
    const slowest = findSlowest(rivals);
    if (slowest === undefined) throw new LedgerError('UPLOADS_BUSY');
    occupants.delete(slowest);
    slowest.end();
  };
  return {
    occupy: async (occupant, task) => {
      const { tenantIdentity } = occupant;
      const ofTenant = [...occupants].filter((other) => other.tenantIdentity === tenantIdentity);
      makeRoom(ofTenant, tenantMax);
      makeRoom([...occupants], max);
      occupants.add(occupant);
      try {
        return await task();
      } finally {
        occupants.delete(occupant);
      }
    },
  };
};
