/** The flows for n8n and Activepieces in docs/examples send requests of the contract, and their code does what it should. */
import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { api, routesOf } from '@parley/contracts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';

const EXAMPLES = fileURLToPath(new URL('../../../docs/examples/', import.meta.url));

function filesIn(folder: string): string[] {
  return readdirSync(`${EXAMPLES}${folder}`).map((name) => `${folder}/${name}`);
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(`${EXAMPLES}${file}`, 'utf8'));
}

/** What the contract says about a request; null for a request that it accepts. */
function faultOf(method: string, path: string, body: unknown): string | null {
  const found = routesOf(api).find(
    ({ route }) =>
      route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );
  if (!found) return `The contract has no ${method} ${path}`;
  if (!('body' in found.route)) return null;
  const parsed = (found.route.body as z.ZodType).safeParse(body ?? {});
  return parsed.success ? null : JSON.stringify(parsed.error.issues);
}

const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const EVENT = JSON.stringify({ event: 'call.ended', id: 7 });

function signed(body: string, at = new Date()): Record<string, string> {
  const signature = new Webhook(SECRET).sign('msg_1', at, body);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${signature}`,
  };
}

const OLD = new Date(Date.now() - 3_600_000);
const DELIVERIES: readonly [
  name: string,
  headers: Record<string, string>,
  body: string,
  isGenuine: boolean,
][] = [
  ['a signed event', signed(EVENT), EVENT, true],
  ['an event with another body', signed(EVENT), '{"event":"call.ended","id":8}', false],
  ['an old event', signed(EVENT, OLD), EVENT, false],
  ['an event without a signature', {}, EVENT, false],
  ['an event with a short signature', { ...signed(EVENT), 'webhook-signature': 'v1,QQ==' }, EVENT, false],
];

interface N8nNode {
  name: string;
  type: string;
  parameters: { method?: string; url?: string; jsonBody?: string; jsCode?: string };
}

interface N8nFlow {
  nodes: N8nNode[];
  connections: Record<string, { main: { node: string }[][] }>;
}

/** What the expressions of the examples refer to. */
const N8N = {
  $json: {
    url: '',
    name: 'From a sheet',
    assistant_id: 1,
    phone_number: '+12025550149',
    rows: [{ phone_number: 12_025_550_149, city: 'Rome' }],
  },
  $: (node: string) => {
    const json = node === 'Settings' ? { url: '' } : { call_id: 3, data: { id: 4 } };
    return { item: { json }, first: () => ({ json }) };
  },
};

/** A text with `{{ }}`, of which n8n evaluates each as JavaScript. */
function evaluated(text: string): string {
  return text
    .replace(/^=/, '')
    .replaceAll(/\{\{(.*?)\}\}(?!\s*\))/gs, (_, expression: string) =>
      String(runInNewContext(`(${expression})`, N8N)),
    );
}

describe.each(filesIn('n8n'))('%s', (file) => {
  const { nodes, connections } = read(file) as N8nFlow;

  test('connects all of its nodes', () => {
    const names = new Set(nodes.map(({ name }) => name));
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
    expect(names.size).toBe(nodes.length);
    expect([...Object.keys(connections), ...targets].filter((name) => !names.has(name))).toEqual([]);
    expect(nodes.slice(1).filter(({ name }) => !targets.includes(name))).toEqual([]);
  });

  test('sends requests of the contract', () => {
    const faults = nodes
      .filter(({ type }) => type === 'n8n-nodes-base.httpRequest')
      .map(({ parameters: { method = '', url = '', jsonBody } }) =>
        faultOf(method, evaluated(url), jsonBody && JSON.parse(evaluated(jsonBody))),
      );
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });
});

type Receiver = (
  this: object,
  require: unknown,
  env: object,
  input: object,
) => Promise<{ json: { is_genuine: boolean } }[]>;
/** The constructor of asynchronous functions has no name of its own. */
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Receiver;

test.each(DELIVERIES)('the receiver for n8n decides on %s', async (_name, headers, body, isGenuine) => {
  const { nodes } = read('n8n/webhook-receiver.json') as N8nFlow;
  const code = nodes.find(({ parameters }) => parameters.jsCode)?.parameters.jsCode ?? '';
  const run = new AsyncFunction('require', '$env', '$input', code);
  const helpers = { getBinaryDataBuffer: async () => Buffer.from(body) };
  const input = { first: () => ({ json: { headers } }) };
  const env = { PARLEY_WEBHOOK_SECRET: SECRET };
  const [result] = await run.call({ helpers }, createRequire(import.meta.url), env, input);
  expect(result?.json.is_genuine).toBe(isGenuine);
});

interface Step {
  name: string;
  settings: { input: Record<string, string>; sourceCode?: { code: string } };
  nextAction?: Step;
}

type Code = (inputs: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** The code of the step behind the trigger. */
async function codeOf(file: string): Promise<Code> {
  const { flows } = read(file) as { flows: { trigger: Step }[] };
  const source = flows[0]?.trigger.nextAction?.settings.sourceCode?.code ?? '';
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { code: Code };
  return module.code;
}

/** Runs code with an API that answers with success what the contract accepts. */
async function withApi(run: () => Promise<unknown>): Promise<string[]> {
  const requests: string[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (address, { method = 'GET', body } = {}) => {
    const path = (address instanceof Request ? address.url : address.toString()).replace('http://parley', '');
    requests.push(`${method} ${path}`);
    const fault = faultOf(method, path, typeof body === 'string' ? JSON.parse(body) : undefined);
    const answer = { call_id: 3, id: 3, status: 'completed', data: { id: 4 } };
    return Response.json(fault === null ? answer : { fault }, { status: fault === null ? 200 : 422 });
  };
  try {
    await run();
  } finally {
    globalThis.fetch = real;
  }
  return requests;
}

const ACCESS = { url: 'http://parley', token: 'token', assistant_id: '1', key: 'k' };

test('the flows for Activepieces send requests of the contract', async () => {
  const call = await codeOf('activepieces/call-and-wait.json');
  expect(await withApi(() => call({ ...ACCESS, phone_number: '+12025550149' }))).toEqual([
    'POST /api/user/make_call',
    'GET /api/user/calls/3',
  ]);
  const campaign = await codeOf('activepieces/campaign-from-sheet.json');
  const rows = [{ phone_number: 12_025_550_149, city: 'Rome' }, { values: { phone_number: '+12025550148' } }];
  expect(await withApi(() => campaign({ ...ACCESS, name: 'Sheet', rows }))).toEqual([
    'POST /api/user/campaigns',
    'POST /api/user/campaigns/4/leads',
    'POST /api/user/campaigns/update-status',
  ]);
});

test.each(DELIVERIES)(
  'the receiver for Activepieces decides on %s',
  async (_name, headers, body, isGenuine) => {
    const verify = await codeOf('activepieces/webhook-receiver.json');
    const result = await verify({ secret: SECRET, headers, raw_body: body }).catch(() => null);
    expect(result !== null).toBe(isGenuine);
  },
);
