// A list of any length: in a box that scrolls, of which only the rows near the visible part are in the document. A
// short list is whole, and needs no box.
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { BLOCK_ROWS, type RowHeights, type RowWindow, toRowOffset, toRowWindow } from '../text/windows.ts';

/** A list of no more rows is whole. */
const WHOLE_MAX = 100;
/** Of a row that isn't measured yet, in pixels. */
const ESTIMATE = 56;
/** Where a row that is jumped to comes to lie, as a part of the box. */
const GOAL_PART = 3;

/** What a row has besides its content, for readers of the screen. */
export interface RowPlace {
  readonly 'aria-posinset': number;
  readonly 'aria-setsize': number;
  readonly 'data-row': number;
}

interface WindowedListProps {
  /** Says what the list is. */
  readonly label: string;
  readonly class: string;
  readonly count: number;
  /** A list item with a key. */
  readonly renderRow: (row: number, place: RowPlace) => VNode;
  /** Called with the rows that are rendered, the last one excluded. */
  readonly onWindow?: (first: number, end: number) => void;
  /** The row to scroll to, whenever it changes; undefined: none. */
  readonly goal?: number | undefined;
  /** Whether the goal's row has its content: until then, it is scrolled to again as rows arrive. */
  readonly isGoalThere?: boolean;
}

const rowOf = (box: HTMLElement, row: number): HTMLElement | null => box.querySelector(`[data-row="${row}"]`);

// Whether a block has another height than before.
const measureBlocks = (box: HTMLElement, { first, end }: RowWindow, measured: Map<number, number>): void => {
  for (let row = first; row < end; row += BLOCK_ROWS) {
    const [top, bottom] = [rowOf(box, row), rowOf(box, Math.min(end, row + BLOCK_ROWS) - 1)];
    if (top === null || bottom === null) continue;
    measured.set(row / BLOCK_ROWS, bottom.offsetTop + bottom.offsetHeight - top.offsetTop);
  }
};

const isSame = (one: RowWindow, other: RowWindow): boolean => one.first === other.first && one.end === other.end;

// Follows the scrolling of a box.
const useRowWindow = (count: number) => {
  const box = useRef<HTMLDivElement>(null);
  const measured = useRef(new Map<number, number>());
  const estimate = useRef<number | undefined>(undefined);
  const [shown, setShown] = useState<RowWindow>();
  const heights = (): RowHeights => ({
    count,
    estimate: estimate.current ?? ESTIMATE,
    measured: measured.current,
  });
  const find = (): RowWindow => toRowWindow(heights(), box.current?.scrollTop ?? 0, box.current?.clientHeight ?? 800);
  const current = shown === undefined || shown.end > count ? find() : shown;
  const update = (): void => {
    const next = find();
    setShown((last) => (last !== undefined && isSame(last, next) ? last : next));
  };
  const measure = (): void => {
    if (box.current === null) return;
    measureBlocks(box.current, current, measured.current);
    const [height] = measured.current.values();
    estimate.current ??= height === undefined ? undefined : height / Math.min(BLOCK_ROWS, count);
  };
  const forget = (): void => {
    measured.current.clear();
    estimate.current = undefined;
  };
  return { box, current, heights, update, measure, forget };
};

const BoxedList = (props: WindowedListProps) => {
  const { count, renderRow, onWindow, goal, isGoalThere = true, label } = props;
  const { box, current, heights, update, measure, forget } = useRowWindow(count);
  const pending = useRef<number | undefined>(undefined);
  useEffect(() => onWindow?.(current.first, current.end), [onWindow, current.first, current.end, count]);
  useEffect(update, [count]);
  useLayoutEffect(() => {
    pending.current = goal;
    if (goal !== undefined && box.current !== null)
      box.current.scrollTop = toRowOffset(heights(), goal) - box.current.clientHeight / GOAL_PART;
  }, [goal]);
  useLayoutEffect(() => {
    measure();
    const element = box.current === null || pending.current === undefined ? null : rowOf(box.current, pending.current);
    if (element === null) return;
    box.current!.scrollTop = element.offsetTop - box.current!.clientHeight / GOAL_PART;
    if (isGoalThere) pending.current = undefined;
  });
  useEffect(() => {
    let width = box.current!.clientWidth;
    const observer = new ResizeObserver(() => {
      if (box.current === null) return;
      if (box.current.clientWidth !== width) forget();
      width = box.current.clientWidth;
      update();
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const letGo = (): void => {
    pending.current = undefined;
  };
  const rows = Array.from({ length: current.end - current.first }, (_, at) => current.first + at);
  return (
    <section
      class="box"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard.
      tabIndex={0}
      ref={box}
      onScroll={update}
      onWheel={letGo}
      onTouchMove={letGo}
      onKeyDown={letGo}
    >
      <ol class={props.class}>
        <li class="gap" aria-hidden="true" style={{ height: `${current.above}px` }} />
        {rows.map((row) => renderRow(row, { 'aria-posinset': row + 1, 'aria-setsize': count, 'data-row': row }))}
        <li class="gap" aria-hidden="true" style={{ height: `${current.below}px` }} />
      </ol>
    </section>
  );
};

const WholeList = ({ count, renderRow, ...props }: WindowedListProps) => (
  <ol class={props.class} aria-label={props.label}>
    {Array.from({ length: count }, (_, row) =>
      renderRow(row, { 'aria-posinset': row + 1, 'aria-setsize': count, 'data-row': row }),
    )}
  </ol>
);

/** The list. */
export const WindowedList = (props: WindowedListProps) =>
  props.count <= WHOLE_MAX ? <WholeList {...props} /> : <BoxedList {...props} />;
