// What events measured of an asset over time, one attribute at a time.
import { useMemo, useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import type { LedgerEvent } from '../api/client.ts';
import { listMeasured } from '../text/measurements.ts';

const MeasuredChart = lazy(() => import('./measuredChart.tsx'));

/** A chart of the attribute that a reader chooses; nothing where no attribute has two numbers. */
export const Measurements = ({ events }: { events: readonly LedgerEvent[] }) => {
  const measured = useMemo(() => listMeasured(events), [events]);
  const [chosen, setChosen] = useState<string>();
  const names = [...measured.keys()];
  const name = chosen !== undefined && measured.has(chosen) ? chosen : names[0];
  if (name === undefined) return null;
  return (
    <section>
      <h2>Values over time</h2>
      {names.length === 1 ? null : (
        <label>
          Attribute
          <select value={name} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {names.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      )}
      <MeasuredChart name={name} values={measured.get(name)!} />
    </section>
  );
};
