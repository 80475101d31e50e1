import { captureLog, useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { startLiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();

async function setup() {
  const { log, lines } = captureLog();
  const live = await startLiveApi({ db: database.db, core: { log } });
  return { live, lines };
}

test('each request is logged once with route and token id, without personal data', async () => {
  const { live, lines } = await setup();
  const answer = await live.ask('/api/user/calls?phone_number=%2B12025550142');
  await live.ask('/api/user/make_call', {
    method: 'POST',
    body: { phone_number: '+12025550142', assistant_id: 1 },
  });
  await live.ask('/recordings/1/secretsignature.wav', { token: null });
  await live.stop();
  const answered = lines.filter((line) => line.msg === 'Request answered');
  expect(answered).toMatchObject([
    { method: 'GET', route: '/api/user/calls', status: 200, requestId: answer.headers.get('x-request-id') },
    { method: 'POST', route: '/api/user/make_call', status: 200, tokenId: expect.any(Number) },
    { method: 'GET', route: '/recordings/:callId/:file', status: 404 },
  ]);
  const text = JSON.stringify(lines.map(({ pii: _pii, ...line }) => line));
  expect(text).not.toContain('2025550142');
  expect(text).not.toContain('secretsignature');
  expect(text).not.toContain(live.token);
});

test('a fault is logged under the id that the client was given, with its message kept apart', async () => {
  const { live, lines } = await setup();
  let isBroken = false;
  const query: typeof database.db.query = (...given) =>
    isBroken ? Promise.reject(new Error('+12025550142')) : database.db.query(...given);
  const broken = await startLiveApi({ db: { ...database.db, query }, core: { log: live.core.log } });
  isBroken = true;
  const answer = await broken.ask('/api/user/me');
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ message: 'Server Error' });
  const fault = lines.find((line) => line.msg === 'A request failed');
  expect(fault).toMatchObject({
    requestId: answer.headers.get('x-request-id'),
    pii: { message: '+12025550142' },
  });
  expect(JSON.stringify({ ...fault, pii: undefined })).not.toContain('+12025550142');
  await broken.stop();
  await live.stop();
});
