// Limits the bytes of files that a tenant has. The bytes of an upload count from its beginning, so that concurrent
// uploads cannot exceed the quota together, and an earlier upload is not refused because of a later one. Once the
// ledger's view shows a file, its bytes count there.
import { type LedgerError, refuseField } from '../../ledger/errors.ts';

/** The bytes of one upload. */
export interface ByteClaim {
  /**
   * Must resolve before that many bytes are written. Rejects with BLOB_QUOTA_REACHED when the file exceeds the quota,
   * with UPLOADS_BUSY when it does so only together with other uploads in progress.
   */
  add(bytes: number): Promise<void>;
  /** All bytes were received: claimed bytes beyond them are free again. */
  complete(): void;
  /** The view shows the file, or never will: its bytes no longer count here. Later calls have no effect. */
  release(): void;
  /** The upload has ended. Later calls have no effect. */
  end(): void;
}

/** The quota of every tenant. */
export interface ByteQuota {
  /**
   * Opens the claim of one upload, for the expected bytes if they are known, else for one byte. Rejects as
   * `ByteClaim.add` does.
   */
  open(tenantIdentity: string, expectedBytes?: number): Promise<ByteClaim>;
  /** Bytes that no file of the tenant and no upload in progress has; undefined: there is no limit. */
  readLeft(tenantIdentity: string): Promise<number | undefined>;
}

/** State that the uploads of a tenant in progress share. */
interface Usage {
  uploads: number;
  /** Bytes that are claimed and not yet shown by the view. */
  claimedBytes: number;
  /** Number of uploads that have released their bytes: a total that was read before the last release is outdated. */
  released: number;
}

const refuseQuota = (bytesMax: number): LedgerError =>
  refuseField('BLOB_QUOTA_REACHED', 'file', `would give the tenant more than ${bytesMax} bytes of files`);

const refuseForNow = (bytesMax: number): LedgerError =>
  refuseField('UPLOADS_BUSY', 'file', `could exceed ${bytesMax} bytes together with the tenant's uploads in progress`);

const createUsages = () => {
  const usages = new Map<string, Usage>();
  return {
    claimedBytesOf: (tenantIdentity: string): number => usages.get(tenantIdentity)?.claimedBytes ?? 0,
    enter: (tenantIdentity: string): Usage => {
      const usage = usages.get(tenantIdentity) ?? { uploads: 0, claimedBytes: 0, released: 0 };
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

/** Claims `more` bytes for an upload that has claimed `own` bytes. */
type ClaimBytes = (own: number, more: number) => Promise<void>;

// Reads the total again only when the last one is outdated or would lead to a refusal.
const createClaimBytes = (usage: Usage, bytesMax: number, readBytes: () => Promise<number>): ClaimBytes => {
  let shown = 0;
  let releasedAtRead = -1;
  const refresh = async (): Promise<void> => {
    do {
      releasedAtRead = usage.released;
      shown = await readBytes();
    } while (releasedAtRead !== usage.released);
  };
  const isFree = (more: number): boolean => shown + usage.claimedBytes + more <= bytesMax;
  return async (own, more) => {
    if (bytesMax > 0) {
      if (releasedAtRead !== usage.released || !isFree(more)) await refresh();
      if (shown + own + more > bytesMax) throw refuseQuota(bytesMax);
      if (!isFree(more)) throw refuseForNow(bytesMax);
    }
    usage.claimedBytes += more;
  };
};

const createClaim = (usage: Usage, claimBytes: ClaimBytes, initialBytes: number, leave: () => void): ByteClaim => {
  let [claimed, written] = [initialBytes, 0];
  let [isReleased, hasEnded] = [false, false];
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    usage.claimedBytes -= claimed;
    usage.released += 1;
  };
  return {
    add: async (bytes) => {
      written += bytes;
      const more = written - claimed;
      if (more <= 0) return;
      await claimBytes(claimed, more);
      claimed = written;
    },
    complete: () => {
      usage.claimedBytes -= claimed - written;
      claimed = written;
    },
    release,
    end: () => {
      if (hasEnded) return;
      hasEnded = true;
      release();
      leave();
    },
  };
};

/** Quota of `bytesMax` for each tenant; 0: no limit. `readBytes` reads the bytes of the files that the view shows. */
export const createByteQuota = (
  bytesMax: number,
  readBytes: (tenantIdentity: string) => Promise<number>,
): ByteQuota => {
  const { claimedBytesOf, enter, leave } = createUsages();
  return {
    readLeft: async (tenantIdentity) => {
      if (bytesMax === 0) return undefined;
      const shown = await readBytes(tenantIdentity);
      return Math.max(0, bytesMax - shown - claimedBytesOf(tenantIdentity));
    },
    open: async (tenantIdentity, expectedBytes = 0) => {
      const usage = enter(tenantIdentity);
      const claimBytes = createClaimBytes(usage, bytesMax, () => readBytes(tenantIdentity));
      const bytes = Math.max(1, expectedBytes);
      try {
        await claimBytes(0, bytes);
      } catch (error) {
        leave(tenantIdentity, usage);
        throw error;
      }
      return createClaim(usage, claimBytes, bytes, () => leave(tenantIdentity, usage));
    },
  };
};
