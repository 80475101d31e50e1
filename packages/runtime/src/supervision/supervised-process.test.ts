import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../clock.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SupervisedProcess } from './supervised-process.ts';

const TEST_FOLDER = join(import.meta.dirname, '..', '..', 'test');
const PATIENCE = { timeout: 20_000, interval: 20 };
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function setup(behaviour: string, stopLimitMs = 20_000) {
  const events = {
    onLine: vi.fn<(name: string, line: string) => void>(),
    onStarted: vi.fn<(name: string, pid: number) => void>(),
    onEnded: vi.fn<(name: string, how: string, pauseMs: number) => void>(),
    onInvalidSettings: vi.fn<(name: string) => void>(),
    onMessage: vi.fn<(name: string, message: unknown) => void>(),
  };
  const supervised = new SupervisedProcess(
    {
      name: 'restless',
      script: join(TEST_FOLDER, 'restless-process.ts'),
      environment: { ...process.env, BEHAVIOUR: behaviour },
      stopLimitMs,
    },
    events,
    systemClock,
  );
  undo.push(() => supervised.kill());
  supervised.start();
  const said = (line: string, times = 1): Promise<void> =>
    vi.waitFor(
      () => expect(events.onLine.mock.calls.filter((call) => call[1] === line)).toHaveLength(times),
      PATIENCE,
    );
  return { supervised, events, said };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a supervised process', () => {
  test('has both of its outputs read', async () => {
    const { said } = setup('stay');
    await said('started');
    await said('a complaint');
  });

  test('can send messages over its channel', async () => {
    const { events } = setup('talk');
    await vi.waitFor(() => expect(events.onMessage).toHaveBeenCalledWith('restless', 'hello'), PATIENCE);
  });

  test('is restarted after it was killed', async () => {
    const { supervised, events, said } = setup('stay');
    await said('started');
    const firstPid = supervised.pid ?? 0;
    process.kill(firstPid, 'SIGKILL');
    await said('started', 2);
    expect(events.onEnded).toHaveBeenCalledWith('restless', 'SIGKILL', 250);
    expect(supervised.pid).not.toBe(firstPid);
  });

  test('that keeps failing is restarted with growing pauses', async () => {
    const { events } = setup('end');
    await vi.waitFor(() => expect(events.onEnded.mock.calls.length).toBeGreaterThanOrEqual(3), PATIENCE);
    expect(events.onEnded.mock.calls.slice(0, 3)).toEqual([
      ['restless', 'exit code 3', 250],
      ['restless', 'exit code 3', 500],
      ['restless', 'exit code 3', 1_000],
    ]);
  });

  test('with invalid settings is not restarted', async () => {
    const { events } = setup('bad-settings');
    await vi.waitFor(() => expect(events.onInvalidSettings).toHaveBeenCalledWith('restless'), PATIENCE);
    expect(events.onStarted).toHaveBeenCalledTimes(1);
    expect(events.onEnded).not.toHaveBeenCalled();
  });

  test('ends on request and is not restarted', async () => {
    const { supervised, events, said } = setup('stay');
    await said('started');
    const pid = supervised.pid ?? 0;
    await supervised.stop();
    await supervised.stop();
    expect(isAlive(pid)).toBe(false);
    expect(events.onEnded).not.toHaveBeenCalled();
  });

  test('that ignores SIGTERM is killed after its limit', async () => {
    const { supervised, said } = setup('stubborn', 300);
    await said('started');
    const pid = supervised.pid ?? 0;
    await supervised.stop();
    expect(isAlive(pid)).toBe(false);
  });

  test('a second signal ends a stop that waits', async () => {
    const lines: string[] = [];
    const script = join(TEST_FOLDER, 'draining-process.ts');
    const supervised = new SupervisedProcess(
      { name: 'draining', script, environment: process.env, stopLimitMs: 3_600_000 },
      {
        onLine: (_name, line) => lines.push(line),
        onStarted: () => undefined,
        onEnded: () => undefined,
        onInvalidSettings: () => undefined,
      },
      systemClock,
    );
    undo.push(() => supervised.kill());
    supervised.start();
    await vi.waitFor(() => expect(lines).toContain('started'), PATIENCE);
    const stopped = supervised.stop();
    await vi.waitFor(() => expect(lines).toContain('draining'), PATIENCE);
    supervised.hurry();
    await stopped;
    expect(lines).toContain('hurried');
  });

  test.each([
    ['while it runs', 'restless-process.ts'],
    ['while it stops, however long its stop would take', 'draining-process.ts'],
  ])('does not outlive a supervisor that is killed %s', async (_, script) => {
    const lines: string[] = [];
    const supervisor = spawn(process.execPath, [join(TEST_FOLDER, 'supervising-process.ts'), script], {
      env: { ...process.env, BEHAVIOUR: 'stay' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    undo.push(() => supervisor.kill('SIGKILL'));
    createInterface({ input: supervisor.stdout }).on('line', (line) => lines.push(line));
    await vi.waitFor(() => expect(lines).toContainEqual(expect.stringMatching(/^\d+$/)), PATIENCE);
    const pid = Number(lines.find((line) => /^\d+$/.test(line)));
    undo.push(() => isAlive(pid) && process.kill(pid, 'SIGKILL'));
    if (script === 'draining-process.ts') {
      process.kill(pid, 'SIGTERM');
      await vi.waitFor(() => expect(lines).toContain('draining'), PATIENCE);
    }
    expect(isAlive(pid)).toBe(true);
    supervisor.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);
  });
});
