// Short states: each has a word and a shape besides its colour.
import type { LedgerEvent } from '../api/client.ts';

type Tone = 'good' | 'bad' | 'waiting' | 'plain';

const MARKS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', waiting: '…', plain: '' };

/** A word with a colour and a mark. */
export const Badge = ({ tone, text, title }: { tone: Tone; text: string; title?: string }) => (
  <span class={`badge ${tone}`} title={title}>
    <span aria-hidden="true">{MARKS[tone]}</span> {text}
  </span>
);

/** Whether a record is on the chain. */
export const Confirmation = ({ status }: { status: LedgerEvent['confirmation_status'] }) => {
  if (status === 'CONFIRMED') return <Badge tone="good" text="on the ledger" />;
  return status === 'FAILED' ? <Badge tone="bad" text="failed" /> : <Badge tone="waiting" text="pending" />;
};

/** The same as a mark alone. */
export const ConfirmationMark = ({ status }: { status: LedgerEvent['confirmation_status'] }) =>
  status === 'CONFIRMED' ? (
    <span class="badge good" title="on the ledger">
      <span aria-hidden="true">✓</span>
      <span class="hidden">on the ledger</span>
    </span>
  ) : (
    <Confirmation status={status} />
  );

/** Whether an asset complies. */
export const VerdictBadge = ({ isCompliant }: { isCompliant: boolean }) =>
  isCompliant ? <Badge tone="good" text="complies" /> : <Badge tone="bad" text="fails" />;
