// A chart on a canvas, in the colours of the page's scheme and as wide as its place.
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';

const HEIGHT_PX = 180;

const FILLS = { none: undefined, soft: '--accent-soft', full: '--accent' } as const;

/** What a chart shows: one series by x. */
export interface ChartContent {
  readonly label: string;
  readonly data: UPlot.AlignedData;
  readonly scales: UPlot.Scales;
  readonly series: UPlot.Series;
  /** What is between the line and the axis. */
  readonly fill: keyof typeof FILLS;
  /** Properties of the vertical axis. */
  readonly axis?: UPlot.Axis;
}

const readColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

// A colour of the style sheet is `light-dark(…)`, which a canvas doesn't know: a probe resolves it.
const resolveColour = (element: HTMLElement, name: string): string => {
  element.style.color = readColour(name);
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
};

const toOptions = (element: HTMLElement, content: ChartContent): UPlot.Options => {
  const { label, scales, series, axis: given } = content;
  const [quiet, line, accent] = ['--quiet', '--line', '--accent'].map((name) => resolveColour(element, name));
  const filling = FILLS[content.fill];
  const fill = filling === undefined ? {} : { fill: resolveColour(element, filling) };
  const axis = { stroke: quiet!, grid: { stroke: line!, width: 1 }, ticks: { stroke: line!, width: 1 } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    scales,
    legend: { show: false },
    cursor: { show: false },
    axes: [axis, { ...axis, size: 64, ...given }],
    series: [{}, { label, stroke: accent!, ...fill, points: { show: false }, ...series }],
  };
};

/** A chart. It is drawn again when `content` is another object. `summary`: what those hear who can't see it. */
export const Plot = ({ content, summary }: { content: ChartContent; summary: string }) => {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  useEffect(() => {
    const element = place.current!;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new UPlot(toOptions(element, content), content.data, element);
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
  }, [content]);
  return (
    <figure>
      <figcaption>{content.label}</figcaption>
      <div class="chart" ref={place} role="img" aria-label={summary} />
    </figure>
  );
};
