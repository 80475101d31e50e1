/** Quick forms of R5, R14, R27 and R39; the full ones: `npm run chaos -- --full --only R5,R14,R27,R39`. */
import { expect, test } from 'vitest';
import { hookKills } from '../src/hook-kills.ts';
import { restarts } from '../src/restarts.ts';
import { sameKey } from '../src/same-key.ts';
import { stops } from '../src/stops.ts';
import { PATIENCE, quickForm } from './quick-form.ts';

test.each([stops, restarts, sameKey, hookKills])('$id: $what', PATIENCE, async (check) => {
  expect(await quickForm(check)).toMatchObject({ faults: [], unseen: [] });
});
