import { expect, test } from 'vitest';
import { wait } from './wait.ts';

test('a wait ends at once when it is given up', async () => {
  const controller = new AbortController();
  const waiting = wait(3_600_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(wait(3_600_000, controller.signal)).rejects.toThrow('enough');
});

test('a wait comes to its end', async () => {
  await expect(wait(1)).resolves.toBeUndefined();
});
