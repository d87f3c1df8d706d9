// How many more records of a kind the tenant may create.
import { fetchCaps } from '../api/admin.ts';
import { useLoad } from '../state/useLoad.ts';

interface RemainingProps {
  readonly service: 'applications' | 'access_policies';
  readonly title: string;
  /** Another number after each change. */
  readonly round: number;
}

/** The number; nothing where it isn't known. */
export const Remaining = ({ service, title, round }: RemainingProps) => {
  const remaining = useLoad(`${round}`, (signal) => fetchCaps(service, signal)).value;
  return remaining === undefined ? null : (
    <p class="hint">
      {remaining.toLocaleString()} more {title} can be created.
    </p>
  );
};
