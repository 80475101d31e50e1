import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { assistantRequests, type AssistantRequests } from '../../test/assistant-requests.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

/** The four operations that enable and disable webhooks, and the effect of updates on them (docs/api.md, "Assistants"). */
const database = useTestDatabase();
let live: LiveApi;
let ask: AssistantRequests;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  ask = assistantRequests(live);
});

afterAll(() => live.stop());

const HOOK = 'https://owner.example/hook';
const NOT_FOUND = { message: 'Assistant not found' };
const MISSING_ID = {
  message: 'The given data was invalid.',
  errors: { assistant_id: ['The assistant id field is required.'] },
};

const SWITCHES = ['disable-webhook', 'disable-inbound-webhook', 'enable-webhook', 'enable-inbound-webhook'];

describe('webhooks', () => {
  test('disable-webhook disables it and removes the address', async () => {
    const id = await ask.make({ is_webhook_active: true, webhook_url: HOOK, inbound_webhook_url: HOOK });
    const { status, body } = await ask.post('assistants/disable-webhook', { assistant_id: id });
    expect(status).toBe(200);
    expect(body).toEqual({ message: 'Webhook disabled successfully', data: [] });
    expect((await ask.read(id)).body).toMatchObject({
      is_webhook_active: false,
      webhook_url: null,
      inbound_webhook_url: HOOK,
    });
  });

  test('disable-inbound-webhook removes the inbound address', async () => {
    const id = await ask.make({ is_webhook_active: true, webhook_url: HOOK, inbound_webhook_url: HOOK });
    const { status, body } = await ask.post('assistants/disable-inbound-webhook', {
      assistant_id: String(id),
    });
    expect(status).toBe(200);
    expect(body).toEqual({ message: 'Inbound webhook disabled successfully', data: [] });
    expect((await ask.read(id)).body).toMatchObject({
      is_webhook_active: true,
      webhook_url: HOOK,
      inbound_webhook_url: null,
    });
  });

  test('enable-webhook sets the address and enables it', async () => {
    const id = await ask.make();
    const sent = { assistant_id: String(id), webhook_url: HOOK };
    const { status, body } = await ask.post('assistants/enable-webhook', sent);
    expect(status).toBe(200);
    expect(body).toEqual({ message: 'Webhook enabled successfully', data: [] });
    expect((await ask.read(id)).body).toMatchObject({
      is_webhook_active: true,
      webhook_url: HOOK,
      inbound_webhook_url: null,
    });
  });

  test('enable-inbound-webhook sets the inbound address', async () => {
    const id = await ask.make();
    const sent = { assistant_id: id, webhook_url: HOOK };
    const { status, body } = await ask.post('assistants/enable-inbound-webhook', sent);
    expect(status).toBe(200);
    expect(body).toEqual({ message: 'Webhook enabled successfully', data: [] });
    expect((await ask.read(id)).body).toMatchObject({
      is_webhook_active: false,
      webhook_url: null,
      inbound_webhook_url: HOOK,
    });
  });

  test.each([
    ['is_webhook_active false', { is_webhook_active: false }, false, HOOK],
    ['webhook_url null', { webhook_url: null }, false, null],
    ['a new webhook_url', { webhook_url: `${HOOK}/2` }, true, `${HOOK}/2`],
    ['is_webhook_active true with the stored address', { is_webhook_active: true }, true, HOOK],
  ])('updating with %s', async (_what, body, isActive, url) => {
    const id = await ask.make({ is_webhook_active: true, webhook_url: HOOK });
    expect((await ask.put(id, body)).status).toBe(200);
    expect((await ask.read(id)).body).toMatchObject({ is_webhook_active: isActive, webhook_url: url });
  });

  test('disabling a disabled webhook succeeds', async () => {
    const id = await ask.make();
    for (const kind of ['webhook', 'inbound-webhook']) {
      expect((await ask.post(`assistants/disable-${kind}`, { assistant_id: id })).status).toBe(200);
    }
  });
});

describe('the table of errors', () => {
  test.each(SWITCHES)('%s: an unknown assistant is 404, a missing id 422', async (operation) => {
    const none = await ask.post(`assistants/${operation}`, { assistant_id: 999_999, webhook_url: HOOK });
    expect([none.status, none.body]).toEqual([404, NOT_FOUND]);
    const missing = await ask.post(`assistants/${operation}`, { webhook_url: HOOK });
    expect([missing.status, missing.body]).toEqual([422, MISSING_ID]);
    const word = await ask.post(`assistants/${operation}`, { assistant_id: 'last', webhook_url: HOOK });
    expect(word.body).toMatchObject({ errors: { assistant_id: ['The assistant id must be an integer.'] } });
  });

  test.each(['enable-webhook', 'enable-inbound-webhook'])('%s needs an address', async (operation) => {
    const id = await ask.make();
    for (const webhook_url of [undefined, null, '', ' ']) {
      const missing = await ask.post(`assistants/${operation}`, { assistant_id: id, webhook_url });
      expect([missing.status, missing.body]).toEqual([
        422,
        {
          message: 'The given data was invalid.',
          errors: { webhook_url: ['The webhook url field is required.'] },
        },
      ]);
    }
    const wrong = await ask.post(`assistants/${operation}`, { assistant_id: id, webhook_url: 'nowhere' });
    expect(wrong.body).toMatchObject({ errors: { webhook_url: ['The webhook url must be a valid URL.'] } });
  });
});
