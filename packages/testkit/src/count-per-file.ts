/** Counters that start again in every test file, although test files share a process and its modules. */
const counters: { value: number }[] = [];

/** @returns a function that gives 1, 2, 3 and so on, and 1 again in the next test file */
export function countPerFile(): () => number {
  const counter = { value: 0 };
  counters.push(counter);
  return () => ++counter.value;
}

/** Vitest calls it before each test file. */
export function restartCounters(): void {
  for (const counter of counters) counter.value = 0;
}
