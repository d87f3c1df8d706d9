// The verdicts on an asset, one for each policy that applies to it, with what decided.
import { api, receive } from '../api/client.ts';
import type { Loaded } from '../state/useLoad.ts';
import { Badge, VerdictBadge } from './badges.tsx';
import { Identity, Time } from './links.tsx';
import { NamedLink } from './namedLink.tsx';
import { Empty, Shown } from './states.tsx';

/** The answer of a check of compliance. */
export type ComplianceAnswer = Awaited<ReturnType<typeof fetchVerdicts>>;

type Statement = ComplianceAnswer['compliance'][number];

const SHOWN_EVENTS = 3;

/** The verdicts on an asset at a time; undefined: now. */
export const fetchVerdicts = async (uuid: string, at: string | undefined, signal: AbortSignal) => {
  const query = at === undefined ? {} : { compliant_at: at };
  const params = { path: { uuid }, query };
  return (await receive(api.GET('/v1/compliance/assets/{uuid}', { params, signal }))).body;
};

/** The events that decided a verdict, with links; nothing if none did. */
export const DecidedBy = ({ evidence: { events, events_total } }: Pick<Statement, 'evidence'>) =>
  events.length === 0 ? null : (
    <p class="hint">
      Decided by{' '}
      {events.slice(0, SHOWN_EVENTS).map(({ identity, timestamp_accepted, timestamp_declared }, index) => (
        <span key={identity}>
          {index === 0 ? '' : ', '}
          <Identity identity={identity}>
            <Time timestamp={timestamp_accepted} />
          </Identity>
          {timestamp_declared === undefined ? null : (
            <>
              , declared for <Time timestamp={timestamp_declared} />
            </>
          )}
        </span>
      ))}
      {events_total > SHOWN_EVENTS ? ` and ${events_total - SHOWN_EVENTS} more` : ''}
    </p>
  );

const Verdict = ({ statement }: { statement: Statement }) => {
  const { compliance_policy_identity: policy, compliant, reason, evidence } = statement;
  return (
    <li class={compliant ? 'verdict' : 'verdict fails'}>
      <VerdictBadge isCompliant={compliant} />{' '}
      <strong>
        <NamedLink identity={policy} />
      </strong>
      {reason === '' ? null : <p dir="auto">{reason}</p>}
      <DecidedBy evidence={evidence} />
    </li>
  );
};

/** In one badge how many of the policies that apply to an asset it fails; nothing if none applies. */
export const VerdictSummary = ({ compliance }: ComplianceAnswer) => {
  const total = compliance.length;
  const failed = compliance.filter(({ compliant }) => !compliant).length;
  const policies = total === 1 ? 'policy' : 'policies';
  if (total === 0) return null;
  return failed === 0 ? (
    <Badge tone="good" text={`complies with ${total} ${policies}`} />
  ) : (
    <Badge tone="bad" text={`fails ${failed} of ${total} ${policies}`} />
  );
};

/** The verdicts on an asset, those that fail first. */
export const Verdicts = ({ loaded }: { loaded: Loaded<ComplianceAnswer> }) => (
  <Shown loaded={loaded}>
    {({ compliance }) =>
      compliance.length === 0 ? (
        <Empty>No policy applies to this asset.</Empty>
      ) : (
        <ul class="verdicts">
          {compliance
            .toSorted((one, other) => Number(one.compliant) - Number(other.compliant))
            .map((statement) => (
              <Verdict key={statement.compliance_policy_identity} statement={statement} />
            ))}
        </ul>
      )
    }
  </Shown>
);
