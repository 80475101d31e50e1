import { api, errorCodes, routesOf } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import type { OpenApiDocument } from './openapi-parts.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

/** Not `close`: with it, undici 7 fails on a compressed body that it has not read when the connection ends. */
const headers = { connection: 'keep-alive' };
const open = (path: string) => live.ask(path, { token: null, headers });

test('the document contains the address of its request', async () => {
  const { body } = await open('/openapi.json');
  expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: live.url }] });
});

test.each([
  ['/docs', /^text\/html/],
  ['/docs/start.js', /javascript/],
  ['/docs/swagger-ui.css', /^text\/css/],
  ['/docs/swagger-ui-bundle.js', /javascript/],
])('%s is served without a token', async (path, type) => {
  const answer = await open(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(type);
  const again = await live.ask(path, {
    token: null,
    headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
});

test('the page of error codes has a section for each code', async () => {
  const { status, text } = await open('/docs/errors');
  expect(status).toBe(200);
  for (const code of Object.keys(errorCodes)) expect(text).toContain(`<h2 id="${code}">`);
});

test('the page names no other host and contains no inline script', async () => {
  const { text, headers } = await open('/docs');
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(text).not.toMatch(/<script>|<script type="module">/);
  expect(headers.get('content-security-policy')).toMatch(/script-src 'self'(;|$)/);
});

test.each(['/docs/package.json', '/docs/swagger-ui.js.map', '/docs/../src/main.ts', '/docs/%2e%2e/main.ts'])(
  'no other file is served: %s',
  async (path) => {
    expect((await open(path)).status).toBe(404);
  },
);

interface PostmanRequest {
  method: string;
  url: { raw: string; path: string[]; variable: { key: string; value: string }[] };
  header: { key: string; value: string }[];
  body?: { raw: string };
}

interface PostmanCollection {
  info: { schema: string };
  auth: { type: string };
  variable: { key: string; value: string }[];
  item: { name: string; item: { name: string; request: PostmanRequest }[] }[];
}

test('the Postman collection has every endpoint, with the address and the token as variables', async () => {
  const collection = (await open('/docs/postman.json')).body as PostmanCollection;
  const document = (await open('/openapi.json')).body as OpenApiDocument;
  expect(collection.info.schema).toContain('v2.1.0');
  expect(collection.variable).toContainEqual({ key: 'baseUrl', value: live.url });
  const requests = collection.item.flatMap((folder) => folder.item.map(({ request }) => request));
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
  expect(requests).toHaveLength(operations.length);
  for (const { route } of routesOf(api))
    expect(requests.map(({ method, url }) => `${method} ${url.raw}`)).toContain(
      `${route.method} {{baseUrl}}${route.path}`,
    );
});

test('a request of the collection works unchanged', async () => {
  const collection = (await open('/docs/postman.json')).body as PostmanCollection;
  const [create] = collection.item
    .flatMap((folder) => folder.item)
    .filter(({ name }) => name === 'Create an assistant');
  const headers = Object.fromEntries(
    (create?.request.header ?? []).map(({ key, value }) => [key.toLowerCase(), value]),
  );
  const answer = await live.ask(`/${create?.request.url.path.join('/')}`, {
    method: create?.request.method ?? '',
    headers,
    body: create?.request.body?.raw ?? '',
  });
  expect(answer.status, answer.text).toBe(201);
});
