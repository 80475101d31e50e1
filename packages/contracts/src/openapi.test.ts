import { expect, test } from 'vitest';
import { api, createOpenApi, routesOf, webhookPayloads } from './index.ts';

/** The document as a reader sees it, after a trip through JSON. */
function setup() {
  const document = createOpenApi({
    contract: api,
    webhooks: webhookPayloads,
    version: '1.2.3',
    serverUrl: 'https://parley.example',
  });
  return JSON.parse(JSON.stringify(document)) as {
    openapi: string;
    paths: Record<
      string,
      Record<
        string,
        {
          operationId: string;
          parameters?: { name: string; in: string; required: boolean }[];
          responses: object;
        }
      >
    >;
    webhooks: Record<string, unknown>;
    components: {
      schemas: Record<string, { properties: Record<string, { default?: unknown }>; allOf?: object[] }>;
    };
  };
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [String(value)] : referencesIn(value),
  );
}

test('every endpoint of the contract stands in the document, with all its statuses', () => {
  const { paths } = setup();
  for (const { route } of routesOf(api)) {
    const operation = paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    expect(Object.keys(operation?.responses ?? {}), route.path).toEqual(Object.keys(route.responses));
  }
});

test('operation ids are unique', () => {
  const ids = Object.values(setup().paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBe(routesOf(api).length);
});

test('every reference leads to a component, and none is left to $defs', () => {
  const document = setup();
  const known = new Set(
    Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
  );
  const references = referencesIn(document);
  expect(references.length).toBeGreaterThan(50);
  expect(references.filter((reference) => !known.has(reference))).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('parameters tell where they stand and whether they are needed', () => {
  const { paths } = setup();
  expect(paths['/api/user/calls/{id}']?.['get']?.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
  ]);
  const filters = paths['/api/user/calls']?.['get']?.parameters ?? [];
  expect(filters.map((filter) => filter.name)).toContain('per_page');
  expect(filters.some((filter) => filter.required)).toBe(false);
  const headers = paths['/api/user/make_call']?.['post']?.parameters ?? [];
  expect(headers).toMatchObject([{ name: 'Idempotency-Key', in: 'header' }]);
});

test('defaults of an assistant stand at both names, and a required field may have either', () => {
  const { NewAssistant } = setup().components.schemas;
  expect(NewAssistant?.properties['max_call_duration']?.default).toBe(600);
  expect(NewAssistant?.properties['max_duration']?.default).toBe(600);
  expect(NewAssistant?.properties['who_speaks_first']?.default).toBe('AI assistant');
  expect(NewAssistant?.allOf).toContainEqual({
    anyOf: [{ required: ['assistant_name'] }, { required: ['name'] }],
  });
});

test('a record keeps its field named id, and an answer may grow', () => {
  const { Call } = setup().components.schemas;
  expect(Call?.properties).toHaveProperty('id');
  expect(Call).not.toHaveProperty('additionalProperties');
});

test('all webhooks are described', () => {
  expect(Object.keys(setup().webhooks)).toEqual([
    'call.finished',
    'call.incoming',
    'conversation.ended',
    'webhook.test',
    'call.started',
    'call.answered',
    'call.ended',
    'call.evaluated',
    'recording.ready',
    'voicemail.received',
    'lead.settled',
    'campaign.completed',
    'trunk.paused',
    'limit.warning',
    'limit.reached',
  ]);
});
