// Bounds the memory of large evidence files: each counts from its first bytes until its client has read the answer or
// is gone. Clients without a token have a memory of their own, so they can't use up that of the tenants. Of both, no
// party may have more than it leaves free, so that others always find room.
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
  /** Files of one tenant, and of all who have no token. A party has no more of either than it leaves free. */
  readonly partyMax: number;
  /** Files of all tenants. */
  readonly tenantsMax: number;
}

const PUBLIC = 'public';

/** The party that takes turns with others: the tenant, or without a token the client's network. */
export const toParty = ({ isPublic, network = PUBLIC, tenantIdentity }: Asker): string =>
  isPublic ? network : tenantIdentity;

/** Begins with nothing held. */
export const createAnswerMemory = ({ smallMax, partyMax, tenantsMax }: AnswerMemoryOptions): OpenHeldAnswer => {
  const byParty = new Map<string, number>();
  const pools = { ofTenants: 0, ofPublic: 0 };
  const toPool = ({ isPublic }: Asker) =>
    isPublic ? ({ name: 'ofPublic', max: partyMax } as const) : ({ name: 'ofTenants', max: tenantsMax } as const);

  const add = (asker: Asker, characters: number): void => {
    const party = toParty(asker);
    const sum = (byParty.get(party) ?? 0) + characters;
    if (sum === 0) byParty.delete(party);
    else byParty.set(party, sum);
    pools[toPool(asker).name] += characters;
  };

  const hasRoom = (asker: Asker, characters: number): boolean => {
    const { name, max } = toPool(asker);
    const leftFree = max - pools[name] - characters;
    return (byParty.get(toParty(asker)) ?? 0) + characters <= Math.min(partyMax, leftFree);
  };

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
