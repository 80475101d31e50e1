import { expect, it } from 'vitest';
import { SoundCache } from './sound-cache.ts';

const sound = (): Int16Array => new Int16Array(10); // 20 bytes

it('forgets what was not used for longest when the room is full', () => {
  const cache = new SoundCache(80);
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, sound());
  cache.get('a');
  cache.set('e', sound());
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd', 'e']);
});

it('counts a sound once that is stored again', () => {
  const cache = new SoundCache(80);
  for (const key of ['a', 'b', 'b', 'b', 'c', 'd']) cache.set(key, sound());
  expect(['a', 'b', 'c', 'd'].every((key) => cache.get(key))).toBe(true);
});

it('does not let one long sound drive out the others', () => {
  const cache = new SoundCache(80);
  cache.set('short', sound());
  cache.set('long', new Int16Array(11));
  expect(cache.get('short')).toBeDefined();
  expect(cache.get('long')).toBeUndefined();
});
