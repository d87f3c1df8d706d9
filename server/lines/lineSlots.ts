// Bounds the lines of each tenant that are processed at once, whatever the number of its requests.

interface Waiting {
  readonly lines: number;
  readonly start: () => void;
}

interface Slots {
  taken: number;
  readonly waiting: Waiting[];
}

/** The slots of one server. */
export interface LineSlots {
  /** Resolves when the lines have slots, which are given in the order of the calls of a tenant. */
  take(tenantIdentity: string, lines: number): Promise<void>;
  /** Returns the slots of so many lines. */
  release(tenantIdentity: string, lines: number): void;
}

/** Free slots: `linesMax` for each tenant. More lines than that are taken at once when no others are. */
export const createLineSlots = (linesMax: number): LineSlots => {
  const tenants = new Map<string, Slots>();
  const isFree = ({ taken }: Slots, lines: number): boolean => taken === 0 || taken + lines <= linesMax;
  const startWaiting = (slots: Slots): void => {
    for (let next = slots.waiting[0]; next !== undefined && isFree(slots, next.lines); next = slots.waiting[0]) {
      slots.waiting.shift();
      slots.taken += next.lines;
      next.start();
    }
  };
  return {
    take: (tenantIdentity, lines) =>
      new Promise((start) => {
        const slots = tenants.get(tenantIdentity) ?? { taken: 0, waiting: [] };
        tenants.set(tenantIdentity, slots);
        slots.waiting.push({ lines, start });
        startWaiting(slots);
      }),
    release: (tenantIdentity, lines) => {
      const slots = tenants.get(tenantIdentity)!;
      slots.taken -= lines;
      startWaiting(slots);
      if (slots.taken === 0) tenants.delete(tenantIdentity);
    },
  };
};
