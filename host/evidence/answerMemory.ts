// Bounds the memory of large evidence files: each counts from its first bytes until its client has read the answer or
// is gone. Clients without a token have a memory of their own, so they can't use up that of the tenants.
import type { Asker } from './coverage.ts';
import { refusePending } from './coverage.ts';

/** What one file takes of the memory. */
export interface HeldAnswer {
  /**
   * Counts characters that the file will have at least.
   * @throws LedgerError EVIDENCE_PENDING when files that nobody has read yet leave no room.
   */
  holdAtLeast(characters: number): void;
  /** The file is read, or nobody will read it. */
  release(): void;
}

/** Opens the account of the file that somebody asked for. */
export type OpenHeldAnswer = (asker: Asker) => HeldAnswer;

/** Limits in characters. */
export interface AnswerMemoryOptions {
  /** Smaller files don't count. */
  readonly smallMax: number;
  /** Files of one tenant, and of all who have no token. */
  readonly partyMax: number;
  /** Files of all tenants. */
  readonly tenantsMax: number;
}

const PUBLIC = 'public';

/** The party that waits and counts together with others: the tenant, or all who have no token. */
export const toParty = ({ isPublic, tenantIdentity }: Asker): string => (isPublic ? PUBLIC : tenantIdentity);

/** Begins with nothing held. */
export const createAnswerMemory = ({ smallMax, partyMax, tenantsMax }: AnswerMemoryOptions): OpenHeldAnswer => {
  const byParty = new Map<string, number>();
  let ofTenants = 0;

  const add = (asker: Asker, characters: number): void => {
    const party = toParty(asker);
    const sum = (byParty.get(party) ?? 0) + characters;
    if (sum === 0) byParty.delete(party);
    else byParty.set(party, sum);
    if (!asker.isPublic) ofTenants += characters;
  };

  const hasRoom = (asker: Asker, characters: number): boolean =>
    (byParty.get(toParty(asker)) ?? 0) + characters <= partyMax &&
    (asker.isPublic || ofTenants + characters <= tenantsMax);

  return (asker) => {
    let held = 0;
    return {
      holdAtLeast: (characters) => {
        const added = characters - held;
        if (characters <= smallMax || added <= 0) return;
        if (!hasRoom(asker, added)) throw refusePending();
        add(asker, added);
        held = characters;
      },
      release: () => {
        add(asker, -held);
        held = 0;
      },
    };
  };
};
