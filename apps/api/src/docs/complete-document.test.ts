import { lintFromString, createConfig } from '@redocly/openapi-core';
import { api, aliasesOf, routesOf, webhookPayloads } from '@parley/contracts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerSchema } from '../../test/generated/contract-routes.ts';
import { createApiDocument } from './complete-document.ts';
import { componentFieldTexts } from './component-field-texts.ts';
import { fieldTexts } from './field-texts.ts';
import { mediaOf, type Operation, type Schema } from './openapi-parts.ts';
import { responseOf } from './share-responses.ts';
import { bodyExamples, descriptions, groups } from './operation-texts.ts';

const document = createApiDocument();
const endpoints = routesOf(api).map((endpoint) => ({
  ...endpoint,
  id: `${endpoint.group}.${endpoint.name}`,
}));

function operationOf(path: string, method: string): Operation | undefined {
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

/** Every property of every object in the document, with its component's name. */
function propertiesIn(schema: Schema, owner: string): { name: string; property: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    { name: `${owner}.${name}`, property },
    ...propertiesIn(property, `${owner}.${name}`),
  ]);
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [...own, ...parts.flatMap((part) => (part ? propertiesIn(part, owner) : []))];
}

test('a public validator accepts the document, examples included', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The API reference fixes the paths, such as /api/user/calls/{id} beside /api/user/calls.
      'no-ambiguous-paths': 'off',
      // The operator chooses the address; on a local machine it is localhost.
      'no-server-example.com': 'off',
      // A webhook has no 4xx response to describe: every failure is retried.
      'operation-4xx-response': 'off',
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'operation-description': 'error',
      'tag-description': 'error',
      'operation-tag-defined': 'error',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const found = problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  );
  expect(found).toEqual([]);
});

describe.each(endpoints)('$id', ({ id, group, route }) => {
  const operation = operationOf(route.path, route.method);

  test('is in the document, in a group with a description, with its own summary and description', () => {
    expect(operation).toMatchObject({
      operationId: id,
      summary: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
    });
    expect(groups).toHaveProperty(group);
  });

  test('has an example for every status, which its own schema accepts', () => {
    for (const status of Object.keys(route.responses)) {
      const content = responseOf(document, operation?.responses[status])?.content;
      const example = content && mediaOf(content).media.example;
      expect(
        answerSchema(route, Number(status))?.schema.safeParse(example).error,
        `${status} ${JSON.stringify(example)}`,
      ).toBeUndefined();
    }
  });

  test('has an example of a body that it accepts', () => {
    const body = 'body' in route ? route.body : undefined;
    if (!(body instanceof z.ZodType)) return;
    const example = operation?.requestBody?.content['application/json']?.example;
    expect(body.safeParse(example).error, JSON.stringify(example)).toBeUndefined();
  });

  test('is also documented under its aliases', () => {
    for (const alias of aliasesOf(route))
      expect(operationOf(alias.path, alias.method)?.description).toContain('The same as');
  });
});

test('operations under an alias are named after its path', () => {
  expect(operationOf('/api/user/campaign', 'POST')?.operationId).toBe('campaigns.createAtCampaign');
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(ids.filter((id) => /alias/i.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the number filter of calls has its own description', () => {
  const { parameters = [] } = operationOf('/api/user/calls', 'GET') ?? {};
  const filter = parameters.find(({ name }) => name === 'phone_number');
  expect(filter?.description).toMatch(/begin with it.*contain it/);
});

test('make_call answers with the only state that can occur', () => {
  expect(document.components.schemas['CallPlaced']?.properties?.['status']).toMatchObject({
    enum: ['initiated'],
  });
});

test('every field and parameter has a description', () => {
  const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    propertiesIn(schema, name),
  );
  const bodies = endpoints.flatMap(({ id, route }) => {
    const content = operationOf(route.path, route.method)?.requestBody?.content;
    return content ? propertiesIn(mediaOf(content).media.schema, id) : [];
  });
  const parameters = endpoints.flatMap(({ id, route }) =>
    (operationOf(route.path, route.method)?.parameters ?? []).map((parameter) => ({
      name: `${id}?${parameter.name}`,
      property: parameter as { description?: string },
    })),
  );
  const silent = [...fields, ...bodies, ...parameters].filter(({ property }) => !property.description);
  expect(silent.map(({ name }) => name)).toEqual([]);
  expect(fields.length).toBeGreaterThan(300);
});

/** @param key - `Component.field`, `Component.object.field` or `operationId.parameter` */
function isInComponent(key: string): boolean {
  const name = key.split('.').at(-1) ?? '';
  const owner = key.slice(0, -name.length - 1);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const operation = operations.find(({ operationId }) => operationId === owner);
  const isParameter = operation?.parameters?.some((parameter) => parameter.name === name) ?? false;
  const component = JSON.stringify(document.components.schemas[owner.split('.')[0] ?? ''] ?? {});
  return isParameter || component.includes(`"${name}":`);
}

test('the tables contain only existing fields and endpoints', () => {
  const text = JSON.stringify(document);
  expect(Object.keys(fieldTexts).filter((name) => !text.includes(`"${name}"`))).toEqual([]);
  expect(Object.keys(componentFieldTexts).filter((key) => !isInComponent(key))).toEqual([]);
  const ids = endpoints.map(({ id }) => id);
  for (const id of [...Object.keys(descriptions), ...Object.keys(bodyExamples)]) expect(ids).toContain(id);
});

test('errors have the texts of their endpoint', () => {
  const responses = operationOf('/api/user/assistant', 'POST')?.responses ?? {};
  const create = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, responseOf(document, response)]),
  );
  expect(create['422']?.content?.['application/json']?.example).toMatchObject({
    message: 'Validation failed',
  });
  expect(create['500']?.content?.['application/json']?.example).toEqual({
    message: 'Assistant creation failed',
  });
  expect(create['429']?.headers).toHaveProperty('Retry-After');
  expect(create['401']?.headers).toHaveProperty('WWW-Authenticate');
});

