// The page of verify.html: a file to check, what the reader knows of the ledger, and the answer.
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { ShownVerdict } from '../check/findings.tsx';
import { settle } from '../check/runCheck.ts';
import { checkGiven, type Given, type GivenResult } from './checkGiven.ts';
import { Genuine, Meaning } from './meaning.tsx';

type TextName = 'contract' | 'chainId' | 'nodeUrl';
type FileName = Exclude<keyof Given, TextName>;
type Outcome = { readonly isRunning?: boolean; readonly result?: GivenResult; readonly error?: Error };

const NOTHING: Given = { contract: '', chainId: '', nodeUrl: '' };

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string }) => ComponentChildren;
}

const Field = ({ label, hint, children }: FieldProps) => {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hintId })}
      <p class="hint" id={hintId}>
        {hint}
      </p>
    </div>
  );
};

interface FormParts {
  readonly given: Given;
  readonly change: (changed: Partial<Given>) => void;
}

const TextField = ({ name, given, change, ...text }: FormParts & { name: TextName; label: string; hint: string }) => (
  <Field {...text}>
    {(ids) => (
      <input
        {...ids}
        dir="ltr"
        autocomplete="off"
        spellcheck={false}
        value={given[name]}
        onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
      />
    )}
  </Field>
);

const FileField = ({
  name,
  change,
  ...text
}: FormParts & { name: FileName; label: string; hint: ComponentChildren }) => (
  <Field {...text}>
    {(ids) => (
      <input {...ids} type="file" onChange={({ currentTarget }) => change({ [name]: currentTarget.files?.[0] })} />
    )}
  </Field>
);

const OfLedger = (parts: FormParts) => (
  <fieldset>
    <legend>The ledger, as you know it</legend>
    <p class="hint">
      From your agreement with its operator, or from another user: never from the file, or from those who gave it to
      you.
    </p>
    <TextField {...parts} name="contract" label="Contract" hint="The address of the ledger: 0x and 40 digits." />
    <TextField {...parts} name="chainId" label="Chain id" hint="A decimal number." />
    <TextField
      {...parts}
      name="nodeUrl"
      label="URL of a node"
      hint="For an event: a node that you trust, best your own, such as http://127.0.0.1:8545. No other server is asked."
    />
  </fieldset>
);

const OfEvidence = (parts: FormParts) => (
  <fieldset>
    <legend>For an evidence file</legend>
    <FileField
      {...parts}
      name="trust"
      label="Your roots of trust (trust.json)"
      hint="Without them the best answer is “consistent”."
    />
    <details>
      <summary>More files</summary>
      <FileField
        {...parts}
        name="certificates"
        label="Certificates of the time stamping authority (PEM)"
        hint="Where trust.json names them."
      />
      <FileField {...parts} name="leaves" label="Leaves of a tenant’s list" hint="The file that ends with .leaves." />
    </details>
  </fieldset>
);

const Answer = ({ outcome: { isRunning, result, error } }: { outcome: Outcome }) => (
  <>
    {isRunning === true ? <p class="note waiting">Checking …</p> : null}
    {error === undefined ? null : (
      <div class="note failure" role="alert">
        <p>{error.message}</p>
      </div>
    )}
    {result === undefined ? null : (
      <>
        <ShownVerdict result={result.result} />
        <p class="hint">{result.source}</p>
      </>
    )}
  </>
);

// An answer stays only while everything that it is about stays. Of two checks, the later one is shown.
const useGiven = () => {
  const [given, setGiven] = useState(NOTHING);
  const [outcome, setOutcome] = useState<Outcome>({});
  const newest = useRef(0);
  const check = async (checked: Given): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    setOutcome({ isRunning: true });
    const settled = await settle(() => checkGiven(checked));
    if (own === newest.current) setOutcome(settled);
  };
  const change = (changed: Partial<Given>): Given => {
    const next = { ...given, ...changed };
    newest.current += 1;
    setGiven(next);
    setOutcome({});
    return next;
  };
  return { given, outcome, check, change };
};

/** The page. */
export const VerifyPage = () => {
  const { given, outcome, check, change } = useGiven();
  const parts = { given, change };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) check(change({ file }));
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    check(given);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field for the file does the same by keyboard.
    <div onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <header class="top">
        <span class="brand">Provenance ledger</span>
      </header>
      <main id="content">
        <h1>Check a record yourself</h1>
        <p>
          This page is one file with the verifier. It loads nothing, stores nothing, and asks nobody but the node that
          you name. Its answer is worth as much as <a href="#genuine">the source of this file</a>.
        </p>
        <form class="record-form" noValidate onSubmit={submit}>
          <FileField
            {...parts}
            name="file"
            label="File to check"
            hint={
              given.file === undefined
                ? 'The JSON of an event, or an evidence file. You can also drop it on this page.'
                : `To be checked: a file of ${given.file.size.toLocaleString()} bytes.`
            }
          />
          <OfLedger {...parts} />
          <OfEvidence {...parts} />
          <p class="actions">
            <button type="submit" disabled={outcome.isRunning === true}>
              Check
            </button>
          </p>
        </form>
        <Answer outcome={outcome} />
        <Meaning />
        <section id="genuine">
          <Genuine />
        </section>
      </main>
    </div>
  );
};
