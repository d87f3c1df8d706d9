/** A binary heap: the least element first. `before` orders two elements. */
export const createMinHeap = <T>(before: (a: T, b: T) => boolean) => {
  const items: T[] = [];
  const swap = (a: number, b: number): void => {
    [items[a], items[b]] = [items[b]!, items[a]!];
  };
  const isBefore = (a: number, b: number): boolean => before(items[a]!, items[b]!);
  const rise = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= items.length) return;
      const least = left + 1 < items.length && isBefore(left + 1, left) ? left + 1 : left;
      if (!isBefore(least, at)) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    peek: (): T | undefined => items[0],
    push: (item: T): void => {
      items.push(item);
      rise(items.length - 1);
    },
    pop: (): T | undefined => {
      const [first] = items;
      const last = items.pop();
      if (items.length > 0) {
        items[0] = last!;
        sink();
      }
      return first;
    },
    clear: (): void => {
      items.length = 0;
    },
  };
};
