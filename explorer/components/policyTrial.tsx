// What a policy would say of assets, before it is created.
import { useState } from 'preact/hooks';
import { ApiError, type AssetAnswer } from '../api/client.ts';
import { type PolicyEntries, submitTrial, type TriedAnswer } from '../api/writes.ts';
import { type FormState, InputError } from '../state/useForm.ts';
import { toUtcTimestamp } from '../text/entries.ts';
import { toAssetName, uuidOf } from '../text/names.ts';
import { AssetPicker } from './assetPicker.tsx';
import { VerdictBadge } from './badges.tsx';
import { TextField } from './fields.tsx';
import { Identity, Time } from './links.tsx';
import { DecidedBy } from './verdicts.tsx';

const TRIED_MAX = 20;

interface Trial {
  readonly asset: AssetAnswer;
  /** Undefined: the asset did not exist at that time. */
  readonly tried: TriedAnswer | undefined;
}

// The one asset that wasn't there at the time doesn't hide the verdicts on the others.
const tryOn = async (asset: AssetAnswer, body: PolicyEntries, at: string | undefined): Promise<Trial> => {
  try {
    return { asset, tried: await submitTrial(uuidOf(asset.identity), body, at) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { asset, tried: undefined };
    throw error;
  }
};

const assertChosen = (chosen: readonly AssetAnswer[], at: string): void => {
  if (chosen.length === 0) throw new InputError([{ field: 'assets', description: 'choose at least one asset' }]);
  if (chosen.length > TRIED_MAX)
    throw new InputError([{ field: 'assets', description: `choose at most ${TRIED_MAX} assets` }]);
  if (at !== '' && Number.isNaN(Date.parse(at)))
    throw new InputError([{ field: 'compliant_at', description: 'is not a date and time' }]);
};

const Outcome = ({ trial: { asset, tried } }: { trial: Trial }) => (
  <li class={tried?.compliant === false && tried.applies ? 'verdict fails' : 'verdict'}>
    {tried === undefined ? null : <VerdictBadge isCompliant={tried.compliant} />}{' '}
    <Identity identity={asset.identity}>
      <strong dir="auto">{toAssetName(asset)}</strong>
    </Identity>
    {tried === undefined ? <p>It did not exist at that time.</p> : <Reason tried={tried} />}
  </li>
);

const Reason = ({ tried: { reason, evidence, applies, compliant_at } }: { tried: TriedAnswer }) => (
  <>
    {reason === '' ? null : <p dir="auto">{reason}</p>}
    {applies ? null : <p>The policy would not apply to it: the filter doesn’t match.</p>}
    <DecidedBy evidence={evidence} />
    <p class="hint">
      At <Time timestamp={compliant_at} />
    </p>
  </>
);

interface PolicyTrialProps {
  readonly form: FormState;
  /** The policy as it is entered. Throws InputError. */
  readonly toRequest: () => PolicyEntries;
}

/** The assets to try the policy on, the time, and the verdicts. */
export const PolicyTrial = ({ form, toRequest }: PolicyTrialProps) => {
  const [chosen, setChosen] = useState<readonly AssetAnswer[]>([]);
  const [at, setAt] = useState('');
  const [trials, setTrials] = useState<readonly Trial[]>([]);
  const run = async (): Promise<void> => {
    const body = toRequest();
    assertChosen(chosen, at);
    setTrials([]);
    setTrials(await Promise.all(chosen.map((asset) => tryOn(asset, body, toUtcTimestamp(at)))));
  };
  // Enter in one of these fields tries the policy, and doesn't save it.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    form.run(run);
  };
  return (
    <fieldset onKeyDown={onKeyDown}>
      <legend>Try it first</legend>
      <p class="hint">Nothing is recorded by this.</p>
      <AssetPicker chosen={chosen} onChoose={setChosen} />
      <TextField
        type="datetime-local"
        name="compliant_at"
        label="As of"
        hint="Local time; empty for now. Only events that were accepted until then count."
        value={at}
        onValue={setAt}
      />
      <p class="actions">
        <button type="button" disabled={form.isSending} onClick={() => form.run(run)}>
          Try
        </button>
      </p>
      <ul class="verdicts" aria-label="Verdicts" aria-live="polite">
        {trials.map((trial) => (
          <Outcome key={trial.asset.identity} trial={trial} />
        ))}
      </ul>
    </fieldset>
  );
};
