// How many bytes of files a tenant may have. The bytes of an upload count from its beginning, so that uploads at the same time cannot
// pass the quota together, and the earlier are not refused because of the later. Once the ledger's view shows a file, its bytes count there.
import { type LedgerError, refuseField } from '../../ledger/errors.ts';

/** The bytes of one upload. */
export interface ByteClaim {
  /**
   * Must resolve before that many bytes are written. Rejects with BLOB_QUOTA_REACHED when the tenant may not have the file, with UPLOADS_BUSY
   * when it could have it without the uploads that are under way.
   */
  add(bytes: number): Promise<void>;
  /** All bytes have come in: what was claimed beyond them is free. */
  complete(): void;
  /** The view shows the file, or nothing will: its bytes count there from now on. Later calls change nothing. */
  release(): void;
  /** The upload is over. Later calls change nothing. */
  end(): void;
}

export interface ByteQuota {
  /**
   * Opens the claim of one upload, with the bytes that are expected of it where that is known, else with one. Rejects as `ByteClaim.add` does.
   */
  open(tenantIdentity: string, expectedBytes?: number): Promise<ByteClaim>;
}

/** What the uploads of a tenant that are under way have in common. */
interface Usage {
  uploads: number;
  /** Bytes that are claimed and that the view does not show. */
  underWay: number;
  /** How many uploads have released their bytes, so that a total that was read before is known to be old. */
  released: number;
}

const refuseQuota = (bytesMax: number): LedgerError =>
  refuseField('BLOB_QUOTA_REACHED', 'file', `would give the tenant more than ${bytesMax} bytes of files`);

const refuseForNow = (bytesMax: number): LedgerError =>
  refuseField('UPLOADS_BUSY', 'file', `could pass ${bytesMax} bytes together with the uploads of the tenant under way`);

const createUsages = () => {
  const usages = new Map<string, Usage>();
  return {
    enter: (tenantIdentity: string): Usage => {
      const usage = usages.get(tenantIdentity) ?? { uploads: 0, underWay: 0, released: 0 };
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

/** Takes that many bytes beside the upload's own. */
type TakeRoom = (own: number, more: number) => Promise<void>;

// Reads the total again only where the last one is old or would refuse.
const createTakeRoom = (usage: Usage, bytesMax: number, readBytes: () => Promise<number>): TakeRoom => {
  let shown = 0;
  let releasedAtRead = -1;
  const refresh = async (): Promise<void> => {
    do {
      releasedAtRead = usage.released;
      shown = await readBytes();
    } while (releasedAtRead !== usage.released);
  };
  const isFree = (more: number): boolean => shown + usage.underWay + more <= bytesMax;
  return async (own, more) => {
    if (bytesMax > 0) {
      if (releasedAtRead !== usage.released || !isFree(more)) await refresh();
      if (shown + own + more > bytesMax) throw refuseQuota(bytesMax);
      if (!isFree(more)) throw refuseForNow(bytesMax);
    }
    usage.underWay += more;
  };
};

const createClaim = (usage: Usage, takeRoom: TakeRoom, claimedBytes: number, leave: () => void): ByteClaim => {
  let [claimed, written] = [claimedBytes, 0];
  let [isReleased, isOver] = [false, false];
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    usage.underWay -= claimed;
    usage.released += 1;
  };
  return {
    add: async (bytes) => {
      written += bytes;
      const more = written - claimed;
      if (more <= 0) return;
      await takeRoom(claimed, more);
      claimed = written;
    },
    complete: () => {
      usage.underWay -= claimed - written;
      claimed = written;
    },
    release,
    end: () => {
      if (isOver) return;
      isOver = true;
      release();
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
    open: async (tenantIdentity, expectedBytes = 0) => {
      const usage = enter(tenantIdentity);
      const takeRoom = createTakeRoom(usage, bytesMax, () => readBytes(tenantIdentity));
      const bytes = Math.max(1, expectedBytes);
      try {
        await takeRoom(0, bytes);
      } catch (error) {
        leave(tenantIdentity, usage);
        throw error;
      }
      return createClaim(usage, takeRoom, bytes, () => leave(tenantIdentity, usage));
    },
  };
};
