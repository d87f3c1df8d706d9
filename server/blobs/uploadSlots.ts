// Limits concurrent uploads, in all and for each tenant, which may have as many as stay free: several tenants together
// can't occupy all slots. When no slot is free, the slowest of the uploads below the required pace is ended.
import type { IncomingMessage } from 'node:http';
import { LedgerError } from '../../ledger/errors.ts';
import { isAwaited, measurePace } from '../http/bodyPace.ts';
import type { UploadPace } from '../limits.ts';

/** An upload that has a slot. */
export interface Occupant {
  readonly tenantIdentity: string;
  /** Its pace in bytes per second if it is slow; undefined if it is not slow, or waits for the server. */
  readSlowPace(): number | undefined;
  /** Called when its slot was given to another upload. */
  end(): void;
}

/** The slots of one server. */
export interface UploadSlots {
  /** Runs a task in a slot of its tenant. Rejects with UPLOADS_BUSY when none is free and no upload is slow. */
  occupy<T>(occupant: Occupant, task: () => Promise<T>): Promise<T>;
}

/** Measures an upload from now on. Returns a function that reads its pace as `Occupant.readSlowPace` does. */
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

/** Free slots: `max` in all, `tenantMax` for each tenant, and no more of one tenant than are free. */
export const createUploadSlots = ({ max, tenantMax }: { max: number; tenantMax: number }): UploadSlots => {
  const occupants = new Set<Occupant>();
  const endSlowest = (rivals: readonly Occupant[]): void => {
    const slowest = findSlowest(rivals);
    if (slowest === undefined) throw new LedgerError('UPLOADS_BUSY');
    occupants.delete(slowest);
    slowest.end();
  };
  return {
    occupy: async (occupant, task) => {
      const { tenantIdentity } = occupant;
      const ofTenant = [...occupants].filter((other) => other.tenantIdentity === tenantIdentity);
      if (ofTenant.length >= tenantMax) endSlowest(ofTenant);
      else if (ofTenant.length >= max - occupants.size) endSlowest([...occupants]);
      occupants.add(occupant);
      try {
        return await task();
      } finally {
        occupants.delete(occupant);
      }
    },
  };
};
