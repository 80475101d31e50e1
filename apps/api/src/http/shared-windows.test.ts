import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { captureLog, createTestContext, useTestDatabase } from '@parley/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SharedWindows } from './shared-windows.ts';

const LIMIT = 10;
const SECOND = 1000;

const readWindows = statement<{ key: Buffer; startedAt: Date; used: number }>(
  '',
  'select key, started_at, used from rate_limit_windows order by used desc, key',
);

const database = useTestDatabase();
const open: SharedWindows[] = [];

beforeEach(async () => {
  await database.db.query(statement('', 'truncate rate_limit_windows'));
});
afterEach(async () => {
  for (const windows of open.splice(0)) await windows.stop();
});

/** As many processes as clocks, on one database. */
function setup(...clocks: ManualClock[]) {
  const { log, lines } = captureLog();
  const processes = clocks.map((clock) => new SharedWindows(createTestContext(database.db, { clock, log })));
  open.push(...processes);
  return {
    processes,
    lines,
    /** Moves each clock and waits for the exchanges that it starts. Processes with clocks of their own do so in their order. */
    pass: async (ms: number) => {
      for (const clock of new Set(clocks)) {
        clock.advance(ms);
        for (const windows of processes) await windows.settled();
      }
    },
  };
}

/** @returns how many of `attempts` requests were allowed */
function ask(windows: SharedWindows | undefined, attempts: number, key = 'token 1'): number {
  let allowed = 0;
  for (let count = 0; count < attempts; count++)
    if (windows?.count(key, LIMIT).isAllowed === true) allowed += 1;
  return allowed;
}

test('two processes together grant the limit, and what they counted before the first exchange', async () => {
  const { processes, pass } = setup(new ManualClock(), new ManualClock());
  const [one, two] = processes;
  expect(ask(one, 4) + ask(two, 3)).toBe(7);
  await pass(SECOND);
  // The second process has the sum of both; the first learns of it with its next requests.
  expect(ask(one, 1) + ask(two, 1)).toBe(2);
  await pass(SECOND);
  await pass(SECOND);
  expect(ask(two, 5)).toBe(1);
  await pass(SECOND);
  expect(one?.count('token 1', LIMIT).isAllowed).toBe(true);
  await pass(SECOND);
  expect(ask(one, 5)).toBe(0);
});

test('of a steady stream to two processes in turn, at most the limit and one interval of it are granted', async () => {
  const clock = new ManualClock();
  const { processes, pass } = setup(clock, clock);
  let granted = 0;
  for (let second = 0; second < 30; second++) {
    granted += ask(processes[0], 1) + ask(processes[1], 1);
    await pass(SECOND);
  }
  expect(granted).toBeGreaterThanOrEqual(LIMIT);
  expect(granted).toBeLessThanOrEqual(LIMIT + 2);
});

test('all processes end a window at the same time, and count the next one together', async () => {
  const clock = new ManualClock();
  const { processes, pass } = setup(clock, clock);
  const [one, two] = processes;
  ask(one, LIMIT);
  await pass(SECOND);
  clock.advance(29 * SECOND);
  expect(ask(two, 1)).toBe(1);
  await pass(SECOND);
  expect(two?.count('token 1', LIMIT)).toMatchObject({ isAllowed: false, secondsLeft: 29 });
  await pass(29 * SECOND);
  expect(ask(two, LIMIT + 1)).toBe(LIMIT);
  await pass(SECOND);
  expect(await database.db.query(readWindows)).toMatchObject([{ used: LIMIT + 1 }]);
  expect(ask(one, 1)).toBe(1);
  await pass(SECOND);
  expect(ask(one, 1)).toBe(0);
});

test('a process whose clock is behind counts in the same window', async () => {
  const ahead = new ManualClock();
  const behind = new ManualClock(ahead.now() - 5 * SECOND);
  const { processes, pass } = setup(ahead, behind);
  ask(processes[0], 6);
  await pass(SECOND);
  ask(processes[1], 4);
  await pass(SECOND);
  expect(ask(processes[1], 3)).toBe(0);
  await pass(SECOND);
  expect(await database.db.query(readWindows)).toMatchObject([{ used: 13 }]);
});

test('a request costs no statement, and keys are stored as hashes', async () => {
  const clock = new ManualClock();
  const { processes, pass } = setup(clock);
  ask(processes[0], 5, 'failures of 192.0.2.1');
  expect(clock.pendingTimers()).toBe(1);
  expect(await database.db.query(readWindows)).toEqual([]);
  await pass(SECOND);
  expect(clock.pendingTimers()).toBe(0);
  const [row] = await database.db.query(readWindows);
  expect(row?.used).toBe(5);
  expect(row?.key).toHaveLength(32);
});

test('an exchange has at most 500 keys, those with the most requests first, and the next one the others', async () => {
  const { processes, pass } = setup(new ManualClock());
  for (let number = 0; number < 700; number++) ask(processes[0], number < 100 ? 1 : 2, `token ${number}`);
  ask(processes[0], 9, 'busy');
  await pass(SECOND);
  const first = await database.db.query(readWindows);
  expect(first).toHaveLength(500);
  expect(first[0]?.used).toBe(9);
  expect(first.at(-1)?.used).toBe(2);
  await pass(SECOND);
  expect(await database.db.query(readWindows)).toHaveLength(701);
});

test('windows that ended are deleted by a later exchange', async () => {
  const clock = new ManualClock();
  const { processes, pass } = setup(clock);
  ask(processes[0], 1, 'old');
  await pass(SECOND);
  clock.advance(180 * SECOND);
  ask(processes[0], 1, 'new');
  await pass(SECOND);
  expect(await database.db.query(readWindows)).toHaveLength(1);
});

test('while Postgres refuses the exchange, each process counts alone and warns once; then nothing is lost', async () => {
  const { processes, lines, pass } = setup(new ManualClock());
  const [one] = processes;
  await database.db.query(statement('', 'alter table rate_limit_windows rename to rate_limit_windows_away'));
  expect(ask(one, 4)).toBe(4);
  await pass(SECOND);
  expect(ask(one, 8)).toBe(6);
  await pass(SECOND);
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'Rate limits count in this process only until Postgres answers'],
  ]);
  await database.db.query(statement('', 'alter table rate_limit_windows_away rename to rate_limit_windows'));
  await pass(SECOND);
  expect(await database.db.query(readWindows)).toMatchObject([{ used: 12 }]);
  expect(lines).toHaveLength(1);
});

test('a stopped process leaves no timer', async () => {
  const clock = new ManualClock();
  const { processes } = setup(clock);
  ask(processes[0], 1);
  await processes[0]?.stop();
  await processes[0]?.stop();
  ask(processes[0], 1);
  expect(clock.pendingTimers()).toBe(0);
});
