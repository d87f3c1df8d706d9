// The newest blocks: how the height grew over time, and how long each block took.
import { useMemo } from 'preact/hooks';
import UPlot from 'uplot';
import type { BlockTime } from '../api/blocks.ts';
import { type ChartContent, Plot } from './plot.tsx';

/** Heights and the times of blocks are whole numbers. */
const WHOLE = { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000, 100_000, 1_000_000] };

// The height stands until the next block is made.
const toHeights = (blocks: readonly BlockTime[]): ChartContent => ({
  label: 'Height',
  data: [blocks.map(({ timestamp }) => timestamp), blocks.map(({ number }) => number)],
  scales: {},
  axis: WHOLE,
  fill: 'soft',
  series: { width: 2, paths: UPlot.paths.stepped!({ align: 1 }) },
});

// Seconds since the block before; those of the first one are unknown.
const toIntervals = (blocks: readonly BlockTime[]): ChartContent => ({
  label: 'Seconds since the block before, by height',
  data: [
    blocks.slice(1).map(({ number }) => number),
    blocks.slice(1).map(({ timestamp }, at) => timestamp - blocks[at]!.timestamp),
  ],
  scales: { x: { time: false }, y: { range: { min: { hard: 0, mode: 1 }, max: { soft: 1, mode: 1 } } } },
  axis: WHOLE,
  fill: 'full',
  series: { width: 0, paths: UPlot.paths.bars!({ size: [0.6, 24] }) },
});

/** At least two blocks, oldest first. */
const BlockChart = ({ blocks }: { blocks: readonly BlockTime[] }) => {
  const contents = useMemo(() => [toHeights(blocks), toIntervals(blocks)], [blocks]);
  return (
    <div class="columns even">
      {contents.map((content) => (
        <Plot
          key={content.label}
          content={content}
          summary={`${content.label}, of the newest ${blocks.length} blocks`}
        />
      ))}
    </div>
  );
};

export default BlockChart;
