// The check of a record in this browser, and its evidence as a file.
import { useState } from 'preact/hooks';
import type { LedgerEvent } from '../api/client.ts';
import { type EvidenceFile, fetchEventEvidence, fetchHistoryEvidence } from '../api/evidence.ts';
import type { ShownAsset } from '../api/reads.ts';
import type { CheckResult } from '../check/checkFile.ts';
import { type CheckOutcome, runCheck } from '../check/runCheck.ts';
import { ShownOutcome } from '../check/verdict.tsx';
import { saveFile } from '../state/saveFile.ts';
import { useLeaving } from '../state/useLeaving.ts';
import { useSend } from '../state/useSend.ts';
import { uuidOf } from '../text/names.ts';
import { Doubt } from './doubt.tsx';
import { ErrorNote } from './states.tsx';

type Check = (verifier: Parameters<Parameters<typeof runCheck>[0]>[0], signal: AbortSignal) => Promise<CheckResult>;

interface CheckButton {
  readonly title: string;
  readonly check: Check;
}

interface ChecksProps {
  /** What the checks prove, and to whom. */
  readonly meaning: string;
  readonly buttons: readonly CheckButton[];
  /** Name of the file with the evidence, without its ending. */
  readonly name: string;
  readonly fetchEvidence: (signal: AbortSignal) => Promise<EvidenceFile>;
}

const Checks = ({ meaning, buttons, name, fetchEvidence }: ChecksProps) => {
  const [outcome, setOutcome] = useState<CheckOutcome>({});
  const { send, isSending, error } = useSend();
  const signal = useLeaving(name);
  const run = async (check: Check): Promise<void> => {
    setOutcome({ isRunning: true });
    setOutcome(await runCheck((verifier) => check(verifier, signal)));
  };
  const download = () =>
    send(async () => {
      const text = JSON.stringify(await fetchEvidence(signal));
      saveFile(new Blob([text], { type: 'application/json' }), `${name}.evidence.json`);
    });
  return (
    <section>
      <h2>Check</h2>
      <p>{meaning}</p>
      <p class="actions">
        {buttons.map(({ title, check }) => (
          <button key={title} type="button" onClick={() => run(check)} disabled={outcome.isRunning === true}>
            {title}
          </button>
        ))}
        <button type="button" onClick={download} disabled={isSending}>
          {isSending ? 'Waiting for the proofs …' : 'Download evidence'}
        </button>
      </p>
      {error === undefined ? null : <ErrorNote error={error} onRetry={download} />}
      <ShownOutcome outcome={outcome} />
      <Doubt />
    </section>
  );
};

/** The checks of an event as it is shown. */
export const EventCheckSection = ({ event }: { event: LedgerEvent }) => (
  <Checks
    meaning="Shows whether the ledger has exactly this, and which key signed it. With the evidence file, and a block’s hash from a source of their own, anybody can prove the same without this server. That it is true isn’t proved."
    buttons={[
      { title: 'Check against the chain', check: ({ checkEventOnChain }) => checkEventOnChain(event) },
      { title: 'Check its evidence', check: ({ checkEventEvidence }, signal) => checkEventEvidence(event, { signal }) },
    ]}
    name={`event-${uuidOf(event.identity)}`}
    fetchEvidence={(signal) => fetchEventEvidence(uuidOf(event.asset_identity), uuidOf(event.identity), signal)}
  />
);

/** The checks of an asset's history. */
export const HistoryCheckSection = (asset: ShownAsset) => (
  <Checks
    meaning="Shows how many records this asset has until now, and that none of them was changed or left out. With the evidence file, and a block’s hash from a source of their own, anybody can prove the same without this server. That the records are true isn’t proved."
    buttons={[
      {
        title: 'Check its history',
        check: ({ checkHistoryEvidence }, signal) => checkHistoryEvidence(asset, { signal }),
      },
    ]}
    name={`asset-${asset.uuid}`}
    fetchEvidence={(signal) => fetchHistoryEvidence(asset, signal)}
  />
);
