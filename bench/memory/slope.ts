// The growth between readings that vary: single ones include memory that the allocator keeps for the next block.
import type { MemoryReading } from './chainOrder.ts';

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Bytes a record: the slope of the line with the least squares. `readings`: two or more, at different records. */
export const toBytesPerRecord = (readings: readonly MemoryReading[]): number => {
  const meanRecords = meanOf(readings.map(({ records }) => records));
  const meanBytes = meanOf(readings.map(({ residentBytes }) => residentBytes));
  const products = readings.map(({ records, residentBytes }) => (records - meanRecords) * (residentBytes - meanBytes));
  return meanOf(products) / meanOf(readings.map(({ records }) => (records - meanRecords) ** 2));
};
