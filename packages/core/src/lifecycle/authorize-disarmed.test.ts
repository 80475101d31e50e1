import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { beforeEach, expect, it } from 'vitest';
import { arrangeBridge } from '../../test/arrange-bridge.ts';
import { makeIntendedCall } from '../../test/arrange.ts';
import { authorizeDial } from './authorize-dial.ts';
import { authorizeTransfer } from './authorize-transfer.ts';

/** docs/decisions/backups.md */
const database = useTestDatabase();
const disarm = statement(
  '',
  'insert into restored_copy (id, taken_at, restored_at) values (1, now(), now())',
);
const arm = statement('', 'delete from restored_copy');
const refused = { isAllowed: false, reason: 'disarmed' };

beforeEach(() => database.db.query(arm));

it('a disarmed installation dials no call that was placed before', async () => {
  const about = await arrangeBridge(database.db);
  const callId = await makeIntendedCall(about);
  await database.db.query(disarm);
  expect(await authorizeDial(about.ctx, { callId, fence: about.fence })).toEqual(refused);
});

it('a disarmed installation transfers and bridges no call', async () => {
  const { ctx, ask, callId, fence, legs, listed: phoneNumber } = await arrangeBridge(database.db);
  await database.db.query(disarm);
  expect(await authorizeTransfer(ctx, { callId, phoneNumber, fence })).toEqual(refused);
  expect(await ask()).toEqual(refused);
  expect(await legs()).toEqual([]);
});
