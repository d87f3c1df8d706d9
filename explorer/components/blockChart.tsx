// The newest blocks over time: how the height grew, and how long each block took.
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { BlockTime } from '../api/blocks.ts';

const HEIGHT_PX = 220;

const readColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

// A colour of the style sheet is `light-dark(…)`, which a canvas doesn't know: a probe resolves it.
const resolveColour = (element: HTMLElement, name: string): string => {
  element.style.color = readColour(name);
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
};

// Seconds that a block took after the one before it; the first one's are unknown.
const toIntervals = (blocks: readonly BlockTime[]): (number | null)[] =>
  blocks.map(({ timestamp }, at) => (at === 0 ? null : timestamp - blocks[at - 1]!.timestamp));

const toData = (blocks: readonly BlockTime[]): UPlot.AlignedData => [
  blocks.map(({ timestamp }) => timestamp),
  blocks.map(({ number }) => number),
  toIntervals(blocks),
];

const toOptions = (element: HTMLElement): UPlot.Options => {
  const [quiet, line, accent, text] = ['--quiet', '--line', '--accent', '--text'].map((name) =>
    resolveColour(element, name),
  );
  const axis = { stroke: quiet!, grid: { stroke: line!, width: 1 }, ticks: { stroke: line!, width: 1 } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    scales: { height: {}, seconds: { range: { min: { soft: 0, mode: 1 }, max: {} } } },
    axes: [axis, { ...axis, scale: 'height', size: 64 }, { ...axis, scale: 'seconds', side: 1, grid: { show: false } }],
    series: [
      {},
      { label: 'Height', scale: 'height', stroke: accent!, width: 2, points: { show: true, size: 5 } },
      { label: 'Seconds since the block before', scale: 'seconds', stroke: text!, width: 1, dash: [4, 3] },
    ],
  };
};

/** At least two blocks, oldest first. */
const BlockChart = ({ blocks }: { blocks: readonly BlockTime[] }) => {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  useEffect(() => {
    const element = place.current!;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new UPlot(toOptions(element), toData(blocks), element);
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
  return <div class="chart" ref={place} role="img" aria-label="Height of the chain and time between blocks" />;
};

export default BlockChart;
