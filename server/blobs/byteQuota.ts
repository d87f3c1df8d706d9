// How many bytes of files a tenant may have. Bytes count from the moment at which they come in, so that uploads at the same time cannot
// pass the quota together; once the ledger's view shows a file, its bytes count there.
import { refuseField } from '../../ledger/errors.ts';

/** The bytes of one upload. */
export interface ByteClaim {
  /** @throws LedgerError BLOB_QUOTA_REACHED when the tenant may not have that many bytes more. */
  add(bytes: number): void;
  /** The view shows the file: its bytes count there from now on. */
  settle(): void;
  /** The upload is over. `isKept`: the file is the tenant's. Later calls change nothing. */
  end(isKept: boolean): void;
}

export interface ByteQuota {
  /** Opens the claim of one upload, with nothing in it. Rejects with BLOB_QUOTA_REACHED when the quota is used up. */
  open(tenantIdentity: string): Promise<ByteClaim>;
}

/** What the uploads of a tenant that are under way have in common. */
interface Usage {
  uploads: number;
  /** Bytes that came in and that the view does not show. */
  underWay: number;
  /** Bytes that the view shows of uploads that are not over, or were over after others had begun. */
  shown: number;
}

const refuse = (bytesMax: number) =>
  refuseField('BLOB_QUOTA_REACHED', 'file', `would give the tenant more than ${bytesMax} bytes of files`);

const createUsages = () => {
  const usages = new Map<string, Usage>();
  return {
    enter: (tenantIdentity: string): Usage => {
      const usage = usages.get(tenantIdentity) ?? { uploads: 0, underWay: 0, shown: 0 };
      usages.set(tenantIdentity, usage);
      usage.uploads += 1;
      return usage;
    },
    leave: (tenantIdentity: string, usage: Usage): void => {
      usage.uploads -= 1;
      if (usage.uploads === 0) usages.delete(tenantIdentity);
    },
  };
};

const createClaim = (usage: Usage, assertRoom: (bytes: number) => void, leave: () => void): ByteClaim => {
  let bytes = 0;
  let state: 'open' | 'settled' | 'over' = 'open';
  const settle = (): void => {
    if (state !== 'open') return;
    state = 'settled';
    usage.underWay -= bytes;
    usage.shown += bytes;
  };
  return {
    add: (more) => {
      assertRoom(more);
      bytes += more;
      usage.underWay += more;
    },
    settle,
    end: (isKept) => {
      if (state === 'over') return;
      settle();
      if (!isKept) usage.shown -= bytes;
      state = 'over';
      leave();
    },
  };
};

/** Quota of `bytesMax` for each tenant; 0: none. `readBytes` gives the bytes of the files that the view shows. */
export const createByteQuota = (
  bytesMax: number,
  readBytes: (tenantIdentity: string) => Promise<number>,
): ByteQuota => {
  const { enter, leave } = createUsages();
  return {
    open: async (tenantIdentity) => {
      const usage = enter(tenantIdentity);
      const shownBefore = usage.shown;
      const claim = (bytes: number): ByteClaim => {
        const assertRoom = (more: number): void => {
          const used = bytes + usage.shown - shownBefore + usage.underWay;
          if (bytesMax > 0 && used + more > bytesMax) throw refuse(bytesMax);
        };
        assertRoom(1);
        return createClaim(usage, assertRoom, () => leave(tenantIdentity, usage));
      };
      try {
        return claim(bytesMax > 0 ? await readBytes(tenantIdentity) : 0);
      } catch (error) {
        leave(tenantIdentity, usage);
        throw error;
      }
    },
  };
};
