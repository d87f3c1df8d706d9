// Sizes of files as people read them.
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;
const STEP = 1_024;

/** A number of bytes in the largest unit of which there is at least one, with at most one decimal digit. */
export const toSize = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${(bytes / STEP ** power).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${UNITS[power]}`;
};
