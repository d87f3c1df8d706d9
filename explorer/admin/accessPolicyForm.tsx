// The form of an access policy.
import type { ComponentChildren } from 'preact';
import type { AccessPolicyEntries } from '../api/adminWrites.ts';
import { ConditionRows, type ConditionWording } from '../components/conditionRows.tsx';
import { EntryForm } from '../components/entryForm.tsx';
import { TextAreaField, TextField } from '../components/fields.tsx';
import { assertEntries, useForm } from '../state/useForm.ts';
import {
  type AccessPolicyText,
  EMPTY_PERMISSION,
  type PermissionText,
  toPolicyEntries,
} from '../text/accessPolicies.ts';
import { ASSET_OPERATORS, COMMON_NAMES } from '../text/conditions.ts';
import type { SubjectNames } from './grants.tsx';
import { PermissionFields } from './permissionFields.tsx';

const FILTERS: ConditionWording = {
  title: 'Assets',
  hint: 'An asset must meet every condition, by one of its alternatives.',
  subject: 'Attribute',
  none: 'Without a condition, the policy is about all assets.',
  names: COMMON_NAMES,
  operators: ASSET_OPERATORS,
};

interface AccessPolicyFormProps {
  readonly label: string;
  readonly submit: string;
  readonly text: AccessPolicyText;
  readonly change: (changes: Partial<AccessPolicyText>) => void;
  readonly names: SubjectNames;
  readonly onSend: (entries: AccessPolicyEntries) => Promise<void>;
  readonly actions?: ComponentChildren;
}

const Permissions = ({ text: { permissions }, change, names }: AccessPolicyFormProps) => {
  const replace = (at: number, ...next: readonly PermissionText[]): void =>
    change({ permissions: [...permissions.slice(0, at), ...next, ...permissions.slice(at + 1)] });
  return (
    <>
      {permissions.map((permission, at) => (
        <PermissionFields
          key={at}
          at={at}
          text={permission}
          names={names}
          onText={(next) => replace(at, next)}
          onRemove={permissions.length === 1 ? undefined : () => replace(at)}
        />
      ))}
      <p>
        <button type="button" onClick={() => change({ permissions: [...permissions, EMPTY_PERMISSION] })}>
          Add a permission
        </button>
      </p>
    </>
  );
};

/** The fields of a policy; each permission says in a sentence what it grants. */
export const AccessPolicyForm = (props: AccessPolicyFormProps) => {
  const { label, submit, text, change, onSend, actions } = props;
  const form = useForm();
  const send = async (): Promise<void> => {
    assertEntries(text.name.trim() === '' ? [{ field: 'display_name', description: 'must not be empty' }] : []);
    await onSend(toPolicyEntries(text));
  };
  return (
    <EntryForm form={form} label={label} submit={submit} onSubmit={send} actions={actions}>
      <TextField
        name="display_name"
        label="Name"
        hint="At most 128 characters."
        isRequired
        value={text.name}
        onValue={(name) => change({ name })}
      />
      <TextAreaField
        name="description"
        label="Description"
        rows={2}
        value={text.description}
        onValue={(description) => change({ description })}
      />
      <ConditionRows
        field="filters"
        wording={FILTERS}
        lists={text.filters}
        onLists={(filters) => change({ filters })}
      />
      <Permissions {...props} />
    </EntryForm>
  );
};
