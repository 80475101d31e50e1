import { expect, it } from 'vitest';
import { timeZones } from './time-zones.ts';

it('a field offers UTC, all zones of the browser once, and the chosen one under its own name', () => {
  expect(timeZones('UTC').slice(0, 1)).toEqual(['UTC']);
  expect(timeZones('Europe/Berlin').filter((zone) => zone === 'Europe/Berlin')).toHaveLength(1);
  expect(timeZones('US/Eastern').filter((zone) => zone === 'US/Eastern')).toHaveLength(1);
  expect(timeZones('US/Eastern')).toContain('UTC');
});
