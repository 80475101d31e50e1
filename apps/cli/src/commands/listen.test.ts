import {
  createCoreContext,
  createEndpoint,
  createUser,
  diskStorage,
  revealWebhookSecret,
  type CoreContext,
} from '@parley/core';
import { silentLog, systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import { openTerminal } from '../../test/terminal.ts';

const SECRET_KEY = 'a key of at least thirty-two characters';
const database = useTestDatabase();
let core: CoreContext;
let userId: number;
let secret: string;

beforeAll(async () => {
  core = createCoreContext({
    db: database.db,
    log: silentLog,
    clock: systemClock,
    secretKey: SECRET_KEY,
    recordings: diskStorage('/nowhere'),
  });
  const user = await createUser(core, { name: 'Ada', email: 'ada@parley.example', role: 'operator' });
  userId = user.id;
  secret = await revealWebhookSecret(core, userId);
});

const payload = {
  event: 'call.incoming',
  call_id: 12,
  customer_phone: '+12025550142',
  assistant_phone: '+12025550101',
};

/** A listener on a free port, and a function that sends webhooks to it. */
async function setup(...options: string[]) {
  const terminal = openTerminal({ DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: '/nowhere' });
  const listening = await terminal.start(['listen', '--port', '0', ...options], (err) =>
    err.includes('Listening on'),
  );
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(listening.output().err)?.[0] ?? '';
  return {
    terminal,
    url,
    send: async (body: string, signedWith: string) => {
      const at = new Date(systemClock.now());
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(signedWith).sign('msg_1', at, body),
      };
      return (await fetch(url, { method: 'POST', body, headers })).status;
    },
    stop: async () => {
      terminal.interrupt();
      return listening.ended;
    },
  };
}

test('a genuine webhook is shown and answered 200', async () => {
  const { send, stop, terminal } = await setup();
  expect(await send(JSON.stringify(payload), secret)).toBe(200);
  const out = await terminal.untilOut((text) => text.includes('+12025550142'));
  expect(out).toContain('call.incoming  signature verified  msg_1');
  expect(out).not.toContain('does not match the API reference');
  expect((await stop()).exitCode).toBe(0);
});

test('an event to an endpoint that was created meanwhile is verified with the secret of the endpoint', async () => {
  const { send, stop, terminal } = await setup();
  const identity = { userId, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' } as const;
  const endpoint = await createEndpoint(core, identity, {
    url: 'https://receiver.example/events',
    description: '',
    events: ['trunk.paused'],
    assistant_ids: [],
    campaign_ids: [],
    is_enabled: true,
  });
  const sent = {
    event: 'webhook.test',
    assistant_id: null,
    endpoint_id: 1,
    sent_at: '2026-01-31T09:05:00.000000Z',
  };
  expect(await send(JSON.stringify(sent), endpoint.secret ?? '')).toBe(200);
  const out = await terminal.untilOut((text) => text.includes('msg_1\n'));
  expect(out).toContain('webhook.test  signature verified  msg_1');
  expect(out).not.toContain('call');
  await stop();
});

test('a webhook with an invalid signature is shown as such and refused', async () => {
  const { send, stop, terminal } = await setup('--json');
  expect(await send(JSON.stringify(payload), `whsec_${Buffer.alloc(24, 1).toString('base64')}`)).toBe(401);
  const out = await terminal.untilOut((text) => text.includes('\n'));
  expect(JSON.parse(out)).toMatchObject({ signature: 'wrong', event: 'call.incoming', isAsDocumented: true });
  await stop();
});

test('a given secret is used, and a body that is not an object is reported', async () => {
  const own = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
  const { send, stop, terminal } = await setup('--secret', own);
  expect(await send('[1]', own)).toBe(200);
  expect(await terminal.untilOut((text) => text.includes('JSON'))).toContain(
    'The body is not a JSON object.',
  );
  await stop();
});

test('a port that another program uses is reported', async () => {
  const { stop, url } = await setup();
  const other = openTerminal({ DATA_DIR: '/nowhere' });
  const { exitCode, err } = await other.run('listen', '--secret', secret, '--port', new URL(url).port);
  expect(exitCode).toBe(1);
  expect(err).toMatch(/^Another program uses port \d+\.\nChoose another one with --port\.\n$/);
  await stop();
});
