// The light: whether the ledger works.
import type { HealthReport } from '../api/health.ts';
import type { Loaded } from '../state/useLoad.ts';
import { Badge } from './badges.tsx';

const TITLES = { ready: 'healthy', stalled: 'stalled', 'not ready': 'not ready' } as const;

export const Health = ({ loaded: { value, error } }: { loaded: Loaded<HealthReport> }) => {
  if (error !== undefined) return <Badge tone="bad" text="unreachable" title={error.message} />;
  if (value === undefined) return <Badge tone="waiting" text="checking" />;
  const reasons = value.troubles.map(({ reason }) => reason).join('\n');
  return <Badge tone={value.status === 'ready' ? 'good' : 'bad'} text={TITLES[value.status]} title={reasons} />;
};
