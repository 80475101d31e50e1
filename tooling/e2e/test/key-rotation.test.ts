/**
 * The change of SECRET_KEY as docs/operations.md describes it, with processes that run separately, while calls, their tools
 * and webhooks go on. In every step processes are killed, with their calls, and the command `reseal-secrets` at several
 * moments.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { pause, systemClock } from '@parley/runtime';
import { OpenAiSimulator } from '@parley/speech/fakes';
import { createTestDatabase, startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallDetail } from '../src/calls.ts';
import { startSeparateProcesses, type SeparateProcesses } from '../src/separate-processes.ts';
import { addSimulatedModel, createSimulatedAssistant } from '../src/simulated-model.ts';

const OLD_KEY = 'the first secret key of thirty-two characters';
const NEW_KEY = 'the other secret key of thirty-two characters';
const TOOL_SECRET = 'Bearer that-must-stay-secret';
const COMMAND = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url));
/** Processes of each kind, of which the others work meanwhile. */
const FIRST = ['api-1', 'worker-1', 'voice-1'];
const SECOND = ['api-2', 'worker-2', 'voice-2'];
const ADDED = { SECRET_KEY: OLD_KEY, OTHER_SECRET_KEYS: NEW_KEY };
const CHANGED = { SECRET_KEY: NEW_KEY, OTHER_SECRET_KEYS: OLD_KEY };
const OVER = { SECRET_KEY: NEW_KEY, OTHER_SECRET_KEYS: '' };

