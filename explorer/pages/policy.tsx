// One policy: what it demands, of which assets, and which of them fail.
import { useRoute } from 'preact-iso';
import { fetchPolicy } from '../api/policies.ts';
import type { PolicyAnswer } from '../api/writes.ts';
import { Badge } from '../components/badges.tsx';
import { FailingAssets } from '../components/failingAssets.tsx';
import { Copied } from '../components/links.tsx';
import { PolicyDeletion } from '../components/policyDeletion.tsx';
import { PolicyFacts } from '../components/policyFacts.tsx';
import { Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { toListFilters } from '../text/policyConditions.ts';
import { POLICY_TYPES, toPolicyName } from '../text/policyTypes.ts';

const Assets = ({ policy }: { policy: PolicyAnswer }) => {
  const filters = toListFilters(policy.asset_filter, policy.condition_syntax);
  return filters === undefined ? (
    <p class="hint">The list of assets has no filter for this: it has alternatives.</p>
  ) : (
    <p>
      <a href={`/assets?${new URLSearchParams(filters)}`}>Assets that it applies to</a>
    </p>
  );
};

const Body = ({ policy }: { policy: PolicyAnswer }) => {
  const { title, demand } = POLICY_TYPES[policy.compliance_type];
  return (
    <>
      <header class="record">
        <p class="kind">Policy</p>
        <h1 dir="auto">{toPolicyName(policy)}</h1>
        <p dir="auto">{policy.description}</p>
        <p class="facts">
          <Badge tone="plain" text={title} title={policy.compliance_type} />
          <Copied text={policy.identity} />
        </p>
      </header>
      <p>{demand}</p>
      <PolicyFacts policy={policy} />
      <Assets policy={policy} />
      <h2>Assets that fail it now</h2>
      <FailingAssets policy={policy} />
      <h2>Deletion</h2>
      <PolicyDeletion policy={policy} />
    </>
  );
};

const PolicyView = () => {
  const { uuid = '' } = useRoute().params;
  const loaded = useLoad(uuid, (signal) => fetchPolicy(uuid, signal));
  useTitle(loaded.value === undefined ? 'Policy' : toPolicyName(loaded.value));
  return (
    <Shown loaded={loaded} heading="Policy">
      {(policy) => <Body key={policy.identity} policy={policy} />}
    </Shown>
  );
};

export default PolicyView;
