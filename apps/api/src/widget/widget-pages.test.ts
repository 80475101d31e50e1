import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerVoiceProcess } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { assistantRequests } from '../../test/assistant-requests.ts';

const database = useTestDatabase();
const ORIGIN = 'https://shop.example';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let live: LiveApi;
let folder: string;
let assistant: { id: number; uuid: string };
let visitors = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-widget-api-'));
  await mkdir(join(folder, 'widget'));
  await writeFile(join(folder, 'widget/widget.js'), '// the widget');
  live = await startLiveApi({ db: database.db, settings: { ADMIN_DIR: folder, TRUST_PROXY: 'loopback' } });
  const requests = assistantRequests(live);
  const id = await requests.make({
    widget_settings: { allowed_origins: [ORIGIN], color: '#123', max_calls_per_visitor: 1 },
  });
  assistant = (await requests.read(id)).body as typeof assistant;
});

afterAll(async () => {
  await live.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Each request comes from another address, unless one is given. */
function ask(path: string, { method = 'GET', origin = ORIGIN, from = `192.0.2.${(visitors += 1)}` } = {}) {
  const headers = { 'x-forwarded-for': from, ...(origin === '' ? {} : { origin }) };
  return live.ask(path, { method, token: null, headers });
}

const appearance = () => `/widget/assistants/${assistant.uuid}`;
const calls = () => `${appearance()}/calls`;

describe('the public endpoints of the widget', () => {
  it('pages of any origin may load its script', async () => {
    const { status, headers } = await ask('/widget.js', { origin: 'https://any.example' });
    expect(status).toBe(200);
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('an allowed page may read the appearance, and no limits or origins with it', async () => {
    const { status, headers, body } = await ask(appearance());
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('vary')).toContain('Origin');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(body).toEqual({
      theme: 'auto',
      color: '#123',
      position: 'bottom-right',
      consent_text: null,
      texts: {},
    });
  });

  it('a page of another origin can neither read the settings nor place a call', async () => {
    for (const path of [appearance(), calls()]) {
      const method = path === calls() ? 'POST' : 'GET';
      const { status, headers } = await ask(path, { method, origin: 'https://other.example' });
      expect(status).toBe(403);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('other endpoints do not answer the origin of an allowed page', async () => {
    const { headers } = await ask('/api/user/assistants');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('an unknown assistant and an address that is no UUID are not found', async () => {
    expect((await ask(`/widget/assistants/${UNKNOWN}`)).status).toBe(404);
    expect((await ask('/widget/assistants/1')).status).toBe(404);
    expect((await ask('/widget/demo/%3Cscript%3E')).status).toBe(404);
  });

  it('without a voice process a call is refused, and is not in the list of calls', async () => {
    const { status, headers } = await ask(calls(), { method: 'POST' });
    expect(status).toBe(503);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect((await live.ask('/api/user/calls')).body).toMatchObject({ data: [] });
  });

  it('gives a ticket to an allowed page, once per visitor here', async () => {
    await registerVoiceProcess(live.core, {
      url: 'http://127.0.0.1:1',
      sipAddress: '127.0.0.1:5060',
      capacity: 10,
    });
    const { status, body, headers } = await ask(calls(), { method: 'POST', from: '203.0.113.1' });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ path: expect.stringMatching(/^\/widget\/talk\?ticket=[\w-]{43}$/) });
    const second = await ask(calls(), { method: 'POST', from: '203.0.113.1' });
    expect(second.status).toBe(429);
    expect(second.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect((await ask(calls(), { method: 'POST', origin: 'https://other.example' })).status).toBe(403);
    expect((await ask(calls(), { method: 'POST', origin: '' })).status).toBe(403);
  });

  it('limits the requests of one network address', async () => {
    const statuses = [];
    for (let request = 0; request < 21; request += 1)
      statuses.push((await ask(calls(), { method: 'POST', origin: '', from: '203.0.113.9' })).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 403));
    expect(statuses[20]).toBe(429);
  });

  it('limits the WebSockets of one network address', async () => {
    const open = async () => {
      const socket = new WebSocket(`${live.url.replace('http', 'ws')}/widget/talk?ticket=x`, {
        origin: 'https://any.example',
        headers: { 'x-forwarded-for': '203.0.113.10' },
      });
      const [, answer] = (await once(socket, 'unexpected-response')) as [
        unknown,
        { statusCode: number; resume(): void },
      ];
      answer.resume();
      return answer.statusCode;
    };
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await open()).toBe(502);
    expect(await open()).toBe(429);
  });
});
