// The policy pages that a batch appends to; each head page is decoded once.
import * as keys from '../keys.ts';
import {
  appendEvent,
  encodePolicyPage,
  isFullPage,
  type OpenPolicyPage,
  openNextPage,
  openPolicyPage,
} from '../rows/policyPages.ts';
import type { Write } from '../rows/rows.ts';
import { createByTenant, getOrCreate } from './byTenant.ts';
import type { PolicyEventChange, ReadRow } from './changes.ts';
import { toTypeHash } from './packedEvent.ts';

/** The pages of one display type of an asset: the head, and those that were filled. */
interface OpenPages {
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly typeHash: Uint8Array;
  readonly full: OpenPolicyPage[];
  head: OpenPolicyPage;
}

/** Creates an empty set of changes to policy pages, on top of the stored rows. */
export const createPolicyPageChanges = (readStored: ReadRow) => {
  const tenants = createByTenant(() => new Map<string, Map<string, OpenPages>>());
  const openPages = ({ tenantKey, streamKey, event: { displayType } }: PolicyEventChange): OpenPages => {
    const typeHash = toTypeHash(displayType);
    const head = readStored(keys.policyHeadKey(tenantKey, streamKey, typeHash)) as Uint8Array | undefined;
    return { tenantKey, streamKey, typeHash, full: [], head: openPolicyPage(head) };
  };
  const toWrites = ({ tenantKey, streamKey, typeHash, full, head }: OpenPages): Write[] => [
    { key: keys.policyHeadKey(tenantKey, streamKey, typeHash), value: encodePolicyPage(head) },
    ...full.map((page) => ({
      key: keys.policyPageKey(tenantKey, streamKey, typeHash, page.header),
      value: encodePolicyPage(page),
    })),
  ];
  return {
    add: (change: PolicyEventChange): void => {
      const types = getOrCreate(tenants.get(change.tenantKey), keys.toKeyName(change.streamKey), () => new Map());
      const pages: OpenPages = getOrCreate(types, change.event.displayType, () => openPages(change));
      if (isFullPage(pages.head)) {
        pages.full.push(pages.head);
        pages.head = openNextPage(pages.head);
      }
      appendEvent(pages.head, change.event.packed, change.acceptedMs);
    },
    addWrites: (writes: Write[]): void => {
      for (const streams of tenants.all()) {
        for (const types of streams.values()) {
          for (const pages of types.values()) writes.push(...toWrites(pages));
        }
      }
    },
  };
};
