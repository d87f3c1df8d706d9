// The state of a form: one request at a time, and which fields were refused, by the server or before anything was sent.
import { createContext } from 'preact';
import { useContext, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { FieldViolation } from '../../ledger/errors.ts';
import { type Sending, useSend } from './useSend.ts';

/** Entries that a form can't send. */
export class InputError extends Error {
  readonly violations: readonly FieldViolation[];

  constructor(violations: readonly FieldViolation[]) {
    super(violations.map(({ field, description }) => `${field}: ${description}`).join('; '));
    this.violations = violations;
  }
}

/** Throws InputError if an entry is wrong. */
export const assertEntries = (violations: readonly FieldViolation[]): void => {
  if (violations.length > 0) throw new InputError(violations);
};

const violationsOf = (error: Error | undefined): readonly FieldViolation[] =>
  (error as { violations?: readonly FieldViolation[] } | undefined)?.violations ?? [];

/** What a form knows of its fields. */
export interface FormFields {
  /** What is wrong, by the name of the field that shows it. */
  readonly wrong: ReadonlyMap<string, string>;
  /** Labels by names, of the fields that the form has at present. */
  readonly labels: Map<string, string>;
}

const NONE: FormFields = { wrong: new Map(), labels: new Map() };

/** The fields of the form around a field. */
export const FormContext = createContext<FormFields>(NONE);

/** A form, as `EntryForm` shows it. */
export interface FormState extends Sending {
  readonly fields: FormFields;
  /** What is wrong and has no field of its own here. */
  readonly others: readonly FieldViolation[];
  /** Starts a request, unless one is under way. What it throws is shown. Doesn't reject. */
  readonly run: (request: () => Promise<void>) => Promise<void>;
}

// A field shows what is wrong with it or with a part of it.
const findField = (path: string, names: readonly string[]): string | undefined =>
  names.filter((name) => path === name || path.startsWith(`${name}/`)).sort((a, b) => b.length - a.length)[0];

/** The state of a new form. */
export const useForm = (): FormState => {
  const { isSending, error, send } = useSend();
  const labels = useRef(new Map<string, string>()).current;
  const names = [...labels.keys()];
  const placed = violationsOf(error).map((violation) => ({ ...violation, name: findField(violation.field, names) }));
  const wrong = new Map(
    placed.flatMap(({ name, description }): [string, string][] => (name === undefined ? [] : [[name, description]])),
  );
  const others = placed.filter(({ name }) => name === undefined);
  return { isSending, error, fields: { wrong, labels }, others, run: send };
};

/** How a field is joined with its label, its hint and what is wrong with it. */
export interface FieldParts {
  readonly id: string;
  readonly hintId: string;
  readonly wrongId: string;
  /** What is wrong; undefined if nothing is. */
  readonly wrong: string | undefined;
}

/** Joins a field with the form around it. `name`: as the server names the field. */
export const useField = (name: string, label: string): FieldParts => {
  const { wrong, labels } = useContext(FormContext);
  const id = useId();
  // Before anything can be refused. Rows move: a name may be another row's by now.
  useLayoutEffect(() => {
    labels.set(name, label);
    return () => {
      if (labels.get(name) === label) labels.delete(name);
    };
  }, [name, label]);
  return { id, hintId: `${id}-hint`, wrongId: `${id}-wrong`, wrong: wrong.get(name) };
};
