// The access policies: what each grants to whom on which assets, in sentences.
import { useState } from 'preact/hooks';
import { type AccessPolicyAnswer, fetchAccessPolicies, fetchSubjectNames, READ_AT_ONCE } from '../api/admin.ts';
import { removeAccessPolicy } from '../api/adminWrites.ts';
import { Badge } from '../components/badges.tsx';
import { CsvDownload } from '../components/csvDownload.tsx';
import { ConfirmationDialog } from '../components/dialog.tsx';
import { Copied } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { Said, useSaying } from '../components/said.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useLoad } from '../state/useLoad.ts';
import { isRecordingPolicy } from '../text/grants.ts';
import { uuidOf } from '../text/names.ts';
import {
  AccessPolicyCreation,
  AccessPolicyDetails,
  POLICIES_ADDRESS,
  PolicySentences,
  toPolicyAddress,
} from './accessPolicy.tsx';
import type { SubjectNames } from './grants.tsx';
import { NameFilter } from './nameFilter.tsx';
import { Remaining } from './remaining.tsx';

const PAGE = 20;

interface EntryProps {
  readonly policy: AccessPolicyAnswer;
  readonly names: SubjectNames;
  readonly onDelete: () => void;
}

const PolicyEntry = ({ policy, names, onDelete }: EntryProps) => (
  <li class="policy">
    <h2 dir="auto">{policy.display_name}</h2>
    <p class="facts">
      {isRecordingPolicy(policy) ? <Badge tone="good" text="lets others record" /> : null}
      <Copied text={policy.identity} />
    </p>
    <p dir="auto">{policy.description}</p>
    <PolicySentences policy={policy} names={names} />
    <p class="actions">
      <a href={toPolicyAddress(policy.identity)}>
        Change, and see its assets
        <span class="hidden">
          : <bdi>{policy.display_name}</bdi>
        </span>
      </a>
      <button type="button" class="link" onClick={onDelete}>
        Delete
        <span class="hidden">
          {' '}
          <bdi>{policy.display_name}</bdi>
        </span>
      </button>
    </p>
  </li>
);

interface ListProps {
  readonly names: SubjectNames;
  readonly say: (text: string) => void;
}

const PolicyList = ({ names, say }: ListProps) => {
  const { parameters } = useAddress();
  const [pageToken, name] = [parameters.get('page_token') ?? '', parameters.get('display_name') ?? ''];
  const loaded = useLoad(JSON.stringify([pageToken, name]), (signal) =>
    fetchAccessPolicies({ pageToken, name, size: PAGE }, signal),
  );
  const [doomed, setDoomed] = useState<AccessPolicyAnswer>();
  const [round, setRound] = useState(0);
  const remove = async (): Promise<void> => {
    await removeAccessPolicy(uuidOf(doomed!.identity));
    setDoomed(undefined);
    say(`${doomed!.display_name} is deleted.`);
    setRound(round + 1);
    loaded.reload();
  };
  return (
    <>
      <p class="actions">
        <a class="button" href={`${POLICIES_ADDRESS}/new`}>
          New access policy
        </a>
      </p>
      <NameFilter />
      <Shown loaded={loaded}>
        {(page) => (
          <>
            {page.records.length === 0 ? <Empty>No access policy is here: nothing is shared.</Empty> : null}
            <ul class="policies">
              {page.records.map((policy) => (
                <PolicyEntry key={policy.identity} policy={policy} names={names} onDelete={() => setDoomed(policy)} />
              ))}
            </ul>
            <Pager next={page.next} />
            <Remaining service="access_policies" title="access policies" round={round} />
            {page.records.length === 0 ? null : (
              <CsvDownload
                name="access_policies"
                fetchPage={(from, signal) => fetchAccessPolicies({ pageToken: from, name, size: READ_AT_ONCE }, signal)}
              />
            )}
          </>
        )}
      </Shown>
      {doomed === undefined ? null : (
        <ConfirmationDialog
          title={
            <>
              Delete <bdi>{doomed.display_name}</bdi>?
            </>
          }
          confirm="Delete the access policy"
          onConfirm={remove}
          onClose={() => setDoomed(undefined)}
        >
          <p>What it grants ends with the next request. What others have read, they have read.</p>
        </ConfirmationDialog>
      )}
    </>
  );
};

const Page = ({ record, ...props }: ListProps & { record: string }) => {
  if (record === '') return <PolicyList {...props} />;
  return record === 'new' ? <AccessPolicyCreation {...props} /> : <AccessPolicyDetails {...props} uuid={record} />;
};

const toHeading = (record: string): string => {
  if (record === '') return 'Access policies';
  return record === 'new' ? 'New access policy' : 'Access policy';
};

/** The list of access policies, or the page of one. `record`: empty, `new`, or a UUID. */
export const AccessPoliciesPart = ({ record }: { record: string }) => {
  const names = useLoad('subject names', fetchSubjectNames);
  const saying = useSaying();
  return (
    <>
      <h1>{toHeading(record)}</h1>
      <p class="hint">
        What this tenant shares with other organisations, and with its own applications that have no role. Nothing is
        shared without a policy.
      </p>
      <Said saying={saying} />
      <Shown loaded={names}>{(value) => <Page record={record} names={value} say={saying.say} />}</Shown>
    </>
  );
};
