/**
 * Which rows of a long list are drawn, and where. Rows have one height. A list of a million rows is higher than browsers can
 * scroll, so the scrolled content has a greatest height: a wheel or a key then moves the list by its own distance, and the
 * scroll bar moves it in proportion.
 */

/** Above this height, browsers stop or lose precision. */
export const MOST_PIXELS = 8_000_000;
/** At both ends, the list and the scrolled content move alike. */
const EXACT_PIXELS = 100_000;
/** Rows that are drawn above and below what is visible. */
const OVERSCAN = 8;
/** In views: a longer way is one of the scroll bar. */
const LONGEST_STEP = 2;

/** A list, in pixels and rows. */
export interface ListSize {
  rows: number;
  rowHeight: number;
  /** The height of the visible part. */
  viewHeight: number;
}

/** Where a list is scrolled to. */
export interface ListPlace {
  /** The scroll position of the element that scrolls. */
  scrollTop: number;
  /** Pixels of the list above the visible part. */
  position: number;
}

/** The rows that are drawn, and the empty space in place of the others. */
export interface RowWindow {
  /** From 0. */
  start: number;
  /** Behind the last one. */
  end: number;
  /** Pixels. */
  above: number;
  below: number;
}

function fullHeight({ rows, rowHeight }: ListSize): number {
  return rows * rowHeight;
}

function scrolledHeight(size: ListSize): number {
  return Math.min(fullHeight(size), MOST_PIXELS);
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

/** How far the middle of the list moves with each pixel of the scroll bar. */
function scaleOf(size: ListSize): number {
  return (fullHeight(size) - 2 * EXACT_PIXELS) / (scrolledHeight(size) - 2 * EXACT_PIXELS);
}

function positionAt(scrollTop: number, size: ListSize): number {
  const hidden = fullHeight(size) - scrolledHeight(size);
  if (hidden === 0 || scrollTop <= EXACT_PIXELS) return scrollTop;
  if (scrollTop >= scrolledHeight(size) - EXACT_PIXELS) return hidden + scrollTop;
  return EXACT_PIXELS + (scrollTop - EXACT_PIXELS) * scaleOf(size);
}

/** Where the content is scrolled to when the list is at a position. */
export function placeAt(position: number, size: ListSize): ListPlace {
  const full = fullHeight(size);
  const hidden = full - scrolledHeight(size);
  const within = clamp(position, full - size.viewHeight);
  if (hidden === 0 || within <= EXACT_PIXELS) return { scrollTop: within, position: within };
  if (within >= full - EXACT_PIXELS) return { scrollTop: within - hidden, position: within };
  return { scrollTop: EXACT_PIXELS + (within - EXACT_PIXELS) / scaleOf(size), position: within };
}

/** The place after the content was scrolled. */
export function placeAfter(before: ListPlace, scrollTop: number, size: ListSize): ListPlace {
  const step = scrollTop - before.scrollTop;
  const isBar = Math.abs(step) > LONGEST_STEP * size.viewHeight;
  const isExact = fullHeight(size) === scrolledHeight(size);
  if (isBar || isExact) return { scrollTop, position: positionAt(scrollTop, size) };
  return { scrollTop, position: clamp(before.position + step, fullHeight(size) - size.viewHeight) };
}

/** The place at which a row is visible, as near as possible. */
export function placeOfRow(before: ListPlace, row: number, size: ListSize): ListPlace {
  const top = row * size.rowHeight;
  const lowest = top + size.rowHeight - size.viewHeight;
  return placeAt(Math.min(top, Math.max(lowest, before.position)), size);
}

/** The row at the upper edge of the visible part. */
export function firstRow({ position }: ListPlace, { rowHeight }: ListSize): number {
  return Math.round(position / rowHeight);
}

/** What is drawn at a place. */
export function windowAt({ scrollTop, position }: ListPlace, size: ListSize): RowWindow {
  const { rows, rowHeight, viewHeight } = size;
  const start = clamp(Math.floor(position / rowHeight) - OVERSCAN, rows);
  const end = clamp(Math.ceil((position + viewHeight) / rowHeight) + OVERSCAN, rows);
  const above = Math.max(0, scrollTop - (position - start * rowHeight));
  const below = Math.max(0, scrolledHeight(size) - above - (end - start) * rowHeight);
  return { start, end, above, below };
}
