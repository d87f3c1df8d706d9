// Who has access: applications, root principals, subjects and access policies. Loaded when it is opened.
import { useRoute } from 'preact-iso';
import { AccessPoliciesPart } from '../admin/accessPolicies.tsx';
import { ApplicationsPart } from '../admin/applications.tsx';
import { OverviewPart } from '../admin/overview.tsx';
import { RootPrincipalsPart } from '../admin/rootPrincipals.tsx';
import { SubjectsPart } from '../admin/subjects.tsx';
import { fetchRootPrincipals, type PrincipalAnswer } from '../api/admin.ts';
import { useTitle } from '../state/title.ts';
import { type Loaded, useLoad } from '../state/useLoad.ts';
import { NotFoundPage } from './notFound.tsx';

const PARTS = [
  ['', 'Who may write'],
  ['applications', 'Applications'],
  ['root-principals', 'Root principals'],
  ['subjects', 'Subjects'],
  ['access-policies', 'Access policies'],
] as const;

const toAddress = (part: string): string => (part === '' ? '/admin' : `/admin/${part}`);

const Parts = ({ current }: { current: string }) => (
  <nav class="parts" aria-label="Admin">
    {PARTS.map(([part, title]) => (
      <a key={part} href={toAddress(part)} aria-current={part === current ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
);

interface PartProps {
  readonly part: string;
  /** The record below the part, if the address names one. */
  readonly record: string;
  readonly roots: Loaded<readonly PrincipalAnswer[]>;
}

const Part = ({ part, record, roots }: PartProps) => {
  if (part === 'applications') return <ApplicationsPart roots={roots.value ?? []} />;
  if (part === 'root-principals') return <RootPrincipalsPart loaded={roots} />;
  if (part === 'subjects') return <SubjectsPart />;
  if (part === 'access-policies') return <AccessPoliciesPart record={record} />;
  return <OverviewPart roots={roots} />;
};

const AdminParts = () => {
  const { part = '', record = '' } = useRoute().params;
  const title = PARTS.find(([name]) => name === part)?.[1];
  useTitle(title === undefined ? 'No such page' : `${title} · Admin`);
  const roots = useLoad('root principals', fetchRootPrincipals);
  if (title === undefined || (record !== '' && part !== 'access-policies')) return <NotFoundPage />;
  return (
    <>
      <Parts current={part} />
      <Part key={part} part={part} record={record} roots={roots} />
    </>
  );
};

export default AdminParts;
