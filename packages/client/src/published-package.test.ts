/**
 * The package as users install it: packed by npm, in a project outside of this workspace. `npx` downloads the versions of
 * Node that are not installed here.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { installPackedClient, runInNode } from '@parley/testkit';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

const run = promisify(execFile);
const here = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(here, 'node_modules/typescript/bin/tsc');
/** The compiler writes about 130 files; a version of Node has 40 MB. */
const LIMIT_MS = 300_000;
/** The oldest supported version, and the newest of the next line; the tests themselves run in the line after it. */
const NODE_VERSIONS = ['20.6.0', '20.20.2', '22.23.3'];

/** Runs in every environment: a request with a stub of `fetch`, and a signed webhook. */
const PROGRAM = `
import { createParleyClient, eachRecordByCursor, verifyWebhook } from '@parley/client';
const pages = [
  '{"data":[{"id":2}],"per_page":1,"next_cursor":"W10"}',
  '{"data":[{"id":1}],"per_page":1,"next_cursor":null}',
];
const parley = createParleyClient({ baseUrl: 'http://x', token: 't', fetch: async () => new Response(pages.shift()) });
const ids: number[] = [];
for await (const call of eachRecordByCursor(parley.calls.list)) ids.push(call.id);
let refusal = '';
try {
  await verifyWebhook({ headers: {}, body: '{}' }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
} catch (error) {
  refusal = (error as Error).name;
}
(globalThis as unknown as { report(text: string): void }).report(ids.join() + ' ' + refusal);
`;
const REPORT = '2,1 WebhookRefusedError';

/** What only Node has, in a bundle. */
const OF_NODE = /.{30}(?:['"]node:|__vite-browser-external|\bprocess\.|\bBuffer\.).{30}/g;

/** Uses of the types, right and wrong ones. */
const TYPED = `
import { createParleyClient, eachRecord, type ParleyClient } from '@parley/client';
const parley: ParleyClient = createParleyClient({ baseUrl: 'https://parley.example', token: 't' });
const { body } = await parley.calls.make({ body: { assistant_id: 12, phone_number: '+12025550110' } });
export const id: number = body.call_id;
export const events: string = (await parley.calls.events({ params: { id } })).body;
export const upload: 200 | 202 = (await parley.leadImports.create({ params: { id }, body: 'phone_number' })).status;
for await (const lead of eachRecord(parley.leads.list, { campaign_id: 3 })) lead.phone_number.trim();
// @ts-expect-error A status that the contract does not have.
await parley.calls.list({ query: { status: 'no answer' } });
// @ts-expect-error A number.
export const text: string = body.call_id;
`;

let project: string;
let packed: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'parley-published-'));
  packed = await installPackedClient(project);
  await writeFile(join(project, 'program.ts'), PROGRAM);
  await writeFile(join(project, 'typed.ts'), TYPED);
}, LIMIT_MS);
afterAll(() => rm(project, { recursive: true, force: true }));

async function manifest(): Promise<{
  dependencies: Record<string, string>;
  exports: object;
  engines: object;
}> {
  const text = await readFile(join(project, 'node_modules/@parley/client/package.json'), 'utf8');
  return JSON.parse(text) as Awaited<ReturnType<typeof manifest>>;
}

/** The compiled files of a source folder. */
async function compiledFrom(name: string): Promise<string[]> {
  const sources = await readdir(join(here, '..', name, 'src'));
  return sources
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => ['.js', '.d.ts'].map((end) => `${name}/src/${file.replace(/\.ts$/, end)}`));
}

test('the package has the compiled files of client, contract and examples, licence, readme and manifest, and nothing else', async () => {
  const sources = await readdir(join(here, 'examples'));
  const examples = sources.map((file) => `examples/${file.replace(/\.ts$/, '.js')}`);
  const compiled = [...(await compiledFrom('client')), ...(await compiledFrom('contracts')), ...examples];
  const others = ['LICENSE', 'README.md', 'package.json', 'contracts/src/ts-rest.d.ts'];
  expect(packed.toSorted()).toEqual([...compiled, ...others].toSorted());
});

