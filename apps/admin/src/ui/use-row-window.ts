/** The rows of a long list that are drawn while it scrolls, and the focus that moves between them by key. */
import { useDebouncedCallback } from '@mantine/hooks';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  firstRow,
  type ListPlace,
  type ListSize,
  placeAfter,
  placeAt,
  placeOfRow,
  type RowWindow,
  windowAt,
} from './row-window.rules.ts';

/** The height of each row of such a list; data-table.module.css has the same. */
const ROW_HEIGHT = 52;
/** The height of the column heads, which stay on top. */
const HEAD_HEIGHT = 34;
/** After which scrolling rests. */
const REST_MS = 150;
/** Until the element has its height. */
const FIRST_VIEW_HEIGHT = 600;
/** The heads are row 1. */
const FIRST_ROW_INDEX = 2;

interface RowList {
  rows: number;
  /** The row on top at first, from 0. */
  first: number;
  /** Receives the row on top. */
  onRest: (first: number) => void;
}

/** What a table needs to draw a part of its rows. */
export interface DrawnRows {
  scroller: RefObject<HTMLDivElement | null>;
  total: number;
  window: RowWindow;
  /** The row with the focus, which stays while it is not visible; null: none. */
  kept: number | null;
  onScroll: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  onBlur: (event: FocusEvent<HTMLElement>) => void;
}

/** The attribute of a row, by which it is found again. */
export function rowIndex(row: number): number {
  return row + FIRST_ROW_INDEX;
}

function rowOf(target: EventTarget): number | null {
  const element = target instanceof Element ? target.closest('[aria-rowindex]') : null;
  return element === null ? null : Number(element.getAttribute('aria-rowindex')) - FIRST_ROW_INDEX;
}

function targetOf(key: string, row: number, { rows, rowHeight, viewHeight }: ListSize): number | null {
  const page = Math.max(1, Math.floor(viewHeight / rowHeight) - 1);
  const targets: Record<string, number> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: Math.min(rows - 1, row + page),
    PageUp: Math.max(0, row - page),
    Home: 0,
    End: rows - 1,
  };
  const target = targets[key];
  return target === undefined || target < 0 || target >= rows ? null : target;
}

function isSame(one: RowWindow, other: RowWindow): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.above === other.above &&
    one.below === other.below
  );
}

/** @returns the height of the visible part, which follows the window of the browser */
function useViewHeight(scroller: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(FIRST_VIEW_HEIGHT);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeight(Math.max(0, element.clientHeight - HEAD_HEIGHT)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return height;
}

/** Rows are found by their `aria-rowindex`; the link of a row has its focus. */
export function useRowWindow({ rows, first, onRest }: RowList): DrawnRows {
  const scroller = useRef<HTMLDivElement>(null);
  const size: ListSize = { rows, rowHeight: ROW_HEIGHT, viewHeight: useViewHeight(scroller) };
  const place = useRef<ListPlace>(placeAt(first * ROW_HEIGHT, size));
  const wanted = useRef<number | null>(null);
  const [kept, setKept] = useState<number | null>(null);
  const [drawn, setDrawn] = useState(() => windowAt(placeAt(first * ROW_HEIGHT, size), size));

  const draw = (next: ListPlace): void => {
    place.current = next;
    const shown = windowAt(next, size);
    setDrawn((before) => (isSame(before, shown) ? before : shown));
  };
  const scrollTo = (next: ListPlace): void => {
    draw(next);
    if (scroller.current) scroller.current.scrollTop = next.scrollTop;
  };
  const rest = useDebouncedCallback(() => {
    scrollTo(placeAt(place.current.position, size));
    onRest(firstRow(place.current, size));
  }, REST_MS);

  // The list got longer or shorter, or the window of the browser did.
  useLayoutEffect(() => scrollTo(placeAt(place.current.position, size)), [rows, size.viewHeight]);
  // The wanted row may be drawn, or loaded, later.
  useEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector(`[aria-rowindex="${rowIndex(wanted.current)}"]`);
    const link = row?.querySelector('a');
    if (!link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  });

  return {
    scroller,
    total: rows,
    window: drawn,
    kept,
    onScroll: () => {
      draw(placeAfter(place.current, scroller.current?.scrollTop ?? 0, size));
      rest();
    },
    onKeyDown: (event) => {
      const row = rowOf(event.target);
      if (row === null || !(event.target instanceof HTMLAnchorElement)) return;
      const target = targetOf(event.key, row, size);
      if (target === null) return;
      event.preventDefault();
      wanted.current = target;
      scrollTo(placeOfRow(place.current, target, size));
      rest();
      // Also where the same rows are drawn.
      setKept(target);
    },
    onFocus: ({ target }) => setKept(rowOf(target)),
    onBlur: ({ relatedTarget }) => {
      if (wanted.current === null && !scroller.current?.contains(relatedTarget)) setKept(null);
    },
  };
}
