import { describe, expect, it } from 'vitest';
import { firstRow, MOST_PIXELS, placeAfter, placeAt, placeOfRow, windowAt } from './row-window.rules.ts';

const SHORT = { rows: 10_000, rowHeight: 50, viewHeight: 500 };
const LONG = { rows: 1_000_000, rowHeight: 50, viewHeight: 500 };
const TOP = { scrollTop: 0, position: 0 };

describe('a list that browsers can scroll', () => {
  it('draws what is visible and some rows around it', () => {
    expect(windowAt(TOP, SHORT)).toEqual({ start: 0, end: 18, above: 0, below: 499_100 });
    const place = placeAfter(TOP, 100_025, SHORT);
    expect(windowAt(place, SHORT)).toEqual({ start: 1992, end: 2019, above: 99_600, below: 399_050 });
  });

  it('ends with its last row', () => {
    const place = placeAt(Infinity, SHORT);
    expect(place).toEqual({ scrollTop: 499_500, position: 499_500 });
    expect(windowAt(place, SHORT)).toMatchObject({ start: 9982, end: 10_000, below: 0 });
  });

  it('draws no row of an empty list', () => {
    expect(windowAt(TOP, { ...SHORT, rows: 0 })).toEqual({ start: 0, end: 0, above: 0, below: 0 });
  });
});

describe('a list that is too high', () => {
  it('moves with the wheel by its own distance, and with the scroll bar in proportion', () => {
    const middle = placeAfter(TOP, MOST_PIXELS / 2, LONG);
    expect(middle.position / (LONG.rows * LONG.rowHeight)).toBeCloseTo(0.5);
    const next = placeAfter(middle, middle.scrollTop + 100, LONG);
    expect(next.position - middle.position).toBe(100);
  });

  it('keeps the drawn rows where they are on screen when the scroll bar is set to the position', () => {
    let place = placeAfter(TOP, 3_000_000, LONG);
    for (let step = 0; step < 50; step += 1) place = placeAfter(place, place.scrollTop + 300, LONG);
    const settled = placeAt(place.position, LONG);
    expect(settled.scrollTop).toBeLessThan(place.scrollTop);
    const onScreen = (at: typeof place) => windowAt(at, LONG).above - at.scrollTop;
    expect(onScreen(settled)).toBeCloseTo(onScreen(place));
  });

  it.each([0, 50, 99_999, 100_001, 3_000_000, 25_000_000, 49_899_000, 49_950_000, 49_999_500])(
    'finds the position %d again from the scroll bar',
    (position) => {
      const { scrollTop } = placeAt(position, LONG);
      expect(scrollTop).toBeLessThanOrEqual(MOST_PIXELS - LONG.viewHeight);
      expect(placeAfter({ scrollTop: scrollTop + 5_000, position: 0 }, scrollTop, LONG).position).toBeCloseTo(
        position,
        3,
      );
    },
  );

  it('reaches the first and the last row by the wheel', () => {
    let place = placeAt(60_000, LONG);
    while (place.scrollTop > 0) place = placeAfter(place, Math.max(0, place.scrollTop - 300), LONG);
    expect(place.position).toBe(0);
    place = placeAt(LONG.rows * LONG.rowHeight - 60_000, LONG);
    const end = MOST_PIXELS - LONG.viewHeight;
    while (place.scrollTop < end) place = placeAfter(place, Math.min(end, place.scrollTop + 300), LONG);
    expect(windowAt(place, LONG)).toMatchObject({ end: LONG.rows, below: 0 });
  });
});

it('moves only as far as a row needs to be visible', () => {
  const place = placeAt(1_000, SHORT);
  expect(placeOfRow(place, 25, SHORT)).toEqual(place);
  expect(placeOfRow(place, 19, SHORT).position).toBe(950);
  expect(placeOfRow(place, 30, SHORT).position).toBe(1_050);
  expect(firstRow(placeOfRow(place, 9_000, SHORT), SHORT)).toBe(8_991);
});
