import { expect } from 'chai';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

interface EventPage {
  readonly events: readonly EventResource[];
  readonly next_page_token: string;
}

const WRITERS = 6;

for (const kind of CHAIN_KINDS) {
  describe(`a client that reads all pages while others write to ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    let assets: AssetResource[];
    let isWriting: boolean;
    before(async () => {
      const { alpha } = shared();
      assets = await Promise.all(
        Array.from({ length: WRITERS }, (_, number) => alpha.createAsset({ n: String(number) })),
      );
    });

    const writeOn = async (asset: AssetResource): Promise<void> => {
      while (isWriting) await shared().alpha.record(asset, 'during');
    };

    // Only the token, as existing clients request later pages.
    const walk = async (query: string): Promise<EventResource[]> => {
      const { alpha } = shared();
      const seen: EventResource[] = [];
      for (let next = query; next !== ''; ) {
        const { body } = await alpha.get<EventPage>(`assets/-/events?${next}`);
        seen.push(...body.events);
        next = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
      }
      return seen;
    };

    const lists = [
      'page_size=7',
      'page_size=7&attributes.note=*',
      'page_size=7&asset.attributes.n!=nothing',
      'page_size=7&order_by=SIMPLEHASHV2',
    ];
    for (const query of lists) {
      it(`reads each existing event exactly once: ${query}`, async () => {
        const { alpha } = shared();
        const written = await Promise.all(
          Array.from({ length: 60 }, (_, number) => alpha.record(assets[number % WRITERS]!, 'before')),
        );
        isWriting = true;
        const writing = Promise.all(assets.map(writeOn));
        const seen = (await walk(query)).map(({ identity }) => identity);
        isWriting = false;
        await writing;
        expect(new Set(seen).size).to.equal(seen.length);
        expect(seen).to.include.members(written.map(({ body }) => body.identity));
      });
    }
  });
}
