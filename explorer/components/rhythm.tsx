// The rhythm of the chain: its newest blocks over time, in figures and as a chart.
import { lazy } from 'preact-iso';
import { useBlocks } from '../state/useBlocks.ts';
import { Empty, ErrorNote } from './states.tsx';

const BlockChart = lazy(() => import('./blockChart.tsx'));

const toSpan = (seconds: number): string => `${seconds.toLocaleString()} s`;

const describe = (times: readonly number[]): string => {
  const intervals = times.slice(1).map((time, at) => time - times[at]!);
  const sorted = intervals.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  return `Between the newest ${times.length} blocks: ${toSpan(median)} as a median, ${toSpan(sorted.at(-1)!)} at most.`;
};

/** `height`: that of the newest block; undefined: it isn't known. */
export const Rhythm = ({ height }: { height: number | undefined }) => {
  const { blocks, error } = useBlocks(height);
  return (
    <section>
      <h2>Blocks over time</h2>
      {error === undefined ? null : <ErrorNote error={error} />}
      {blocks.length >= 2 ? (
        <>
          <p>{describe(blocks.map(({ timestamp }) => timestamp))}</p>
          <BlockChart blocks={blocks} />
        </>
      ) : null}
      {height === undefined && blocks.length === 0 ? (
        <Empty>No node answers, so the chain’s blocks can’t be shown. They are here again as soon as one does.</Empty>
      ) : null}
      {blocks.length === 1 ? <Empty>The chain has one block yet. The next record makes another.</Empty> : null}
    </section>
  );
};