test('an example of an assistant may contain the default values', () => {
  const { NewAssistant } = document.components.schemas;
  expect(NewAssistant?.properties?.['max_call_duration']).toMatchObject({
    default: 600,
    description: expect.stringContaining('20 to 1200'),
  });
});

test.each(Object.entries(webhookPayloads))('the example of %s is a signed request', (event, payload) => {
  const { post } = document.webhooks[event] ?? {};
  expect(payload.safeParse(post?.requestBody?.content['application/json']?.example).error).toBeUndefined();
  expect(post?.parameters?.map(({ name }) => name)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
});

describe('examples show states that can occur:', () => {
  const call = {
    type: 'outbound',
    status: 'completed',
    duration: 63,
    campaign_name: 'Autumn reminders',
    transcript: expect.stringMatching(/./),
  };
  test.each<[string, string, unknown]>([
    ['GET', '/api/user/calls', { data: [call] }],
    ['GET', '/api/user/audit-log', { path: 'https://parley.example/api/user/audit-log' }],
    ['GET', '/api/user/phone-numbers/sip-trunks', [{ health: { state: 'healthy', paused_until: null } }]],
    [
      'GET',
      '/api/user/calls/{id}',
      {
        ...call,
        outcome: 'talked',
        ended_reason: 'customer_hung_up',
        diverted_from: null,
        events: [{ type: 'answered' }],
        webhook_deliveries: [{ event: 'call.finished', status: 'delivered', next_attempt_at: null }],
      },
    ],
    ['POST', '/api/user/calls/{id}/hang-up', { data: { status: 'in-progress' } }],
    ['GET', '/api/user/assistants/outbound', [{ type: 'outbound' }]],
    [
      'GET',
      '/api/user/leads/{id}/attempts',
      {
        now: { decision: 'dial', reason: 'first_call', until: null },
        attempts: [{ status: 'completed', outcome: 'talked', decision: { reason: 'first_call' } }],
      },
    ],
    ['POST', '/api/user/campaigns/{id}/forecast', { unreachable: [{ reason: 'do_not_call' }] }],
    ['POST', '/api/user/campaigns/update-status', { data: { status: 'in-progress' } }],
    ['GET', '/api/user/campaigns/{id}', { status: 'in-progress', opens_at: null, obstacle: null }],
    ['GET', '/api/user/knowledgebases', { data: [{ status: 'active', status_label: 'Active' }] }],
    ['GET', '/api/user/imports/{id}', { state: 'finished' }],
    ['DELETE', '/api/user/imports/{id}', { data: { state: 'undone' } }],
    ['POST', '/api/user/suites/{id}/runs', { data: { status: 'running', finished_at: null } }],
    ['POST', '/api/user/suite-runs/{id}/cancel', { data: { status: 'cancelled' } }],
    [
      'GET',
      '/api/user/suite-runs/{id}/comparison',
      { before: { status: 'passed' }, after: { status: 'passed' } },
    ],
    ['GET', '/api/user/webhook-deliveries/{id}', { event: 'call.finished', attempts: [{ status: 200 }] }],
  ])('%s %s', (method, path, expected) => {
    const responses = operationOf(path, method)?.responses ?? {};
    const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
    const content = responseOf(document, responses[success])?.content;
    expect(content && mediaOf(content).media.example).toMatchObject(expected as object);
  });
});
