// Numbers over time, as a line.
import { useMemo } from 'preact/hooks';
import type { TimedNumber } from '../text/measurements.ts';
import { type ChartContent, Plot } from './plot.tsx';

const toContent = (label: string, values: readonly TimedNumber[]): ChartContent => ({
  label,
  data: [values.map(({ timeSeconds }) => timeSeconds), values.map(({ value }) => value)],
  scales: {},
  fill: 'none',
  series: { width: 2, points: { show: true, size: 5 } },
});

const summarize = (name: string, values: readonly TimedNumber[]): string => {
  const numbers = values.map(({ value }) => value);
  return `${name}: ${numbers.length} values from ${Math.min(...numbers)} to ${Math.max(...numbers)}`;
};

/** At least two numbers, by time. */
const MeasuredChart = ({ name, values }: { name: string; values: readonly TimedNumber[] }) => {
  const content = useMemo(() => toContent(`${name}, by declared time`, values), [name, values]);
  return <Plot content={content} summary={summarize(name, values)} />;
};

export default MeasuredChart;
