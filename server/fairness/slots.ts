// Slots that parties hold for a long time. While some are free, a party may have more than its share. When none is, the
// party with the most gives one to a party that has fewer, so that every party gets its share.

/** Who takes a slot. */
export interface SlotRequest {
  readonly party: string;
  /** A member of the party, with a bound of its own. */
  readonly member: string;
  /** Called when the slot was given to another party. */
  readonly end: () => void;
}

/** Bounds of the slots. */
export interface SlotLimits {
  readonly max: number;
  /** Of these, those of one party. */
  readonly ofPartyMax: number;
  /** Of these, those of one member. */
  readonly ofMemberMax: number;
}

/** Why there is no slot: the party or its member has as many as it may have, or all are taken. */
export type SlotRefusal = 'own' | 'all';

/** The slots of one server. */
export interface Slots {
  /** Takes a slot. Returns the function that returns it, or why there is none. */
  take(request: SlotRequest): (() => void) | SlotRefusal;
}

type Holders = Map<string, Set<SlotRequest>>;

const countOf = (holders: ReadonlySet<SlotRequest> | undefined, member: string): number =>
  [...(holders ?? [])].filter((holder) => holder.member === member).length;

const findLargest = (holders: Holders): Set<SlotRequest> =>
  [...holders.values()].reduce((one, other) => (other.size > one.size ? other : one), new Set<SlotRequest>());

/** Creates free slots. */
export const createSlots = ({ max, ofPartyMax, ofMemberMax }: SlotLimits): Slots => {
  const holders: Holders = new Map();
  let count = 0;

  const release = (holder: SlotRequest): void => {
    const ofParty = holders.get(holder.party);
    if (ofParty?.delete(holder) !== true) return;
    if (ofParty.size === 0) holders.delete(holder.party);
    count -= 1;
  };

  // The newest of the largest party, so that streams that have long been open stay.
  const displace = (size: number): boolean => {
    const largest = findLargest(holders);
    const newest = [...largest].at(-1);
    if (newest === undefined || largest.size <= size + 1) return false;
    release(newest);
    newest.end();
    return true;
  };

  return {
    take: (request) => {
      const { party, member } = request;
      const ofParty = holders.get(party) ?? new Set();
      if (ofParty.size >= ofPartyMax || countOf(ofParty, member) >= ofMemberMax) return 'own';
      if (count >= max && !displace(ofParty.size)) return 'all';
      holders.set(party, ofParty.add(request));
      count += 1;
      return () => release(request);
    },
  };
};
