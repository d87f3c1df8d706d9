// Attributes of a person's own choice: rows of a name and a value.
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type AttributeMapName,
  type AttributeRow,
  NAME_CHARACTERS_MAX,
  toNameField,
  toValueField,
  VALUE_CHARACTERS_MAX,
} from '../text/entries.ts';
import { TextAreaField, TextField } from './fields.tsx';

interface AttributeRowsProps {
  /** The map of the request that the rows belong to. */
  readonly map: AttributeMapName;
  readonly title: string;
  readonly hint: string;
  readonly rows: readonly AttributeRow[];
  /** Names that other fields of the form have. */
  readonly taken: readonly string[];
  readonly onRows: (rows: readonly AttributeRow[]) => void;
}

const LIMITS = `A name has at most ${NAME_CHARACTERS_MAX.toLocaleString()} characters, a value ${VALUE_CHARACTERS_MAX.toLocaleString()}.`;

/** Moves the focus to the last row when one is added, and to the button when one is removed. */
const useRowFocus = (count: number) => {
  const node = useRef<HTMLFieldSetElement>(null);
  const [last, setLast] = useState(count);
  useEffect(() => {
    if (count === last) return;
    const found = node.current?.querySelectorAll<HTMLElement>(count > last ? '.row input' : ':scope > button') ?? [];
    [...found].at(-1)?.focus();
    setLast(count);
  }, [count, last]);
  return node;
};

/** The rows, with buttons that add and remove one. */
export const AttributeRows = ({ map, title, hint, rows, taken, onRows }: AttributeRowsProps) => {
  const node = useRowFocus(rows.length);
  const change = (at: number, changes: Partial<AttributeRow>): void =>
    onRows(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <fieldset class="rows" ref={node}>
      <legend>{title}</legend>
      <p class="hint">
        {hint} {LIMITS}
      </p>
      {rows.map(({ name, value }, at) => (
        <div class="row" key={at}>
          <TextField
            name={toNameField(map, at)}
            label={`Name ${at + 1}`}
            value={name}
            onValue={(entered) => change(at, { name: entered })}
          />
          <TextAreaField
            name={toValueField(map, rows, at, taken)}
            label={`Value ${at + 1}`}
            rows={1}
            value={value}
            onValue={(entered) => change(at, { value: entered })}
          />
          <button
            type="button"
            aria-label={`Remove attribute ${at + 1}`}
            onClick={() => onRows(rows.filter((_, index) => index !== at))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onRows([...rows, { name: '', value: '' }])}>
        Add an attribute
      </button>
    </fieldset>
  );
};
