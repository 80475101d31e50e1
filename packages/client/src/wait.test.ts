import { expect, test } from 'vitest';
import { wait } from './wait.ts';

test('an aborted wait ends immediately', async () => {
  const controller = new AbortController();
  const waiting = wait(3_600_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(wait(3_600_000, controller.signal)).rejects.toThrow('enough');
});

test('a wait resolves after its time', async () => {
  await expect(wait(1)).resolves.toBeUndefined();
});
