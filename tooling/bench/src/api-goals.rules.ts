/** The limits of the goals P16, P17 and P18 (docs/goals.md), and the goals that a run misses. */
import type { ApiFigures } from './api-figures.ts';

const MAX_HOT_RATIO = 1.3;
const MAX_ADMINISTRATIVE_RATIO = 3;
const MAX_POSTGRES_RATIO = 2.5;
/** The p99 of hot endpoints relative to that of the floor. */
const MAX_P99_RATIO = 1.5;
const MAX_LIST_P99_MS = 30;
const MAX_FIRST_PAGE_MS = 5;
const MAX_DEEP_PAGE_MS = 60;
const MAX_TOTAL_MS = 1;
/** Up to this many leads the time is limited; above, only memory and stalls are. */
const TIMED_LEADS = 10_000;
const MAX_STREAM_MS = 250;
const MAX_STREAM_MEGABYTES = 60;
const MAX_STALL_MS = 20;

/** @returns a sentence for each goal that was missed */
export function missedApiGoals(figures: ApiFigures): string[] {
  return [
    ...missedHot(figures),
    ...missedLists(figures),
    ...missedDepths(figures),
    ...missedStreams(figures),
  ];
}

const above = (what: string, value: number, limit: number): string[] =>
  value <= limit ? [] : [`${what}: ${value.toFixed(2)}, allowed ${limit}`];

function missedHot({ hot = [] }: ApiFigures): string[] {
  return hot.flatMap(({ name, isHot, ratio, postgresRatio, api, floor }) => [
    ...above(`P16 ${name}, Node`, ratio.value, isHot ? MAX_HOT_RATIO : MAX_ADMINISTRATIVE_RATIO),
    ...above(`P16 ${name}, Postgres`, postgresRatio, MAX_POSTGRES_RATIO),
    ...(isHot ? above(`P16 ${name}, p99`, api.p99Ms / floor.p99Ms, MAX_P99_RATIO) : []),
  ]);
}

function missedLists({ lists = [] }: ApiFigures): string[] {
  return lists.flatMap(({ name, p99Ms }) => above(`P17 ${name}, p99 ms`, p99Ms, MAX_LIST_P99_MS));
}

function missedDepths({ depths = [] }: ApiFigures): string[] {
  return depths.flatMap(({ calls, firstPageMs, deepPageMs, totalMs }) => [
    ...above(`P17 first page among ${calls}, ms`, firstPageMs, MAX_FIRST_PAGE_MS),
    ...above(`P17 deep page among ${calls}, ms`, deepPageMs, MAX_DEEP_PAGE_MS),
    ...above(`P17 total among ${calls}, ms`, totalMs, MAX_TOTAL_MS),
  ]);
}

function missedStreams({ streams = [] }: ApiFigures): string[] {
  return streams.flatMap(({ leads, durationMs, grownMegabytes, longestStallMs }) => [
    ...(leads <= TIMED_LEADS ? above(`P18 ${leads} leads, ms`, durationMs, MAX_STREAM_MS) : []),
    ...above(`P18 ${leads} leads, MB more`, grownMegabytes, MAX_STREAM_MEGABYTES),
    ...above(`P18 ${leads} leads, longest stall ms`, longestStallMs, MAX_STALL_MS),
  ]);
}
