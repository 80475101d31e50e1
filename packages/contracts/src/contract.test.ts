import { expect, expectTypeOf, test } from 'vitest';
import type { ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { api, callRecord, metadataOf, routesOf, type CallRecord, type NewAssistant } from './index.ts';

/** Asked by POST, because the question is long, and nothing is written. */
const QUESTIONS = ['forecast'];

test('every endpoint that writes names a scope, and only "me" needs none', () => {
  for (const { name, route } of routesOf(api)) {
    const { scope } = metadataOf(route);
    if (route.method !== 'GET' && !QUESTIONS.includes(name)) expect(['write', 'call'], name).toContain(scope);
    else expect(scope, name).toBe(name === 'me' ? null : 'read');
  }
});

test('every endpoint answers 401, 403, 429, 500 and 503, and those with a body what can be wrong with it', () => {
  for (const { name, route } of routesOf(api)) {
    const statuses = Object.keys(route.responses).map(Number);
    expect(statuses, name).toEqual(expect.arrayContaining([401, 403, 429, 500, 503]));
    if (route.method !== 'GET') expect(statuses, name).toEqual(expect.arrayContaining([400, 413, 415, 422]));
    if (route.path.includes(':id')) expect(statuses, name).toContain(404);
  }
});

test('a call record has exactly the fields of the specification', () => {
  const record: CallRecord = {
    id: 1,
    assistant_name: 'Anna',
    type: 'web',
    duration: 0,
    assistant_phone_number: '',
    client_phone_number: '',
    status: 'initiated',
    transcript: '',
    variables: {},
    evaluation: {},
    webhook_response: {},
    carrier_cost: 0,
    total_cost: 0,
    answered_by: 'unknown',
    created_at: '2026-01-31 10:05:00',
    updated_at: '2026-01-31 10:05:00',
  };
  expect(callRecord.safeParse(record).success).toBe(true);
  expect(callRecord.safeParse({ ...record, extra: 1 }).success).toBe(false);
});

test('handlers are fully typed: nothing is any', () => {
  type CreateRequest = ServerInferRequest<typeof api.assistants.create>;
  type GetRequest = ServerInferRequest<typeof api.calls.get>;
  type ListAnswer = Extract<ServerInferResponses<typeof api.calls.list>, { status: 200 }>;
  expectTypeOf<CreateRequest['body']>().toEqualTypeOf<NewAssistant>();
  expectTypeOf<GetRequest['params']['id']>().toEqualTypeOf<number>();
  expectTypeOf<ListAnswer['body']['data'][number]>().toEqualTypeOf<CallRecord>();
  expectTypeOf<CreateRequest['body']>().not.toBeAny();
});