test('it needs no package of this workspace, and says what it runs on', async () => {
  const { dependencies, exports, engines } = await manifest();
  expect(Object.keys(dependencies)).toEqual(['@ts-rest/core', 'standardwebhooks', 'zod']);
  expect(exports).toEqual({ '.': { types: './client/src/index.d.ts', default: './client/src/index.js' } });
  expect(engines).toEqual({ node: '>=20.6' });
  for (const file of packed.filter((name) => /^(client|contracts).*\.(js|d\.ts)$/.test(name)))
    expect(await readFile(join(here, 'dist', file), 'utf8'), file).not.toMatch(/['"]@parley\//);
});

test.each([
  ['Node', 'NodeNext', 'NodeNext', 'ES2022,DOM'],
  ['a bundler', 'ESNext', 'Bundler', 'ES2022,DOM,DOM.Iterable'],
])(
  'a project for %s compiles with its types, those of libraries included',
  async (_name, module, resolution, lib) => {
    const checks = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'ES2022', '--types', ''];
    const modules = ['--module', module, '--moduleResolution', resolution, '--lib', lib];
    const compiled = run(process.execPath, [compiler, ...checks, ...modules, 'typed.ts', 'program.ts'], {
      cwd: project,
    });
    expect(await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({
      stdout: '',
    });
  },
  LIMIT_MS,
);

test.each([...NODE_VERSIONS, process.versions.node])(
  'it runs in Node %s',
  async (version) => {
    const script = join(project, 'program.mjs');
    const types = /: number\[\]| as Error| as unknown as \{[^}]*\}/g;
    const program = `globalThis.report = (text) => console.log(process.versions.node, text);${PROGRAM}`;
    await writeFile(script, program.replaceAll(types, ''));
    expect(await runInNode(version, script)).toBe(`${version} ${REPORT}`);
  },
  LIMIT_MS,
);

test.each([...NODE_VERSIONS, process.versions.node])(
  'its examples run in Node %s',
  async (version) => {
    const page = {
      data: [{ assistant_name: 'Anna', duration: 63 }],
      current_page: 1,
      last_page: 1,
      next_page_url: null,
      total: 1,
    };
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(page));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('PARLEY_URL', `http://127.0.0.1:${port}`);
    vi.stubEnv('PARLEY_TOKEN', 'parley_example');
    onTestFinished(() => void vi.unstubAllEnvs());
    const example = join(project, 'node_modules/@parley/client/examples/list-calls.js');
    expect(await runInNode(version, example)).toBe('Page 1 of 1: 1 of 1 calls\nAnna: 63 s');
  },
  LIMIT_MS,
);

test(
  'a bundle for browsers has nothing of Node and runs without its globals',
  async () => {
    const outDir = join(project, 'bundle');
    await build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      build: {
        outDir,
        target: 'es2022',
        minify: false,
        lib: { entry: 'program.ts', formats: ['es'], fileName: 'bundle' },
      },
    });
    const [file = ''] = await readdir(outDir);
    const bundle = await readFile(join(outDir, file), 'utf8');
    expect([...new Set(bundle.match(OF_NODE))]).toEqual([]);
    const reported = new Promise<string>((report, fail) => {
      const web = {
        fetch,
        Response,
        Request,
        Headers,
        URL,
        URLSearchParams,
        AbortController,
        AbortSignal,
        DOMException,
      };
      const more = {
        TextEncoder,
        TextDecoder,
        crypto,
        btoa,
        atob,
        setTimeout,
        clearTimeout,
        performance,
        Blob,
        ReadableStream,
      };
      const page = createContext({ ...web, ...more, report });
      (runInContext(`(async () => {${bundle}})()`, page) as Promise<void>).catch(fail);
    });
    expect(await reported).toBe(REPORT);
  },
  LIMIT_MS,
);
