// The check of one event in this browser, and its evidence as a file.
import { useState } from 'preact/hooks';
import type { LedgerEvent } from '../api/client.ts';
import { type CheckOutcome, runCheck } from '../check/runCheck.ts';
import { ShownOutcome } from '../check/verdict.tsx';

/** A button that checks an event as it is shown. */
export const EventCheck = ({ event }: { event: LedgerEvent }) => {
  const [outcome, setOutcome] = useState<CheckOutcome>({});
  const run = async (): Promise<void> => {
    setOutcome({ isRunning: true });
    setOutcome(await runCheck(new Blob([JSON.stringify(event)])));
  };
  return (
    <section>
      <h2>Check</h2>
      <p>
        <button type="button" onClick={run} disabled={outcome.isRunning === true}>
          Check it in this browser
        </button>
      </p>
      <ShownOutcome outcome={outcome} />
    </section>
  );
};
