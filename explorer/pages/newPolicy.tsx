// Creates a policy of one of the five types, after one has tried it.
import { useLocation } from 'preact-iso';
import { submitPolicy } from '../api/writes.ts';
import { ConditionRows, type ConditionWording } from '../components/conditionRows.tsx';
import { DraftNote } from '../components/draftNote.tsx';
import { EntryForm } from '../components/entryForm.tsx';
import { TextAreaField, TextField } from '../components/fields.tsx';
import { PolicyFields } from '../components/policyFields.tsx';
import { PolicyTrial } from '../components/policyTrial.tsx';
import { useAddress } from '../state/address.ts';
import { findMissingRight } from '../state/rights.ts';
import { useTitle } from '../state/title.ts';
import { useDraft } from '../state/useDraft.ts';
import { assertEntries, useForm } from '../state/useForm.ts';
import { ASSET_OPERATORS, COMMON_NAMES } from '../text/conditions.ts';
import { uuidOf } from '../text/names.ts';
import { EMPTY_POLICY_FORM, findWrongPolicy, findWrongTrial, toPolicyRequest } from '../text/policyEntries.ts';
import { isPolicyType, POLICY_TYPES, type PolicyType } from '../text/policyTypes.ts';

const ASSETS: ConditionWording = {
  title: 'Which assets',
  hint: 'An asset must meet every condition, by one of its alternatives. arc_display_type is the type of an asset.',
  subject: 'Attribute',
  none: 'Without a condition, the policy applies to all assets.',
  names: COMMON_NAMES,
  operators: ASSET_OPERATORS,
};

const Types = () => (
  <ul class="policies">
    {Object.entries(POLICY_TYPES).map(([type, { title, demand, example }]) => (
      <li key={type} class="policy">
        <h2>
          <a href={`/policies/new?type=${type}`}>{title}</a>
        </h2>
        <p>{demand}</p>
        <p class="hint">
          Example: {example} <code>{type}</code>
        </p>
      </li>
    ))}
  </ul>
);

const PolicyForm = ({ type }: { type: PolicyType }) => {
  const { route } = useLocation();
  const form = useForm();
  const draft = useDraft(`policy ${type}`, EMPTY_POLICY_FORM);
  const { entries, change } = draft;
  const { title, demand, example, fields } = POLICY_TYPES[type];
  const send = async (): Promise<void> => {
    assertEntries(findWrongPolicy(entries, type));
    const policy = await draft.record((key) => submitPolicy(toPolicyRequest(entries, type), key));
    route(`/policies/${uuidOf(policy.identity)}`);
  };
  const toTried = () => {
    assertEntries(findWrongTrial(entries, type));
    return toPolicyRequest(entries, type);
  };
  return (
    <>
      <h2>{title}</h2>
      <p>{demand}</p>
      <p class="hint">
        Example: {example} <a href="/policies/new">Choose another type</a>
      </p>
      <DraftNote draft={draft} />
      <EntryForm
        form={form}
        label="New policy"
        submit="Save the policy"
        onSubmit={send}
        blocked={findMissingRight('policies')}
      >
        <TextField
          name="display_name"
          label="Name"
          isRequired
          value={entries.display_name}
          onValue={(display_name) => change({ display_name })}
        />
        <TextAreaField
          name="description"
          label="Description"
          rows={2}
          value={entries.description}
          onValue={(description) => change({ description })}
        />
        <ConditionRows
          field="asset_filter"
          wording={ASSETS}
          lists={entries.asset_filter}
          onLists={(asset_filter) => change({ asset_filter })}
        />
        <PolicyFields fields={fields} entries={entries} change={change} />
        <PolicyTrial form={form} toRequest={toTried} />
      </EntryForm>
    </>
  );
};

const NewPolicyForm = () => {
  useTitle('New policy');
  const type = useAddress().parameters.get('type') ?? '';
  return (
    <>
      <h1>New policy</h1>
      <p>A policy states what must be true of assets. It never changes; it can be deleted.</p>
      {isPolicyType(type) ? <PolicyForm key={type} type={type} /> : <Types />}
    </>
  );
};

export default NewPolicyForm;
