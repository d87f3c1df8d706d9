// A chain that is unavailable, answers late, or refuses: no answered record is lost or duplicated, and reads continue.
import { expect } from 'chai';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { createTransactionSender } from '../../chain/writing/transactionSender.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toKey, toUuid } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import type { FixtureTenant } from '../support/fixtureTenant.ts';
import { rejectionOf } from '../support/refusals.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { until } from '../support/until.ts';

/** Longer than any test, so that an answer has the decision of the chain. */
const DECIDED_MS = 600_000;

interface EventPage {
  readonly events: EventResource[];
}

const countOf = async (tenant: FixtureTenant, asset: AssetResource): Promise<number> =>
  Number((await tenant.get<EventPage>(`${asset.identity}/events`)).headers.get('x-total-count'));

for (const kind of CHAIN_KINDS) {
  describe(`with ${kind.name}, which is sometimes unavailable`, () => {
    const shared = useSharedLedger({ commitWaitMs: 100 }, kind);

    // Runs `act` while submissions fail with `fault`; resolves when `act` has resolved and the chain is available.
    const withFault = async (
      fault: (submit: (raw: Uint8Array) => Promise<unknown>, raw: Uint8Array) => Promise<never>,
      act: () => Promise<void>,
    ): Promise<void> => {
      const { chain } = shared().ledger;
      const submit = chain.submitTransaction;
      chain.submitTransaction = (raw) => fault(submit, raw);
      try {
        await act();
      } finally {
        chain.submitTransaction = submit;
      }
    };

    const untilConfirmed = async ({ identity }: EventResource): Promise<EventResource> => {
      let { body } = await shared().alpha.get<EventResource>(identity);
      await until(async () => {
        ({ body } = await shared().alpha.get<EventResource>(identity));
        return body.confirmation_status !== 'PENDING';
      });
      return body;
    };

    const away = () => Promise.reject(new LedgerError('CHAIN_UNAVAILABLE'));

    it('writes are accepted as PENDING, listed at once, and committed when the chain is available again', async () => {
      const { alpha } = shared();
      const asset = await alpha.createAsset({ weight: '1' });
      let event!: EventResource;
      let born!: AssetResource;
      await withFault(away, async () => {
        event = (await alpha.record(asset, 'while it was away')).body;
        expect(event).to.include({ confirmation_status: 'PENDING', block_number: 0, transaction_id: '', from: '' });
        expect(event.timestamp_committed).to.equal('1970-01-01T00:00:00Z');
        expect((await alpha.get<EventPage>(`${asset.identity}/events`)).body.events[0]).to.deep.equal(event);
        expect(await countOf(alpha, asset)).to.equal(2);
        born = await alpha.createAsset({ arc_display_name: 'born in the dark' });
        expect(born.confirmation_status).to.equal('PENDING');
        expect((await alpha.record(born, 'of a pending asset')).body.confirmation_status).to.equal('PENDING');
        const listed = (await alpha.get<{ assets: AssetResource[] }>('assets')).body.assets;
        expect(listed.filter(({ identity }) => identity === born.identity)).to.have.length(1);
      });
      const committed = await untilConfirmed(event);
      expect(committed.confirmation_status).to.equal('CONFIRMED');
      expect(committed.timestamp_accepted).to.equal(event.timestamp_accepted);
      const { body } = await alpha.get<EventPage>(`${born.identity}/events`);
      for (const each of body.events) expect((await untilConfirmed(each)).confirmation_status).to.equal('CONFIRMED');
      expect((await alpha.get<AssetResource>(born.identity)).body.confirmation_status).to.equal('CONFIRMED');
      expect(await countOf(alpha, asset)).to.equal(2);
      expect(await countOf(alpha, born)).to.equal(2);
    });

    it('a submission whose answer was lost is found on the chain and not repeated', async () => {
      const { alpha, ledger } = shared();
      const asset = await alpha.createAsset();
      let event!: EventResource;
      await withFault(
        async (submit, raw) => {
          await submit(raw);
          throw new LedgerError('CHAIN_UNAVAILABLE');
        },
        async () => {
          event = (await alpha.record(asset, 'mined, without an answer')).body;
        },
      );
      const committed = await untilConfirmed(event);
      expect(committed.confirmation_status).to.equal('CONFIRMED');
      const topics = [null, null, null, toHex(toKey(event.identity))];
      const logs = await ledger.chain.request('eth_getLogs', [{ address: ledger.contract, fromBlock: '0x0', topics }]);
      expect(logs).to.have.length(1);
      expect(await countOf(alpha, asset)).to.equal(2);
    });
  });

  describe(`with ${kind.name}, which refuses records`, () => {
    const shared = useSharedLedger({ commitWaitMs: DECIDED_MS }, kind);

    const administer = async (operation: 'addWriter' | 'removeWriter'): Promise<void> => {
      const { ledger, alpha } = shared();
      const uuid = toUuid(alpha.identity);
      const administrator = await ledger.keyring.requireWallet(`tenant-administrator-${uuid}`);
      const author = ledger.wallets.authorOf(alpha.identity);
      const args = [toHex(toKey(alpha.identity)), author.address];
      const data = fromHex(ledgerInterface.encodeFunctionData(operation, args));
      await createTransactionSender(ledger.chain, administrator).send({ to: ledger.contract, data, gasLimit: 100_000 });
    };

    it('an asset whose author is no longer a writer is FAILED and accepts no events', async () => {
      const { alpha, ledger } = shared();
      const { chain } = ledger;
      const submit = chain.submitTransaction;
      // Once it is removed, the next block shows that, and nothing is accepted.
      chain.submitTransaction = async (raw) => {
        chain.submitTransaction = submit;
        await administer('removeWriter');
        return submit(raw);
      };
      const refused = await alpha.createAsset();
      await administer('addWriter');
      expect(refused.confirmation_status).to.equal('FAILED');
      expect((await alpha.get<AssetResource>(refused.identity)).body.confirmation_status).to.equal('FAILED');
      expect((await alpha.record(refused, 'on what never was')).status).to.equal(404);
      await until(async () => (await alpha.createAsset()).confirmation_status === 'CONFIRMED');
    });

    it('a record with the identity of another one is refused; the other records of its batch are committed', async () => {
      const { alpha, ledger } = shared();
      const asset = await alpha.createAsset();
      const taken = (await alpha.record(asset, 'the first of this identity')).body;
      const { asset_identity: _, tenant_identity: __, ...fields } = taken;
      const conflicting = {
        type: 'event' as const,
        identity: fields.identity,
        behaviour: fields.behaviour,
        operation: fields.operation,
        event_attributes: { note: 'another of this identity' },
        asset_attributes: {},
        asset_settings: {},
        timestamp_accepted: fields.timestamp_accepted,
        timestamp_declared: fields.timestamp_declared,
        principal_accepted: fields.principal_accepted,
        principal_declared: fields.principal_declared,
      };
      const others = Array.from({ length: 9 }, (_unused, count) => `beside it, ${count}`);
      const [refused, ...answers] = await Promise.all([
        rejectionOf(ledger.writer.append(alpha.identity, conflicting)),
        ...others.map((note) => alpha.record(asset, note)),
      ]);
      expect(refused).to.equal('IDENTITY_PRESENT');
      for (const { body } of answers) expect(body.confirmation_status).to.equal('CONFIRMED');
      const first = await alpha.get<EventResource>(taken.identity);
      expect(first.body).to.deep.equal(taken);
      expect(await countOf(alpha, asset)).to.equal(11);
    });
  });
}
