// Who may write: the applications, the root principals, and the access policies that let others record.
import type { ComponentChildren } from 'preact';
import {
  type AccessPolicyAnswer,
  type ApplicationAnswer,
  fetchAccessPolicies,
  fetchApplications,
  fetchSubjectNames,
  type PrincipalAnswer,
  READ_AT_ONCE,
} from '../api/admin.ts';
import { fetchWhole, type Whole } from '../api/pages.ts';
import { EventsLink } from '../components/links.tsx';
import { Shown } from '../components/states.tsx';
import { type Loaded, useLoad } from '../state/useLoad.ts';
import { isRecording, isRecordingPolicy } from '../text/grants.ts';
import { toPersonName } from '../text/names.ts';
import { toPolicyAddress } from './accessPolicy.tsx';
import { Grantees, type SubjectNames } from './grants.tsx';
import { isWriting } from './roles.tsx';
import { isNotRoot, NotRootNote } from './rootPrincipals.tsx';

/** Most names of each kind that are shown here; the lists have all. */
const SHOWN_MAX = 25;

const fetchAllApplications = (signal: AbortSignal): Promise<Whole<ApplicationAnswer>> =>
  fetchWhole((pageToken) => fetchApplications({ pageToken, size: READ_AT_ONCE }, signal));

const fetchAllPolicies = (signal: AbortSignal): Promise<Whole<AccessPolicyAnswer>> =>
  fetchWhole((pageToken) => fetchAccessPolicies({ pageToken, size: READ_AT_ONCE }, signal));

interface CardProps {
  readonly count: string;
  readonly title: string;
  /** The part with the whole list. */
  readonly href: string;
  readonly children: ComponentChildren;
}

const Card = ({ count, title, href, children }: CardProps) => (
  <section class="card">
    <h2>
      <span class="count">{count}</span> <a href={href}>{title}</a>
    </h2>
    {children}
  </section>
);

const toCount = (count: number, isCut: boolean): string => `${count.toLocaleString()}${isCut ? ' or more' : ''}`;

function NameList<T>({ records, children }: { records: readonly T[]; children: (record: T) => ComponentChildren }) {
  const rest = records.length - SHOWN_MAX;
  return (
    <ul>
      {records.slice(0, SHOWN_MAX).map((record, at) => (
        <li key={at}>{children(record)}</li>
      ))}
      {rest > 0 ? <li>and {rest.toLocaleString()} more</li> : null}
    </ul>
  );
}

interface ApplicationsProps {
  readonly applications: Whole<ApplicationAnswer>;
  /** Undefined if the caller may not know them. */
  readonly roots: readonly PrincipalAnswer[] | undefined;
}

const toEventsLink = ({ client_id, display_name }: ApplicationAnswer) => (
  <EventsLink filters={{ 'principal_accepted.subject': client_id }} title="Events of this application">
    <bdi>{display_name}</bdi>
  </EventsLink>
);

const WritingApplications = ({ applications: { records, isCut }, roots }: ApplicationsProps) => {
  const rootSubjects = new Set(roots?.map(({ subject }) => subject));
  const writing = records.filter(({ roles, client_id }) => isWriting(roles) || rootSubjects.has(client_id));
  const administrating = records.filter(({ roles }) => roles.includes('administrator'));
  return (
    <Card
      count={toCount(writing.length, isCut)}
      title={`of ${toCount(records.length, isCut)} applications may write`}
      href="/admin/applications"
    >
      <NameList records={writing}>{toEventsLink}</NameList>
      {roots === undefined ? <p class="hint">Besides, those that are root principals.</p> : null}
      {administrating.length === 0 ? null : (
        <>
          <p>May give any application any role, as administrators:</p>
          <NameList records={administrating}>{toEventsLink}</NameList>
        </>
      )}
    </Card>
  );
};

const Roots = ({ roots }: { roots: readonly PrincipalAnswer[] }) => (
  <Card
    count={roots.length.toLocaleString()}
    title={roots.length === 1 ? 'root principal has every right' : 'root principals have every right'}
    href="/admin/root-principals"
  >
    <NameList records={roots}>
      {({ issuer, subject, ...person }) => (
        <EventsLink
          filters={{ 'principal_accepted.issuer': issuer, 'principal_accepted.subject': subject }}
          title="Events of this principal"
        >
          <bdi>{toPersonName({ subject, ...person })}</bdi>
        </EventsLink>
      )}
    </NameList>
  </Card>
);

const RecordingPolicies = ({ policies, names }: { policies: Whole<AccessPolicyAnswer>; names: SubjectNames }) => {
  const recording = policies.records.filter(isRecordingPolicy);
  return (
    <Card
      count={toCount(recording.length, policies.isCut)}
      title={recording.length === 1 ? 'access policy lets others record' : 'access policies let others record'}
      href="/admin/access-policies"
    >
      <NameList records={recording}>
        {({ identity, display_name, access_permissions }) => (
          <>
            <a href={toPolicyAddress(identity)}>
              <bdi>{display_name}</bdi>
            </a>
            {': '}
            {access_permissions.filter(isRecording).map((permission, at) => (
              <span key={at}>
                {at === 0 ? '' : '; '}
                <Grantees permission={permission} names={names} />
              </span>
            ))}
          </>
        )}
      </NameList>
    </Card>
  );
};

/** The summary. Each of its parts stays when another one fails. */
export const OverviewPart = ({ roots }: { roots: Loaded<readonly PrincipalAnswer[]> }) => {
  const applications = useLoad('applications', fetchAllApplications);
  const policies = useLoad('policies', async (signal) => ({
    policies: await fetchAllPolicies(signal),
    names: await fetchSubjectNames(signal),
  }));
  return (
    <>
      <h1>Who may write</h1>
      <div class="cards">
        <Shown loaded={applications}>
          {(value) => <WritingApplications applications={value} roots={roots.value} />}
        </Shown>
        {isNotRoot(roots.error) ? <NotRootNote /> : <Shown loaded={roots}>{(value) => <Roots roots={value} />}</Shown>}
        <Shown loaded={policies}>{(value) => <RecordingPolicies {...value} />}</Shown>
      </div>
      <p class="hint">
        People who sign in with an issuer that the operator has configured may write, too, if it gives them the role
        writer.
      </p>
    </>
  );
};
