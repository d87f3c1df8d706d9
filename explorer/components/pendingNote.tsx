// What it means that a record isn't on the ledger.
import type { LedgerEvent } from '../api/client.ts';
import { useInterval } from '../state/useLoad.ts';

const PERIOD_MS = 2_000;

const Pending = ({ onAsk }: { onAsk: () => void }) => {
  useInterval(onAsk, PERIOD_MS);
  return (
    <p class="note" role="status">
      The server has accepted this record, and it waits for the chain. It can’t get lost; this page shows when it is on
      the ledger.
    </p>
  );
};

interface PendingNoteProps {
  readonly record: Pick<LedgerEvent, 'confirmation_status' | 'failure_reason'>;
  /** Asks for the record again. */
  readonly onAsk: () => void;
}

/** A note while a record is pending, which asks for it again until it isn't, and when it failed. */
export const PendingNote = ({ record: { confirmation_status, failure_reason }, onAsk }: PendingNoteProps) => {
  if (confirmation_status === 'PENDING') return <Pending onAsk={onAsk} />;
  return confirmation_status === 'FAILED' ? (
    <p class="note failure" role="status">
      The chain refuses this record permanently ({failure_reason}). It counts nowhere: record it again.
    </p>
  ) : null;
};
