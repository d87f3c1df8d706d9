// What an access policy grants, in sentences. Every name in them is somebody's text.
import { Fragment } from 'preact';
import type { AccessPolicyAnswer, PermissionAnswer } from '../api/admin.ts';
import type { Syntax } from '../text/conditions.ts';
import { ALL, isReading, isRecording, readAttributesOf, toConditionWords } from '../text/grants.ts';
import { abbreviate } from '../text/names.ts';

/** Most names of a list that a sentence has; a policy's own page has all. */
const NAMES_MAX = 8;

/** Names of subjects by their identities. */
export type SubjectNames = ReadonlyMap<string, string>;

type Link = 'and' | 'or';

const toSeparator = (at: number, count: number, link: Link): string => {
  if (at === 0) return '';
  return at === count - 1 ? ` ${link} ` : ', ';
};

/** Texts as a list in a sentence. */
const Listed = ({ texts, link }: { texts: readonly string[]; link: Link }) => {
  const rest = texts.length - NAMES_MAX;
  const shown = rest > 0 ? texts.slice(0, NAMES_MAX) : texts;
  return (
    <>
      {shown.map((text, at) => (
        <Fragment key={text}>
          {toSeparator(at, shown.length + (rest > 0 ? 1 : 0), link)}
          <bdi class="name">{text}</bdi>
        </Fragment>
      ))}
      {rest > 0 ? ` ${link} ${rest.toLocaleString()} more` : null}
    </>
  );
};

const Condition = ({ text, syntax }: { text: string; syntax: Syntax }) => {
  const { name, relation, value } = toConditionWords(text, syntax);
  return (
    <>
      {name === undefined ? null : <bdi class="name">{name}</bdi>} {relation}{' '}
      {value === '' ? null : <bdi class="name">{value}</bdi>}
    </>
  );
};

/** Which assets a policy is about. */
export const CoveredSentence = ({
  filters,
  condition_syntax,
}: Pick<AccessPolicyAnswer, 'filters' | 'condition_syntax'>) =>
  filters.length === 0 ? (
    <>all assets</>
  ) : (
    <>
      assets of which{' '}
      {filters.map(({ or }, at) => (
        <Fragment key={at}>
          {at === 0 ? null : <strong> and </strong>}
          {or.map((text, index) => (
            <Fragment key={text}>
              {index === 0 ? null : ' or '}
              <Condition text={text} syntax={condition_syntax} />
            </Fragment>
          ))}
        </Fragment>
      ))}
    </>
  );

const Claims = ({ lists }: { lists: PermissionAnswer['user_attributes'] }) => (
  <>
    {lists.map(({ or }, at) => (
      <Fragment key={at}>
        {at === 0 ? null : <strong> and </strong>}
        <Listed texts={or} link="or" />
      </Fragment>
    ))}
  </>
);

const toSubjectText = (identity: string, names: SubjectNames): string =>
  names.get(identity) ?? `a subject that isn’t there (${abbreviate(identity)})`;

/** For whom a permission is. */
export const Grantees = ({ permission, names }: { permission: PermissionAnswer; names: SubjectNames }) => {
  const { subjects, user_attributes } = permission;
  const tenants = <Listed texts={subjects.map((identity) => toSubjectText(identity, names))} link="and" />;
  const claims = <Claims lists={user_attributes} />;
  if (subjects.length === 0 && user_attributes.length === 0)
    return <>Nobody, because it names neither a subject nor a claim,</>;
  if (user_attributes.length === 0) return tenants;
  if (subjects.length === 0) return <>Callers of this tenant without a role, with the claim {claims}</>;
  return (
    <>
      Callers of {tenants} with the claim {claims}
    </>
  );
};

const Reads = ({ permission }: { permission: PermissionAnswer }) => {
  const attributes = readAttributesOf(permission);
  const types = permission.event_arc_display_type_read;
  return (
    <>
      {attributes.includes(ALL) ? 'all attributes' : null}
      {attributes.length > 0 && !attributes.includes(ALL) ? (
        <>
          the attributes <Listed texts={attributes} link="and" />
        </>
      ) : null}
      {attributes.length > 0 && types.length > 0 ? ', and ' : null}
      {types.includes(ALL) ? 'all events' : null}
      {types.length > 0 && !types.includes(ALL) ? (
        <>
          events of the type <Listed texts={types} link="or" />
        </>
      ) : null}
    </>
  );
};

const Writes = ({ permission }: { permission: PermissionAnswer }) => {
  const { behaviours, asset_attributes_write: attributes, event_arc_display_type_write: types } = permission;
  return (
    <>
      {types.includes(ALL) ? (
        'events of any type'
      ) : (
        <>
          events of the type <Listed texts={types} link="or" />
        </>
      )}
      {behaviours.includes(ALL) ? (
        ' and of any behaviour'
      ) : (
        <>
          {' '}
          of the behaviour <Listed texts={behaviours} link="or" />
        </>
      )}
      {', which may set '}
      {attributes.length === 0 ? 'no attribute' : null}
      {attributes.includes(ALL) ? 'any attribute' : null}
      {attributes.length > 0 && !attributes.includes(ALL) ? <Listed texts={attributes} link="and" /> : null}
    </>
  );
};

/** What a permission grants to whom. */
export const PermissionSentence = ({ permission, names }: { permission: PermissionAnswer; names: SubjectNames }) => {
  const [reads, records] = [isReading(permission), isRecording(permission)];
  return (
    <>
      <Grantees permission={permission} names={names} />{' '}
      {reads ? (
        <>
          may <strong>read</strong> <Reads permission={permission} />
        </>
      ) : null}
      {reads && records ? '; and ' : null}
      {records ? (
        <>
          may <strong>record</strong> <Writes permission={permission} />
        </>
      ) : null}
      {reads || records ? null : 'may do nothing'}.
    </>
  );
};
