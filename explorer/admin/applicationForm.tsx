// The form of an application: its name, what it may do, and claims of its own.
import { useState } from 'preact/hooks';
import { toPointerToken } from '../../ledger/encoding/pointerToken.ts';
import type { Role } from '../../ledger/records/application.ts';
import type { ApplicationAnswer } from '../api/admin.ts';
import type { ApplicationEntries } from '../api/adminWrites.ts';
import { Dialog } from '../components/dialog.tsx';
import { EntryForm } from '../components/entryForm.tsx';
import { CheckField, TextField } from '../components/fields.tsx';
import { assertEntries, useForm } from '../state/useForm.ts';
import { ROLE_RIGHTS } from './roles.tsx';

interface Claim {
  readonly name: string;
  readonly value: string;
}

const toField = (claims: readonly Claim[], at: number): string =>
  claims[at]!.name === '' ? `claims/${at}` : `custom_claims/${toPointerToken(claims[at]!.name)}`;

const findWrongClaims = (claims: readonly Claim[]) =>
  claims.flatMap(({ name, value }, at) => {
    const field = toField(claims, at);
    if (name === '' && value !== '') return [{ field, description: 'must have a name' }];
    const isFirst = claims.findIndex((other) => other.name === name) === at;
    return isFirst || name === '' ? [] : [{ field, description: 'is there more than once' }];
  });

const toClaims = (claims: readonly Claim[]): Record<string, string> =>
  Object.fromEntries(claims.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));

const ClaimRows = ({
  claims,
  onClaims,
}: {
  claims: readonly Claim[];
  onClaims: (claims: readonly Claim[]) => void;
}) => {
  const change = (at: number, changes: Partial<Claim>): void =>
    onClaims(claims.map((claim, index) => (index === at ? { ...claim, ...changes } : claim)));
  return (
    <fieldset class="rows">
      <legend>Custom claims</legend>
      <p class="hint">
        Texts that its tokens carry, such as the number of a gate. Access policies can name an application by them.
      </p>
      {claims.map((claim, at) => (
        <div class="row" key={at}>
          <TextField
            name={toField(claims, at)}
            label={`Claim ${at + 1}`}
            value={claim.name}
            onValue={(name) => change(at, { name })}
          />
          <TextField
            name={`claims/${at}/value`}
            label={`Value ${at + 1}`}
            value={claim.value}
            onValue={(value) => change(at, { value })}
          />
          <button type="button" onClick={() => onClaims(claims.filter((_, index) => index !== at))}>
            Remove claim {at + 1}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onClaims([...claims, { name: '', value: '' }])}>
        Add a claim
      </button>
    </fieldset>
  );
};

const RoleChecks = ({ roles, onRoles }: { roles: readonly Role[]; onRoles: (roles: readonly Role[]) => void }) => (
  <fieldset>
    <legend>Roles</legend>
    {ROLE_RIGHTS.map(([role, may]) => (
      <CheckField
        key={role}
        name={`roles/${role}`}
        label={role}
        hint={may}
        isChecked={roles.includes(role)}
        onCheck={(isChecked) => onRoles(isChecked ? [...roles, role] : roles.filter((other) => other !== role))}
      />
    ))}
    {roles.length === 0 ? (
      <p class="hint">Without a role it sees and records only what access policies allow it by its claims.</p>
    ) : null}
  </fieldset>
);

interface ApplicationDialogProps {
  /** The application to change; undefined for a new one. */
  readonly application: ApplicationAnswer | undefined;
  readonly onSend: (entries: ApplicationEntries) => Promise<void>;
  readonly onClose: () => void;
}

/** The form of a new application, or of one that is changed. */
export const ApplicationDialog = ({ application, onSend, onClose }: ApplicationDialogProps) => {
  const form = useForm();
  const [name, setName] = useState(application?.display_name ?? '');
  const [roles, setRoles] = useState<readonly Role[]>(application?.roles ?? ['writer']);
  const [claims, setClaims] = useState<readonly Claim[]>(() =>
    Object.entries(application?.custom_claims ?? {}).map(([claim, value]) => ({ name: claim, value })),
  );
  const send = async (): Promise<void> => {
    assertEntries([
      ...(name.trim() === '' ? [{ field: 'display_name', description: 'must not be empty' }] : []),
      ...findWrongClaims(claims),
    ]);
    await onSend({ display_name: name, roles: [...roles], custom_claims: toClaims(claims) });
  };
  const title = application === undefined ? 'New application' : 'Change the application';
  return (
    <Dialog title={title} onClose={onClose} isHeld={form.isSending}>
      <EntryForm
        form={form}
        label={title}
        submit={application === undefined ? 'Create' : 'Save'}
        onSubmit={send}
        actions={
          <button type="button" onClick={onClose} disabled={form.isSending}>
            Cancel
          </button>
        }
      >
        <TextField
          name="display_name"
          label="Name"
          hint="Records show it as the name of who accepted them. At most 255 characters."
          isRequired
          value={name}
          onValue={setName}
        />
        <RoleChecks roles={roles} onRoles={setRoles} />
        <ClaimRows claims={claims} onClaims={setClaims} />
      </EntryForm>
    </Dialog>
  );
};
