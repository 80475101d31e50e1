import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;
let folder: string;
const SCRIPT = `export const text = '${'parley '.repeat(400)}';`;
const PRELOADS = {
  '/calls/:callId': ['assets/call-1.js', 'assets/call-2.css'],
  '/assistants/new': ['assets/new-1.js'],
  '/assistants/:assistantId': ['assets/assistant-1.js'],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), '.parley-admin-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Parley</title>');
  await writeFile(join(folder, 'assets', 'main-abc123.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'main-abc123.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'main-abc123.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'preloads.json'), JSON.stringify(PRELOADS));
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  live = await startLiveApi({ db: database.db, settings: { ADMIN_DIR: folder } });
});

afterAll(async () => {
  await live.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = (path: string) => live.ask(path, { token: null });

test('the root path redirects to the admin app', async () => {
  const answer = await open('/');
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe('/admin');
});

test.each(['/admin', '/admin/', '/admin/calls', '/admin/calls/12', '/admin/assistants/new'])(
  '%s returns the page of the admin app',
  async (path) => {
    const answer = await open(path);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<title>Parley</title>');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  },
);

test('files with a hash in their name may be kept for a year', async () => {
  const answer = await open('/admin/assets/main-abc123.js');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/javascript/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test.each(['br', 'gzip'])('a script is sent compressed to a browser that accepts %s', async (encoding) => {
  const answer = await live.ask('/admin/assets/main-abc123.js', {
    token: null,
    headers: { 'accept-encoding': encoding },
  });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('content-type')).toMatch(/javascript/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('vary')).toContain('Accept-Encoding');
  expect(answer.text).toBe(SCRIPT);
});

test('a script is sent as it is to a browser that accepts no compression', async () => {
  const headers = { 'accept-encoding': 'identity' };
  const answer = await live.ask('/admin/assets/main-abc123.js', { token: null, headers });
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(answer.text).toBe(SCRIPT);
});

test.each([
  [
    '/admin/calls/12',
    '<link rel="modulepreload" crossorigin href="/admin/assets/call-1.js"><link rel="preload" as="style" crossorigin href="/admin/assets/call-2.css">',
  ],
  ['/admin/assistants/7', '<link rel="modulepreload" crossorigin href="/admin/assets/assistant-1.js">'],
  ['/admin/assistants/new', '<link rel="modulepreload" crossorigin href="/admin/assets/new-1.js">'],
  ['/admin/nothing', ''],
])('%s names the scripts and styles of its page', async (path, links) => {
  expect((await open(path)).text).toBe(`<!doctype html><title>Parley</title>${links}`);
});

test('files without a hash are revalidated', async () => {
  expect((await open('/admin/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
});

test.each(['/admin/assets/main-old.js', '/admin/../package.json', '/admin/%2e%2e/%2e%2e/etc/passwd'])(
  '%s is not found',
  async (path) => {
    expect((await open(path)).text).not.toContain('"dependencies"');
    if (path.endsWith('.js')) expect((await open(path)).status).toBe(404);
  },
);

test('pages load nothing from other origins, run no inline script, and cannot be framed', async () => {
  const policy = (await open('/admin')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).toMatch(/script-src 'self'(;|$)/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('upgrade-insecure-requests');
});

test('without a build of the admin app, /admin answers 503', async () => {
  const bare = await startLiveApi({ db: database.db });
  const answer = await bare.ask('/admin', { token: null });
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('not built');
  await bare.stop();
});
