/** The difference between two texts, line by line. */
import { diffLines } from 'diff';

/** One line of a difference; `skipped` stands for equal lines that are left out. */
export type DifferenceRow =
  | { kind: 'same' | 'added' | 'removed'; line: string }
  | { kind: 'skipped'; count: number };

/** Texts up to this length are shown beside each other where they have one line. */
const SHORT = 60;
/** Equal lines that are shown before and after a change. */
const CONTEXT = 2;
/** Texts that take longer are shown as replaced as a whole. Milliseconds. */
const LONGEST_MS = 300;

/** Whether values are better read line by line. */
export function isLong(...values: readonly string[]): boolean {
  return values.some((value) => value.length > SHORT || value.includes('\n'));
}

/** What becomes of `before` to make it `after`. */
export function textDifference(before: string, after: string): DifferenceRow[] {
  const parts = diffLines(`${before}\n`, `${after}\n`, { timeout: LONGEST_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }, place) => {
    const lines = value.replace(/\n$/, '').split('\n');
    if (added || removed) return lines.map((line) => ({ kind: added ? 'added' : 'removed', line }) as const);
    return shortened(lines, { isFirst: place === 0, isLast: place === parts.length - 1 });
  });
}

function shortened(
  lines: string[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): DifferenceRow[] {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const same = (line: string): DifferenceRow => ({ kind: 'same', line });
  const count = lines.length - head - tail;
  if (count <= 1) return lines.map(same);
  return [
    ...lines.slice(0, head).map(same),
    { kind: 'skipped', count },
    ...lines.slice(lines.length - tail).map(same),
  ];
}
