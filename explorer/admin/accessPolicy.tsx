// The pages of one access policy: a new one, and one that is changed, with the assets that it is about.
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type AccessPolicyAnswer, fetchAccessPolicy, fetchCoveredAssets } from '../api/admin.ts';
import { changeAccessPolicy, submitAccessPolicy } from '../api/adminWrites.ts';
import { DraftNote } from '../components/draftNote.tsx';
import { Identity } from '../components/links.tsx';
import { ListTable } from '../components/listTable.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useDraft } from '../state/useDraft.ts';
import { useLoad } from '../state/useLoad.ts';
import { EMPTY_POLICY, isEditable, toPolicyText } from '../text/accessPolicies.ts';
import { readAttribute, toAssetName, uuidOf } from '../text/names.ts';
import { AccessPolicyForm } from './accessPolicyForm.tsx';
import { CoveredSentence, PermissionSentence, type SubjectNames } from './grants.tsx';

const ASSETS = 25;

/** The address of the list of access policies. */
export const POLICIES_ADDRESS = '/admin/access-policies';

/** The address of an access policy's page. */
export const toPolicyAddress = (identity: string): string => `${POLICIES_ADDRESS}/${uuidOf(identity)}`;

const Back = () => <a href={POLICIES_ADDRESS}>Back to the list</a>;

interface PolicyPageProps {
  readonly names: SubjectNames;
  readonly say: (text: string) => void;
}

/** The page that creates a policy. */
export const AccessPolicyCreation = ({ names, say }: PolicyPageProps) => {
  const { route } = useLocation();
  const draft = useDraft('access policy', EMPTY_POLICY);
  return (
    <>
      <DraftNote draft={draft} />
      <AccessPolicyForm
        label="New access policy"
        submit="Create"
        text={draft.entries}
        change={draft.change}
        names={names}
        actions={<Back />}
        onSend={async (entries) => {
          const { identity, display_name } = await draft.record((key) => submitAccessPolicy(entries, key));
          route(toPolicyAddress(identity));
          say(`${display_name} is created.`);
        }}
      />
    </>
  );
};

/** What a policy grants, in sentences. */
export const PolicySentences = ({ policy, names }: { policy: AccessPolicyAnswer; names: SubjectNames }) => (
  <>
    <p>
      On <CoveredSentence {...policy} />:
    </p>
    <ul class="sentences">
      {policy.access_permissions.map((permission, at) => (
        <li key={at}>
          <PermissionSentence permission={permission} names={names} />
        </li>
      ))}
    </ul>
  </>
);

const CoveredAssets = ({ policy }: { policy: AccessPolicyAnswer }) => {
  const pageToken = useAddress().parameters.get('page_token') ?? '';
  const loaded = useLoad(JSON.stringify([pageToken, policy]), (signal) =>
    fetchCoveredAssets(uuidOf(policy.identity), { pageToken, size: ASSETS }, signal),
  );
  return (
    <section>
      <h2>
        Assets that it is about now {loaded.value === undefined ? '' : `(${loaded.value.total.toLocaleString()})`}
      </h2>
      <Shown loaded={loaded}>
        {({ records, next }) => (
          <>
            {records.length === 0 ? (
              <Empty>No asset meets its conditions.</Empty>
            ) : (
              <ListTable
                columns={[
                  {
                    title: 'Name',
                    cell: (asset) => <Identity identity={asset.identity}>{toAssetName(asset)}</Identity>,
                  },
                  { title: 'Type', cell: ({ attributes }) => readAttribute(attributes, 'arc_display_type') },
                ]}
                records={records}
                keyOf={({ identity }) => identity}
              />
            )}
            <Pager next={next} />
          </>
        )}
      </Shown>
    </section>
  );
};

interface ChangeProps extends PolicyPageProps {
  readonly policy: AccessPolicyAnswer;
  /** Reads the policy again. */
  readonly onReload: () => void;
}

const ChangeForm = ({ policy, names, say, onReload }: ChangeProps) => {
  const [text, setText] = useState(() => toPolicyText(policy));
  return (
    <AccessPolicyForm
      label="Change the access policy"
      submit="Save"
      text={text}
      change={(changes) => setText({ ...text, ...changes })}
      names={names}
      actions={
        <>
          <button type="button" onClick={onReload}>
            Show it as it is now
          </button>
          <Back />
        </>
      }
      onSend={async (entries) => {
        await changeAccessPolicy(uuidOf(policy.identity), policy, entries);
        say(`${entries.display_name} is changed.`);
        onReload();
      }}
    />
  );
};

/** The page of a policy. */
export const AccessPolicyDetails = ({ uuid, names, say }: PolicyPageProps & { uuid: string }) => {
  const loaded = useLoad(uuid, (signal) => fetchAccessPolicy(uuid, signal));
  return (
    <Shown loaded={loaded}>
      {(policy) => (
        <>
          <section class="policy">
            <h2>
              <bdi>{policy.display_name}</bdi>
            </h2>
            <PolicySentences policy={policy} names={names} />
          </section>
          <CoveredAssets policy={policy} />
          <h2>Change it</h2>
          {isEditable(policy) ? (
            <ChangeForm key={JSON.stringify(policy)} policy={policy} names={names} say={say} onReload={loaded.reload} />
          ) : (
            <p class="note">
              It has names with line breaks, or with blanks at either end, which this form would lose. Change it through{' '}
              <a href="/docs">the interface</a>.
            </p>
          )}
        </>
      )}
    </Shown>
  );
};
