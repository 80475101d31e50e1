/**
 * Calls whose sound is streamed to an agent, over real SIP, RTP and WebSockets: inbound by the route of a number, outbound by
 * `make_stream_call`, with agents that work and agents that fail.
 */
import { rmsDbfs, tone } from '@parley/audio';
import type { Phone, Step } from '@parley/phones';
import { startMediaStreamAgent, type MediaStreamAgent } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { startStranger } from '../src/stranger.ts';

/** Number of the inbound demo assistant of a fresh installation. */
const DEMO_NUMBER = '+12025550101';

interface Row {
  id: number;
  type?: string;
  phone_number?: string;
}

let installation: Installation;
let phone: Phone;
let secret: string;
let assistants: Row[];
let numberId: number;
let callers = 0;
const agents: MediaStreamAgent[] = [];

beforeAll(async () => {
  installation = await startInstallation({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
  phone = await startStranger();
  assistants = (await installation.request('GET', '/api/user/assistants')) as Row[];
  const numbers = (await installation.request('GET', '/api/user/phone-numbers')) as Row[];
  numberId = numbers.find(({ phone_number: number }) => number === DEMO_NUMBER)?.id ?? 0;
  const rotated = (await installation.request('POST', '/api/user/webhook-secret/rotate', {
    keep_old_for_hours: 0,
  })) as { data: { secret: string } };
  ({ secret } = rotated.data);
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

afterAll(async () => {
  await phone?.stop();
  await installation?.stop();
});

async function startAgent(
  options: Parameters<typeof startMediaStreamAgent>[0] = {},
): Promise<MediaStreamAgent> {
  const agent = await startMediaStreamAgent({ secret, ...options });
  agents.push(agent);
  return agent;
}

const assistantOf = (type: string): number => assistants.find((one) => one.type === type)?.id ?? 0;

async function routeTo(url: string, onFailure: 'assistant' | 'hang_up'): Promise<void> {
  await installation.request('PUT', `/api/user/phone-numbers/${numberId}/inbound-route`, {
    timezone: 'UTC',
    rules: [],
    otherwise: {
      type: 'stream',
      assistant_id: assistantOf('inbound'),
      url,
      parameters: [{ name: 'from', value: '{{customer_phone}}' }],
      on_failure: onFailure,
    },
  });
}

function ring(script: Step[]) {
  callers += 1;
  const from = `+1202555016${callers}`;
  const person = phone.call({
    to: DEMO_NUMBER,
    from,
    host: '127.0.0.1',
    port: installation.sipPort,
    transport: 'tcp',
    script,
  });
  const record = async (): Promise<CallDetail> => {
    const path = `/api/user/calls?phone_number=${encodeURIComponent(from)}`;
    const list = (await installation.request('GET', path)) as { data: Row[] };
    return waitForCall(installation, list.data[0]?.id ?? 0, ({ status }) => status === 'completed');
  };
  return { person, from, record };
}

it('streams an inbound call to its agent, which hears the caller and is heard', async () => {
  const agent = await startAgent();
  await routeTo(agent.url, 'hang_up');
  const { person, from, record } = ring([
    { do: 'wait', ms: 500 },
    { do: 'say', line: 'Hello, this is a caller.' },
    { do: 'press', keys: '42' },
    { do: 'wait', ms: 30_000 },
  ]);
  const stream = await agent.session(1);
  expect(stream.start).toMatchObject({ customParameters: { from } });
  stream.say(tone({ hz: 440, sampleRateHz: 8000, samples: 8000 }));
  stream.mark('tone');
  await expect.poll(() => [stream.marks, stream.keys], { timeout: 20_000 }).toEqual([['tone'], '42']);
  stream.close();
  const end = await person.ended;
  expect(end.cause).toBe('remote-hang-up');
  expect(stream.faults).toEqual([]);
  expect(rmsDbfs(stream.heard())).toBeGreaterThan(-45);
  expect(rmsDbfs(person.heard())).toBeGreaterThan(-40);
  const call = await record();
  expect(call).toMatchObject({ ended_reason: 'agent_hung_up', outcome: 'talked' });
  const types = call.events.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['routed', 'answered', 'agent_connected']));
});

it('lets the assistant continue an inbound call when its agent crashes', async () => {
  const agent = await startAgent();
  await routeTo(agent.url, 'assistant');
  const { person, record } = ring([{ do: 'listen', pauseMs: 700, patienceMs: 30_000 }, { do: 'hang-up' }]);
  const stream = await agent.session(1);
  await expect.poll(() => stream.messages.length, { timeout: 20_000 }).toBeGreaterThan(20);
  stream.crash();
  await person.ended;
  const call = await record();
  expect(call.transcript).toMatch(/^AI: /);
  expect(call.events.find(({ type }) => type === 'agent_failed')?.detail).toMatchObject({
    reason: 'lost',
    on_failure: 'assistant',
  });
});

it('streams an outbound call, and ends it when the agent cannot be reached', async () => {
  const agent = await startAgent();
  const body = (url: string, number: string): object => ({
    phone_number: number,
    assistant_id: assistantOf('outbound'),
    url,
    on_failure: 'hang_up',
  });
  const place = async (url: string, number: string): Promise<number> => {
    const path = '/api/user/make_stream_call';
    return ((await installation.request('POST', path, body(url, number))) as { call_id: number }).call_id;
  };
  const callId = await place(agent.url, '+12025550123');
  const stream = await agent.session(1);
  expect(stream.start).toMatchObject({ callSid: `CA${String(callId).padStart(32, '0')}` });
  stream.say(tone({ hz: 440, sampleRateHz: 8000, samples: 4000 }));
  stream.mark('end');
  await expect.poll(() => stream.marks, { timeout: 20_000 }).toEqual(['end']);
  stream.close();
  const isOver = ({ status }: CallDetail): boolean => status === 'completed';
  const call = await waitForCall(installation, callId, isOver);
  expect(call).toMatchObject({ type: 'outbound', ended_reason: 'agent_hung_up' });
  expect(stream.faults).toEqual([]);

  await agent.close();
  agents.length = 0;
  const failed = await waitForCall(installation, await place(agent.url, '+12025550124'), isOver);
  expect(failed).toMatchObject({ ended_reason: 'agent_failed', outcome: 'our_fault' });
});