const openai = new OpenAiSimulator({
  clock: systemClock,
  chat: ({ messages }) => {
    const dialogue = JSON.stringify(messages);
    if (!dialogue.includes('HTTP 200'))
      return { toolCalls: [{ name: 'look_up', arguments: { day: 'Monday' } }] };
    return { text: 'We open at nine. Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] };
  },
});
let hours: WebhookReceiver;
let receiver: WebhookReceiver;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let processes: SeparateProcesses;
let assistantId = 0;
let webhookSecret = '';

beforeAll(async () => {
  await openai.start();
  [hours, receiver, database] = await Promise.all([
    startWebhookReceiver(),
    startWebhookReceiver(),
    createTestDatabase(),
  ]);
  const environment = {
    DATABASE_URL: database.url,
    SECRET_KEY: OLD_KEY,
    INTERNAL_SECRET: 'an internal secret of thirty-two characters',
    WEBHOOK_ALLOW_PRIVATE: 'loopback',
  };
  processes = await startSeparateProcesses(environment, async (installation) => {
    await addSimulatedModel(installation, openai);
    const path = '/api/user/webhook-secret/rotate';
    const { data } = (await installation.request('POST', path, { keep_old_for_hours: 0 })) as {
      data: { secret: string };
    };
    webhookSecret = data.secret;
    assistantId = await createSimulatedAssistant(installation, {
      assistant_name: 'Hours',
      system_prompt: 'You know the opening hours.',
      is_webhook_active: true,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
      max_silence_duration: 5,
      tools: [
        {
          type: 'http_request',
          name: 'look_up',
          description: 'Looks up the opening hours of a day.',
          url: hours.url,
          headers: [{ name: 'Authorization', value: TOOL_SECRET }],
          parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
        },
      ],
    });
  });
});
afterAll(async () => {
  await processes?.stop();
  await Promise.all([hours?.close(), receiver?.close(), openai.stop()]);
  await database?.drop();
});

/** Asks one api after the other until one of them answers: the other one is just being replaced. */
async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${processes.token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  for (let attempt = 0; ; attempt++) {
    const base = processes.apis[attempt % processes.apis.length] ?? '';
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${base}${path}`, init).catch((error: unknown) => error as Error);
    if (!(answer instanceof Error)) {
      const content = await answer.text();
      // 409: the request before, whose connection was cut, is still running; 503: no voice process has room.
      if (answer.ok) return JSON.parse(content) as unknown;
      if (![409, 503].includes(answer.status))
        throw new Error(`${method} ${path}: ${answer.status} ${content}`);
    }
    if (attempt > 600) throw new Error(`${method} ${path} was never answered`);
    await pause(systemClock, 100);
  }
}

/** Numbers of the phones that answer and talk, and of those that answer and stay silent. */
function numberOf(index: number): string {
  const area = 200 + index;
  return `+1${area}55501${index % 3 === 1 ? '98' : '00'}`;
}

/** A call every three seconds until it is stopped. */
function keepCalling(): { stop: () => Promise<number[]> } {
  const ids: number[] = [];
  const stopping = new AbortController();
  const work = (async () => {
    for (let index = 0; !stopping.signal.aborted; index++) {
      const body = { assistant_id: assistantId, phone_number: numberOf(index), variables: {} };
      const { call_id } = (await ask('POST', '/api/user/make_call', body)) as { call_id: number };
      ids.push(call_id);
      // A part of the webhooks waits for its next attempt at any time.
      if (index % 4 === 0) receiver.answerNext({ status: 503 });
      await pause(systemClock, 3_000, stopping.signal);
    }
    return ids;
  })();
  return {
    stop: () => {
      stopping.abort();
      return work;
    },
  };
}

/** @param killedAfterMs - null: it may end by itself @returns its answer; null when it gave none */
async function reseal(killedAfterMs: number | null): Promise<unknown> {
  const child = spawn(process.execPath, [COMMAND, 'reseal-secrets', '--json'], {
    env: { ...process.env, ...processes.environment, ...CHANGED },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  if (killedAfterMs !== null) systemClock.after(killedAfterMs, () => child.kill('SIGKILL'));
  const [out] = await Promise.all([text(child.stdout), exit]);
  return out === '' ? null : JSON.parse(out);
}

/** @returns each call whose webhooks have arrived, with the number of their ids; every signature is checked */
function reportsByCall(): [number, number][] {
  const reports = new Map<number, Set<string | undefined>>();
  for (const { headers, body } of receiver.requests) {
    new Webhook(webhookSecret).verify(body, headers);
    const { id } = JSON.parse(body) as { id: number };
    reports.set(id, (reports.get(id) ?? new Set()).add(headers['webhook-id']));
  }
  return [...reports].map(([id, { size }]): [number, number] => [id, size]).toSorted(([a], [b]) => a - b);
}

it('the key changes under calls and webhooks, while processes are killed: nothing is lost', async () => {
  const calling = keepCalling();
  await processes.replace(FIRST, 'SIGKILL', ADDED);
  await processes.replace(SECOND, 'SIGKILL', ADDED);
  await processes.replace(FIRST, 'SIGTERM', CHANGED);
  await processes.replace(SECOND, 'SIGKILL', CHANGED);
  for (const killedAfterMs of [600, 800, 1_000]) await reseal(killedAfterMs);
  const nothingLeft = { changed: 0, calls_with_other_keys: 0 };
  await expect.poll(() => reseal(null), { timeout: 60_000, interval: 3_000 }).toEqual(nothingLeft);
  await processes.replace(FIRST, 'SIGKILL', OVER);
  await processes.replace(SECOND, 'SIGKILL', OVER);
  const ids = await calling.stop();
  const calls: CallDetail[] = [];
  for (const id of ids) {
    const read = async (): Promise<CallDetail> => (await ask('GET', `/api/user/calls/${id}`)) as CallDetail;
    const answered = async () => (await read()).webhook_response.status;
    await expect.poll(answered, { timeout: 120_000, interval: 250 }).toBe(200);
    calls.push(await read());
  }
  // A conversation that one key has sealed goes on in a process that seals with the other one.
  const goneOn = calls.filter(({ events }) => events.some(({ type }) => type === 'process_replaced'));
  expect(goneOn).not.toEqual([]);
  expect(calls.filter(({ ended_reason }) => ended_reason === 'internal_error')).toEqual([]);
  expect(reportsByCall()).toEqual(ids.toSorted((a, b) => a - b).map((id) => [id, 1]));
  expect(hours.requests).not.toEqual([]);
  expect(hours.requests.filter(({ headers }) => headers['authorization'] !== TOOL_SECRET)).toEqual([]);
  expect(processes.output()).not.toMatch(/unknown key|UnknownKeyError/);
});
