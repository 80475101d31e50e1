import { countInboundRefusal } from '@parley/core';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { startLiveApi, type LiveApi, type LiveApiOptions } from '../../test/live-api.ts';

const database = useTestDatabase();
const started: LiveApi[] = [];

afterEach(async () => {
  for (const live of started.splice(0)) await live.stop();
});

async function setup(settings: LiveApiOptions['settings'] = {}) {
  const live = await startLiveApi({ db: database.db, settings });
  started.push(live);
  const read = async (headers: Record<string, string> = {}) => live.ask('/metrics', { token: null, headers });
  return { live, read };
}

/** The samples of one metric, without its comments. */
function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}

test('requests are counted by pattern, method and status, and never by id', async () => {
  const { live, read } = await setup();
  await live.ask('/api/user/calls/123456789');
  await live.ask('/api/user/calls/987654321');
  await live.ask('/nowhere/123456789');
  const answer = await read();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(linesOf(answer.text, 'http_server_request_duration_seconds_count')).toEqual(
    expect.arrayContaining([
      'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/api/user/calls/:id",http_response_status_code="404"} 2',
      'http_server_request_duration_seconds_count{http_request_method="GET",http_route="none",http_response_status_code="404"} 1',
    ]),
  );
  expect(answer.text).not.toContain('123456789');
});

test('calls are counted by type and status', async () => {
  const { live, read } = await setup();
  const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  const { id } = (made.body as { data: { id: number } }).data;
  await live.ask('/api/user/make_call', {
    method: 'POST',
    body: { phone_number: '+12025550142', assistant_id: id },
  });
  const { text } = await read();
  expect(linesOf(text, 'parley_live_calls')).toEqual([
    'parley_live_calls{type="outbound",status="initiated"} 1',
  ]);
  expect(linesOf(text, 'parley_recent_calls')).toEqual([
    'parley_recent_calls{type="outbound",status="initiated"} 1',
  ]);
  expect(linesOf(text, 'parley_database_up')).toEqual(['parley_database_up 1']);
});

test('refused inbound calls are counted by reason', async () => {
  const { live, read } = await setup();
  await countInboundRefusal(live.core, 'no_assistant');
  await countInboundRefusal(live.core, 'no_assistant');
  const { text } = await read();
  expect(linesOf(text, 'parley_refused_inbound_calls')).toEqual([
    'parley_refused_inbound_calls{reason="no_assistant"} 2',
  ]);
});

test('registrations are counted by state, without names of trunks and hosts', async () => {
  const { live, read } = await setup();
  const count = async () => linesOf((await read()).text, 'parley_trunk_registrations');
  const states = (registering: number) => [
    `parley_trunk_registrations{state="registering"} ${registering}`,
    'parley_trunk_registrations{state="registered"} 0',
    'parley_trunk_registrations{state="failed"} 0',
  ];
  expect(await count()).toEqual(states(0));
  const account = { username: '1001', password: 'secret', registers: true };
  const body = { name: 'Office', host: 'pbx.example', ...account };
  await live.ask('/api/user/phone-numbers/sip-trunks', { method: 'POST', body });
  expect(await count()).toEqual(states(1));
});

test('every metric has a description, a base unit and the suffix of its kind', async () => {
  const { read } = await setup();
  const { text } = await read();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind]) => ({ name, kind }));
  expect(kinds.length).toBeGreaterThan(10);
  for (const { name, kind } of kinds) {
    expect(text, name).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb)(_|$)/);
    if (kind === 'counter') expect(name).toMatch(/_total$/);
  }
  for (const line of text.split('\n'))
    expect(line).toMatch(
      /^$|^# (HELP|TYPE) |^[a-z_][a-z0-9_]*(\{[^}]*\})? (-?[\d.]+(e[+-]?\d+)?|NaN|\+Inf)$/i,
    );
  expect(linesOf(text, 'process_resident_memory_bytes')).toHaveLength(1);
});

test('without a token only this machine may read', async () => {
  const { read } = await setup();
  expect((await read()).status).toBe(200);
  const fromOutside = await read({ 'x-forwarded-for': '203.0.113.7' });
  expect(fromOutside.status).toBe(404);
  expect(fromOutside.body).toEqual({ message: 'Not Found' });
  expect((await read({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(404);
  expect((await read({ via: '1.1 proxy' })).status).toBe(404);
});

test('with METRICS_TOKEN set, only requests with that token may read', async () => {
  const token = 'a metrics token of thirty-two characters';
  const { live, read } = await setup({ METRICS_TOKEN: token });
  expect((await read()).status).toBe(404);
  expect((await read({ authorization: `Bearer ${live.token}` })).status).toBe(404);
  const shown = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' };
  expect((await read(shown)).status).toBe(200);
});
