/**
 * The published client, installed outside of this workspace, against a complete installation: in the oldest supported line
 * of Node, and bundled into a page of another origin, which `CORS_ORIGINS` allows.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { installPackedClient, runInNode } from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser } from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const bundler = fileURLToPath(
  new URL('../../../packages/client/node_modules/vite/bin/vite.js', import.meta.url),
);
/** `npx` downloads a version of Node, and the package is built. */
const LIMIT_MS = 300_000;

/** Reads, writes, follows pages, and meets errors; the result says what a program can see of each. */
const USE_API = `
import { createParleyClient, eachRecordByCursor, isParleyError } from '@parley/client';
export async function useApi(baseUrl, token, idempotencyKey) {
  const parley = createParleyClient({ baseUrl, token, retries: 0 });
  const failure = async (request) => {
    try { await request; } catch (error) {
      const { name, status, code, errors, requestId } = error;
      return { name, status, code, errors, hasRequestId: typeof requestId === 'string' };
    }
  };
  const { body: me } = await parley.users.me();
  const [assistant] = (await parley.assistants.listOutbound()).body;
  const made = await parley.campaigns.create(
    { body: { name: 'From a program', assistant_id: assistant.id } },
    { idempotencyKey },
  );
  const id = made.body.data.id;
  for (const phone_number of ['+12025550171', '+12025550172', '+12025550173'])
    await parley.leads.create({ body: { campaign_id: id, phone_number } });
  const numbers = [];
  for await (const lead of eachRecordByCursor(parley.leads.list, { campaign_id: id, per_page: 2 }))
    numbers.push(lead.phone_number);
  const refused = await failure(parley.leads.create({ body: { campaign_id: id, phone_number: '12' } }));
  const missing = await failure(parley.campaigns.get({ params: { id: 987654321 } }));
  const gone = await parley.campaigns.remove({ params: { id } });
  const stranger = createParleyClient({ baseUrl, token: 'parley_unknown', retries: 0 });
  const unknown = await failure(stranger.users.me());
  return { name: me.name, status: made.body.data.status, numbers, refused, missing, gone: gone.body.message, unknown };
}
`;

const RESULT = {
  name: expect.any(String) as string,
  status: 'draft',
  numbers: ['+12025550173', '+12025550172', '+12025550171'],
  refused: {
    name: 'ParleyError',
    status: 422,
    code: 'validation_failed',
    errors: { phone_number: ['Invalid phone number'] },
    hasRequestId: true,
  },
  missing: { name: 'ParleyError', status: 404, code: 'not_found', errors: {}, hasRequestId: true },
  gone: 'Campaign deleted successfully',
  unknown: { name: 'ParleyError', status: 401, code: 'unauthenticated', errors: {}, hasRequestId: true },
};

let project: string;
let pages: Server;
/** The port of the pages, which have two origins: the one with `127.0.0.1` is allowed, the one with `localhost` is not. */
let port: number;
let installation: Installation;
let browser: Browser | undefined;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'parley-client-'));
  await installPackedClient(project);
  await writeFile(join(project, 'use-api.js'), USE_API);
  pages = createServer((request, response) => void servePage(request.url ?? '/', response));
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  ({ port } = pages.address() as AddressInfo);
  installation = await startInstallation({ environment: { CORS_ORIGINS: `http://127.0.0.1:${port}` } });
}, LIMIT_MS);

afterAll(async () => {
  await browser?.close();
  pages?.closeAllConnections();
  pages?.close();
  await installation?.stop();
  await rm(project, { recursive: true, force: true });
});

it(
  'calls the API in Node 20',
  async () => {
    await writeFile(
      join(project, 'program.mjs'),
      `import { useApi } from './use-api.js';
       console.log(JSON.stringify(await useApi(...process.argv.slice(2))));`,
    );
    const words = [installation.baseUrl, installation.token, 'in Node'];
    const printed = await runInNode('20.20.2', join(project, 'program.mjs'), words);
    expect(JSON.parse(printed)).toEqual(RESULT);
  },
  LIMIT_MS,
);

it.skipIf(isBrowserMissing)(
  'calls the API from a page of an allowed origin, and from no other',
  async () => {
    await writeFile(
      join(project, 'page.js'),
      `import { useApi } from './use-api.js';\nglobalThis.useApi = useApi;`,
    );
    await writeFile(
      join(project, 'index.html'),
      '<!doctype html><title>Page</title><script type="module" src="/page.js"></script>',
    );
    await promisify(execFile)(process.execPath, [bundler, 'build', '--logLevel', 'error'], { cwd: project });
    browser = await launchBrowser();
    expect(await useInPage(`http://127.0.0.1:${port}`)).toEqual(RESULT);
    await expect(useInPage(`http://localhost:${port}`)).rejects.toThrow('ParleyConnectionError');
  },
  LIMIT_MS,
);

/** Runs the program in a page of an origin. */
async function useInPage(origin: string): Promise<unknown> {
  const page = await browser?.newPage();
  await page?.goto(origin, { waitUntil: 'load' });
  const words = JSON.stringify([installation.baseUrl, installation.token, 'in a browser']);
  return page?.evaluate(`globalThis.useApi(...${words})`);
}

/** Serves the files of the bundle. */
async function servePage(path: string, response: ServerResponse): Promise<void> {
  const name = path === '/' ? '/index.html' : path;
  try {
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.setHeader('Content-Type', type).end(await readFile(join(project, 'dist', name)));
  } catch {
    response.writeHead(404).end();
  }
}
