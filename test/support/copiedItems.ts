// Counts the work of an encoder that appends to lists.

/** How many items `concat` copies from lists into longer ones: once more for each item in the encoder of ethers. */
export const countCopiedItems = (work: () => void): number => {
  const { concat: original } = Array.prototype;
  let copied = 0;
  Array.prototype.concat = function count(...lists: unknown[]): unknown[] {
    const joined = original.apply(this, lists) as unknown[];
    copied += joined.length;
    return joined;
  };
  try {
    work();
  } finally {
    Array.prototype.concat = original;
  }
  return copied;
};
