// Maps the items of a stream concurrently, and keeps their order.

type Arrival<T> = PromiseSettledResult<IteratorResult<T>>;

const isFirstToSettle = (one: Promise<unknown>, other: Promise<unknown> | undefined): Promise<boolean> | true =>
  other === undefined || Promise.race([one.then(() => true), other.then(() => false)]);

/**
 * Yields the results of `map`, which must not reject, in the order of the items. Passes no further item to it while
 * `runningMax` results are unfinished or wait to be yielded. When `items` rejects, the results of the items before are
 * yielded first.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  runningMax: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const iterator = items[Symbol.asyncIterator]();
  const running: Promise<R>[] = [];
  const request = (): Promise<[Arrival<T>]> => Promise.allSettled([iterator.next()]);
  let next: Promise<[Arrival<T>]> | undefined = request();
  let failure: PromiseRejectedResult | undefined;
  try {
    while (next !== undefined || running.length > 0) {
      if (next !== undefined && running.length < runningMax && (await isFirstToSettle(next, running[0]))) {
        const arrival: Arrival<T> = (await next)[0];
        const isItem: boolean = arrival.status === 'fulfilled' && !arrival.value.done;
        if (arrival.status === 'rejected') failure = arrival;
        if (arrival.status === 'fulfilled' && isItem) running.push(map(arrival.value.value));
        next = isItem ? request() : undefined;
      } else yield await running.shift()!;
    }
    if (failure !== undefined) throw failure.reason;
  } finally {
    void iterator.return?.();
  }
}
