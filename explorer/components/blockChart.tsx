// The newest blocks: how the height grew over time, and how long each block took.
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { BlockTime } from '../api/blocks.ts';

const HEIGHT_PX = 180;
/** Heights and the times of blocks are whole numbers. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000, 100_000, 1_000_000];

const readColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

// A colour of the style sheet is `light-dark(…)`, which a canvas doesn't know: a probe resolves it.
const resolveColour = (element: HTMLElement, name: string): string => {
  element.style.color = readColour(name);
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
};

interface Chart {
  readonly label: string;
  readonly data: UPlot.AlignedData;
  readonly scales: UPlot.Scales;
  readonly series: UPlot.Series;
}

// The height stands until the next block is made.
const toHeights = (blocks: readonly BlockTime[]): Chart => ({
  label: 'Height',
  data: [blocks.map(({ timestamp }) => timestamp), blocks.map(({ number }) => number)],
  scales: {},
  series: { width: 2, paths: UPlot.paths.stepped!({ align: 1 }) },
});

// Seconds since the block before; those of the first one are unknown.
const toIntervals = (blocks: readonly BlockTime[]): Chart => ({
  label: 'Seconds since the block before, by height',
  data: [
    blocks.slice(1).map(({ number }) => number),
    blocks.slice(1).map(({ timestamp }, at) => timestamp - blocks[at]!.timestamp),
  ],
  scales: { x: { time: false }, y: { range: { min: { hard: 0, mode: 1 }, max: { soft: 1, mode: 1 } } } },
  series: { width: 0, paths: UPlot.paths.bars!({ size: [0.6, 24] }) },
});

const toOptions = (element: HTMLElement, { label, scales, series }: Chart): UPlot.Options => {
  const [quiet, line, accent, soft] = ['--quiet', '--line', '--accent', '--accent-soft'].map((name) =>
    resolveColour(element, name),
  );
  const fill = series.width === 0 ? accent! : soft!;
  const axis = { stroke: quiet!, grid: { stroke: line!, width: 1 }, ticks: { stroke: line!, width: 1 } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    scales,
    legend: { show: false },
    cursor: { show: false },
    axes: [axis, { ...axis, size: 64, incrs: WHOLE_STEPS }],
    series: [{}, { label, stroke: accent!, fill, points: { show: false }, ...series }],
  };
};

const Plot = ({ blocks, toChart }: { blocks: readonly BlockTime[]; toChart: typeof toHeights }) => {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const chart = toChart(blocks);
  useEffect(() => {
    const element = place.current!;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new UPlot(toOptions(element, chart), chart.data, element);
    };
    draw();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    scheme.addEventListener('change', draw);
    sizes.observe(element);
    return () => {
      scheme.removeEventListener('change', draw);
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [blocks]);
  return (
    <figure>
      <figcaption>{chart.label}</figcaption>
      <div class="chart" ref={place} role="img" aria-label={`${chart.label} of the newest ${blocks.length} blocks`} />
    </figure>
  );
};

/** At least two blocks, oldest first. */
const BlockChart = ({ blocks }: { blocks: readonly BlockTime[] }) => (
  <div class="columns even">
    <Plot blocks={blocks} toChart={toHeights} />
    <Plot blocks={blocks} toChart={toIntervals} />
  </div>
);

export default BlockChart;
