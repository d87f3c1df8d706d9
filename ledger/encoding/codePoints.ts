// Order of texts by their Unicode code points, which is also the order of their UTF-8 bytes. JavaScript compares UTF-16
// code units.

// Surrogates, which code points above U+FFFF begin with, are below U+E000 to U+FFFF in UTF-16. The rank swaps these
// ranges.
const toRank = (unit: number): number => {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
};

/** Less than 0, 0 or more than 0 as `a` comes before, equals or comes after `b`. */
export const compareCodePoints = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [unitOfA, unitOfB] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unitOfA !== unitOfB) return toRank(unitOfA) - toRank(unitOfB);
  }
  return a.length - b.length;
};
