// The fields of forms: each with its label, a hint, and what is wrong with it.
import type { ComponentChildren } from 'preact';
import { type FieldParts, useField } from '../state/useForm.ts';

interface FieldProps {
  /** As the server names the field: a JSON Pointer into the body, without its first slash. */
  readonly name: string;
  readonly label: string;
  /** What to enter. */
  readonly hint?: ComponentChildren;
  readonly isRequired?: boolean;
}

interface EnteredProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

const toAttributes = ({ id, hintId, wrongId, wrong }: FieldParts, { name, hint, isRequired = false }: FieldProps) => ({
  id,
  name,
  required: isRequired,
  'aria-invalid': wrong !== undefined,
  'aria-describedby':
    [hint === undefined ? [] : hintId, wrong === undefined ? [] : wrongId].flat().join(' ') || undefined,
});

const Notes = ({ parts, hint }: { parts: FieldParts; hint: ComponentChildren }) => (
  <>
    {hint === undefined ? null : (
      <p class="hint" id={parts.hintId}>
        {hint}
      </p>
    )}
    {parts.wrong === undefined ? null : (
      <p class="wrong" id={parts.wrongId}>
        {parts.wrong}
      </p>
    )}
  </>
);

const Label = ({ parts, of: { label, isRequired = false } }: { parts: FieldParts; of: FieldProps }) => (
  <label for={parts.id}>
    <span>
      {label}
      {isRequired ? <span class="required"> (required)</span> : null}
    </span>
  </label>
);

interface TextProps extends EnteredProps {
  readonly type?: 'text' | 'search' | 'datetime-local';
  /** Identity of a list of suggestions. */
  readonly list?: string;
  readonly placeholder?: string;
}

/** A line of text. */
export const TextField = ({ type = 'text', list, placeholder, ...props }: TextProps) => {
  const parts = useField(props.name, props.label);
  return (
    <div class="field">
      <Label parts={parts} of={props} />
      <input
        {...toAttributes(parts, props)}
        type={type}
        list={list}
        placeholder={placeholder}
        dir="auto"
        autocomplete="off"
        value={props.value}
        onInput={({ currentTarget }) => props.onValue(currentTarget.value)}
      />
      <Notes parts={parts} hint={props.hint} />
    </div>
  );
};

/** A number, as the text that was entered: no digit is lost. */
export const NumberField = (props: EnteredProps) => {
  const parts = useField(props.name, props.label);
  return (
    <div class="field">
      <Label parts={parts} of={props} />
      <input
        {...toAttributes(parts, props)}
        inputMode="decimal"
        autocomplete="off"
        value={props.value}
        onInput={({ currentTarget }) => props.onValue(currentTarget.value.trim())}
      />
      <Notes parts={parts} hint={props.hint} />
    </div>
  );
};

/** Text of several lines. */
export const TextAreaField = ({ rows = 4, ...props }: EnteredProps & { readonly rows?: number }) => {
  const parts = useField(props.name, props.label);
  return (
    <div class="field">
      <Label parts={parts} of={props} />
      <textarea
        {...toAttributes(parts, props)}
        rows={rows}
        dir="auto"
        value={props.value}
        onInput={({ currentTarget }) => props.onValue(currentTarget.value)}
      />
      <Notes parts={parts} hint={props.hint} />
    </div>
  );
};

interface SelectProps extends EnteredProps {
  readonly choices: readonly (readonly [value: string, text: string])[];
}

/** One of several values. */
export const SelectField = ({ choices, ...props }: SelectProps) => {
  const parts = useField(props.name, props.label);
  return (
    <div class="field">
      <Label parts={parts} of={props} />
      <select
        {...toAttributes(parts, props)}
        value={props.value}
        onChange={({ currentTarget }) => props.onValue(currentTarget.value)}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Notes parts={parts} hint={props.hint} />
    </div>
  );
};

interface CheckProps extends FieldProps {
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}

/** Yes or no. */
export const CheckField = ({ isChecked, onCheck, ...props }: CheckProps) => {
  const parts = useField(props.name, props.label);
  return (
    <div class="field check">
      <input
        {...toAttributes(parts, props)}
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      <Label parts={parts} of={props} />
      <Notes parts={parts} hint={props.hint} />
    </div>
  );
};

interface FileProps extends FieldProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly isMultiple?: boolean;
  /** File types, as the attribute `accept` has them. */
  readonly accept?: string;
  /** What is shown of the chosen files. */
  readonly children?: ComponentChildren;
}

/** Files of the reader's machine. A file that is chosen again counts as chosen. */
export const FileField = ({ onFiles, isMultiple = false, accept, children, ...props }: FileProps) => {
  const parts = useField(props.name, props.label);
  return (
    <div class="field">
      <Label parts={parts} of={props} />
      <input
        {...toAttributes(parts, props)}
        type="file"
        multiple={isMultiple}
        accept={accept}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
        }}
      />
      {children}
      <Notes parts={parts} hint={props.hint} />
    </div>
  );
};
