// A verdict on the present time stays valid for that time while other clients write.
import { expect } from 'chai';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { send } from '../support/testLedger.ts';

interface VerdictBody {
  readonly compliant: boolean;
  readonly compliant_at: string;
  readonly block_number: number | null;
  readonly block_hash: string | null;
  readonly compliance: { readonly evidence: { readonly events_total: number } }[];
}

const WRITERS = 8;
const EVENTS = 25;
const POLICY = {
  compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING',
  event_display_type: 'Open',
  closing_event_display_type: 'Close',
};

for (const kind of CHAIN_KINDS) {
  describe(`a check of the present on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);

    it('has the same verdict when it is repeated for that time', async () => {
      const { alpha, server } = shared();
      await send(`${server.url}/svc/v1/compliance_policies`, alpha.token, { body: POLICY });
      const asset = await alpha.createAsset();
      const path = `${server.url}/svc/v1/compliance/${asset.identity}`;
      const open = (correlation: string) =>
        send(`${server.url}/svc/v2/${asset.identity}/events`, alpha.token, {
          body: {
            behaviour: 'RecordEvidence',
            operation: 'Record',
            event_attributes: { arc_display_type: 'Open', arc_correlation_id: correlation },
          },
        });
      const write = async (writer: number): Promise<void> => {
        for (let event = 0; event < EVENTS; event += 1) await open(`${writer}.${event}`);
      };
      let isWriting = true;
      const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
      const ended = writing.then(() => {
        isWriting = false;
      });
      const seen: VerdictBody[] = [];
      while (isWriting) seen.push((await send<VerdictBody>(path, alpha.token)).body);
      await ended;
      expect(new Set(seen.map(({ compliance }) => compliance[0]!.evidence.events_total)).size).to.be.greaterThan(10);
      for (const then of seen) {
        const again = await send<VerdictBody>(`${path}?compliant_at=${then.compliant_at}`, alpha.token);
        // Only the block up to which the records count is a newer one.
        const { block_number, block_hash } = again.body;
        expect({ ...again.body, block_number, block_hash }).to.deep.equal({ ...then, block_number, block_hash });
        expect(block_number).to.be.at.least(then.block_number ?? 0);
      }
    });
  });
}
