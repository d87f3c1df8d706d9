// A form, and what the server refused about it: each wrong field says so itself, and the first of them gets the focus.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { FormContext, type FormState } from '../state/useForm.ts';
import { ErrorNote } from './states.tsx';

interface FormProps {
  readonly form: FormState;
  /** What the form is for. */
  readonly label: string;
  /** Text of the button that sends it. */
  readonly submit: string;
  readonly onSubmit: () => Promise<void>;
  /** Why it can't be sent at all; undefined if it can. */
  readonly blocked?: string | undefined;
  /** Further buttons. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

const Wrong = ({ form: { fields, others } }: { form: FormState }) => (
  <div class="note failure" role="alert">
    <p>Nothing was recorded. Correct these entries:</p>
    <ul>
      {[...fields.wrong].map(([name, description]) => (
        <li key={name}>
          <strong dir="auto">{fields.labels.get(name)}</strong> {description}
        </li>
      ))}
      {others.map(({ field, description }) => (
        <li key={field}>
          <code>{field}</code> {description}
        </li>
      ))}
    </ul>
  </div>
);

const Failure = ({ form }: { form: FormState }) => {
  if (form.error === undefined) return null;
  return form.fields.wrong.size > 0 ? <Wrong form={form} /> : <ErrorNote error={form.error} />;
};

/** Shows what is wrong, and brings the focus there when a request was refused. */
export const EntryForm = ({ form, label, submit, onSubmit, blocked, actions, children }: FormProps) => {
  const node = useRef<HTMLFormElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (form.error === undefined) return;
    (node.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? failure.current)?.focus();
  }, [form.error]);
  return (
    <FormContext.Provider value={form.fields}>
      <form
        class="record-form"
        ref={node}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (blocked === undefined) form.run(onSubmit);
        }}
      >
        {children}
        <div ref={failure} tabIndex={-1}>
          <Failure form={form} />
        </div>
        {blocked === undefined ? null : <p class="note">{blocked}</p>}
        <p class="actions">
          <button type="submit" disabled={form.isSending || blocked !== undefined}>
            {form.isSending ? 'Sending …' : submit}
          </button>
          {actions}
        </p>
      </form>
    </FormContext.Provider>
  );
};
