import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock, type Timer } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { openSocket, readAnswer } from '../../test/generated/raw-request.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { makeOutreach } from '../../test/outreach.ts';

/** A limit for the slowest machine; usually milliseconds suffice. */
const PATIENCE = { timeout: 20_000 };

/** Counts the timers that were ever set: one more for each awaited chunk of a file. */
class CountingClock extends ManualClock {
  timersSet = 0;

  override after(delayMs: number, callback: () => void): Timer {
    this.timersSet += 1;
    return super.after(delayMs, callback);
  }
}

const database = useTestDatabase();
const clock = new CountingClock(Date.now());
let live: LiveApi;
let campaignId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db, core: { clock } });
  campaignId = (await makeOutreach(live)).doomedCampaignId;
});

afterAll(() => live.stop());

test(
  'an upload continues while bytes arrive, and is refused after a minute without any',
  { timeout: 120_000 },
  async () => {
    const untilSet = (count: number) =>
      expect.poll(() => clock.timersSet, PATIENCE).toBeGreaterThanOrEqual(count);
    const before = clock.timersSet;
    const socket = openSocket(live.url);
    const answered = readAnswer(socket);
    const head = [
      `POST /api/user/campaigns/${campaignId}/leads/import HTTP/1.1`,
      `host: ${new URL(live.url).host}`,
      `authorization: Bearer ${live.token}`,
      'content-type: text/csv',
      'content-length: 100000',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // The first timer limits other bodies; the second waits for the first chunk of the file.
    await untilSet(before + 2);
    // The total time exceeds the limits of a stalled upload and of any other body.
    const lines = ['phone', '+12025550101', '+12025550102', '+12025550103'];
    for (const [place, line] of lines.entries()) {
      clock.advance(50_000);
      socket.write(`${line}\n`);
      await untilSet(before + 3 + place);
    }
    clock.advance(60_000);
    expect(await answered).toMatchObject({ status: 408, headers: { connection: 'close' } });
    const imports = await live.ask(`/api/user/campaigns/${campaignId}/imports`);
    expect(imports.body).toMatchObject([{ state: 'interrupted', rows_read: 0 }]);
  },
);

test('a user has ten uploads open at once, and those of others do not count', async () => {
  const other = await live.addUser('Other');
  const heads = [
    `POST /api/user/campaigns/${campaignId}/leads/import HTTP/1.1`,
    `host: ${new URL(live.url).host}`,
    `authorization: Bearer ${live.token}`,
    'content-type: text/csv',
    'content-length: 100000',
  ];
  const open = Array.from({ length: 20 }, () => {
    const socket = openSocket(live.url);
    socket.write(`${heads.join('\r\n')}\r\n\r\n`);
    return socket;
  });
  const upload = async (token: string): Promise<number> => {
    const path = `/api/user/campaigns/${campaignId}/leads/import`;
    const headers = { 'content-type': 'text/csv' };
    return (await live.ask(path, { method: 'POST', token, headers, body: 'phone\n+12025550101\n' })).status;
  };
  await expect.poll(() => upload(live.token), PATIENCE).toBe(429);
  expect(await upload(other.token)).toBe(404);
  for (const socket of open) socket.destroy();
  await expect.poll(() => upload(live.token), PATIENCE).toBe(200);
});
