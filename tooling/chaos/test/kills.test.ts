/** Quick forms of R1 and R2; the full ones: `npm run chaos -- --full --only R1,R2`. */
import { expect, test } from 'vitest';
import { freezes, kills } from '../src/kills.ts';
import { PATIENCE, quickForm } from './quick-form.ts';

test.each([kills, freezes])('$id: $what', PATIENCE, async (check) => {
  expect(await quickForm(check)).toMatchObject({ faults: [], unseen: [] });
});
