/** The gate in CI: a stored suite, run by the command line, fails on a planted regression of prompt, of tool use and of latency. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator, type OpenAiSimulatorOptions } from '@parley/speech/fakes';
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation, type Installation } from '../src/installation.ts';

const PROMPT = 'We open at nine. Tables are booked with the tool.';
const SUITE = `
name: Gate
assistant: Restaurant
run_tools: true
callers:
  - name: asks
    script: [When do you open?]
    expect: { said: [at nine] }
  - name: books
    script: [A table for two.]
    expect: { tools: [{ name: book_table, arguments: { guests: 2 } }] }
  - name: is answered soon
    script: [Hello?]
    expect: { latency: { max: 6000 } }
`;
/** Does what its prompt and its tools say. */
const behaviour: OpenAiSimulatorOptions = {
  clock: systemClock,
  chat: ({ messages, tools }) => {
    const all = messages as { role: string; content: unknown }[];
    if (all.at(-1)?.role === 'tool') return { text: 'Your table is booked.' };
    const canBook = JSON.stringify(tools ?? []).includes('book_table');
    if (canBook && JSON.stringify(all.at(-1)).includes('table'))
      return { toolCalls: [{ name: 'book_table', arguments: { guests: 2 } }] };
    return { text: JSON.stringify(all[0]).includes('at nine') ? 'We open at nine.' : 'We open at ten.' };
  },
};
const model = new OpenAiSimulator(behaviour);
let bookings: WebhookReceiver;
let installation: Installation;

beforeAll(async () => {
  await model.start();
  bookings = await startWebhookReceiver();
  installation = await startInstallation();
});
afterAll(async () => {
  await installation?.stop();
  await bookings?.close();
  await model.stop();
});

interface Made {
  data: { id: number };
}

async function createAssistant(): Promise<number> {
  const post = async (path: string, body: object) =>
    ((await installation.request('POST', path, body)) as Made).data.id;
  await post('/api/user/providers', {
    name: 'Simulated',
    kind: 'openai-compatible',
    base_url: model.baseUrl,
    models: [{ name: 'simulated' }],
  });
  const [voice] = (await installation.request('GET', '/api/user/assistants/voices?mode=pipeline')) as {
    id: number;
  }[];
  return post('/api/user/assistant', {
    assistant_name: 'Restaurant',
    voice_id: voice?.id,
    llm_model: 'simulated',
    language: 'English',
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Good morning.',
    system_prompt: PROMPT,
    tools: [bookingTool()],
  });
}

function bookingTool(): object {
  const parameters = { type: 'object', properties: { guests: { type: 'number' } } };
  const description = 'Books a table.';
  return { type: 'http_request', name: 'book_table', description, url: bookings.url, parameters };
}

it('a stored suite passes, and fails on each planted regression', { timeout: 300_000 }, async () => {
  const assistantId = await createAssistant();
  const file = join(installation.dataDir, 'gate.yaml');
  const [junit, json] = ['junit.xml', 'results.json'].map((name) => join(installation.dataDir, name));
  await writeFile(file, SUITE);
  const access = ['--url', installation.baseUrl, '--token', installation.token];
  const created = JSON.parse(await installation.cli(['suites', 'create', file, '--json', ...access])) as Made;
  const suite = String(created.data.id);
  const reports = ['--junit', junit ?? '', '--json', json ?? ''];
  const gate = () =>
    installation.cli(['suites', 'run', suite, '--max-minutes', '5', ...reports, ...access]).then(
      (out) => ({ code: 0, out }),
      (error: unknown) => ({
        code: (error as { code: number }).code,
        out: (error as { stdout: string }).stdout,
      }),
    );
  const change = (body: object) => installation.request('PUT', `/api/user/assistant/${assistantId}`, body);

  expect(await gate()).toMatchObject({ code: 0, out: expect.stringContaining('3 of 3 callers passed.') });
  expect(await readFile(junit ?? '', 'utf8')).toContain('tests="3" failures="0"');

  await change({ system_prompt: 'Tables are booked with the tool.' });
  expect(await gate()).toMatchObject({ code: 1, out: expect.stringMatching(/^asks +FAILED/m) });
  expect(await readFile(junit ?? '', 'utf8')).toContain('did not say &quot;at nine&quot;');
  const results: unknown = JSON.parse(await readFile(json ?? '', 'utf8'));
  expect(results).toMatchObject({
    is_passed: false,
    callers: [{ is_passed: false }, { is_passed: true }, {}],
  });

  await change({ system_prompt: PROMPT, tools: [] });
  expect(await gate()).toMatchObject({ code: 1, out: expect.stringMatching(/^books +FAILED/m) });

  await change({ tools: [bookingTool()] });
  behaviour.firstAfterMs = 7000;
  expect(await gate()).toMatchObject({ code: 1, out: expect.stringMatching(/^is answered soon +FAILED/m) });

  behaviour.firstAfterMs = 0;
  expect(await gate()).toMatchObject({ code: 0 });
  expect(await installation.cli(['suites', 'list', ...access])).toMatch(/Gate +3 +3 +5 +passed$/m);
});
