/** Calls whose sound is streamed to a real agent over a real WebSocket, on a fake leg. */
import { rmsDbfs, tone } from '@parley/audio';
import { findCall, revealWebhookSecret } from '@parley/core';
import { startMediaStreamAgent, useTestDatabase, type MediaStreamAgent } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { arrangeSession } from '../../test/arrange-session.ts';
import { placeOutboundCall, type ArrangedVoice, type VoiceOptions } from '../../test/arrange-voice.ts';

const database = useTestDatabase();
const LIMIT = { timeout: 20_000 };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

interface SetupOptions extends VoiceOptions {
  agent?: Parameters<typeof startMediaStreamAgent>[0];
  onFailure?: 'assistant' | 'hang_up';
  url?: string;
}

/** An answered call, and its agent. */
async function setup({ agent: how = {}, onFailure = 'assistant', url, ...options }: SetupOptions = {}) {
  let agent: MediaStreamAgent | null = null;
  const place = async (about: ArrangedVoice): Promise<number> => {
    const { core, identity } = about;
    const secret = await revealWebhookSecret(core, identity.userId);
    agent = await startMediaStreamAgent({ secret, ...how });
    const stream = {
      url: url ?? agent.url,
      parameters: [
        { name: 'from', value: '{{customer_phone}}' },
        { name: 'plan', value: '{{plan|none}}' },
      ],
      onFailure,
    };
    return placeOutboundCall(about, { variables: { plan: 'gold' }, stream });
  };
  const about = await arrangeSession(database.db, { ...options, place });
  if (!agent) throw new Error('The agent was not started');
  const started: MediaStreamAgent = agent;
  undo.push(
    async () => {
      await about.leg.hangUp();
      await about.session.finished;
    },
    () => started.close(),
  );
  about.answer();
  /** Lets frames pass, and gives the sockets time, until the condition holds. */
  const until = async (condition: () => boolean): Promise<void> => {
    await expect
      .poll(
        async () => {
          await about.talk(20);
          return condition();
        },
        { ...LIMIT, interval: 1 },
      )
      .toBe(true);
  };
  const notes = async (): Promise<string[]> =>
    (await about.types()).filter((type) => type.startsWith('agent_'));
  return { ...about, agent: started, until, notes };
}

describe('a streamed call', () => {
  it('exchanges sound, keys and marks with its agent, without a fault', async () => {
    const { agent, leg, until, callId, core, identity, session, notes } = await setup();
    const stream = await agent.session(1);
    expect(stream.start).toMatchObject({
      callSid: `CA${String(callId).padStart(32, '0')}`,
      accountSid: `AC${String(identity.userId).padStart(32, '0')}`,
      customParameters: { from: expect.stringMatching(/^\+1\d{10}$/) as string, plan: 'gold' },
    });
    leg.media.sayAtFarEnd(tone({ hz: 500, sampleRateHz: 8000, samples: 8000 }));
    stream.say(tone({ hz: 400, sampleRateHz: 8000, samples: 4000 }));
    stream.mark('spoken');
    leg.pressAtFarEnd('5');
    await until(() => stream.marks.length > 0 && stream.heard().length >= 8000 && stream.keys === '5');
    expect(rmsDbfs(stream.heard())).toBeGreaterThan(-20);
    expect(rmsDbfs(Int16Array.from(leg.media.heard))).toBeGreaterThan(-30);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await stream.closed).toBe(1000);
    expect(stream.messages.at(-1)).toMatchObject({ event: 'stop' });
    expect(stream.faults).toEqual([]);
    const call = await findCall(core, identity, callId);
    expect(call).toMatchObject({ ended_reason: 'customer_hung_up', outcome: 'talked' });
    expect(await notes()).toEqual(['agent_connected']);
  });

  it('ends when the agent closes the stream', async () => {
    const { agent, session, end, leg } = await setup();
    (await agent.session(1)).close();
    await session.finished;
    expect(leg.requests.at(-1)).toBe('hang-up');
    expect(await end()).toMatchObject({ endedReason: 'agent_hung_up' });
  });

  it('is continued by the assistant when the agent crashes', async () => {
    const { agent, until, turns, session, leg, end, notes } = await setup();
    const stream = await agent.session(1);
    await until(() => stream.messages.length > 20);
    stream.crash();
    await until(() => turns.length > 0);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(turns[0]).toContain('Hello');
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up' });
    expect(await notes()).toEqual(['agent_connected', 'agent_failed']);
  });

  it('is continued by the assistant when the agent refuses the connection', async () => {
    const { until, turns, agent, lastLine } = await setup({ agent: { refuse: 403 } });
    await until(() => turns.length > 0);
    expect(agent.sessions).toEqual([]);
    await expect.poll(lastLine, LIMIT).toMatchObject({
      type: 'agent_failed',
      detail: {
        reason: 'unreachable',
        on_failure: 'assistant',
        message: 'The agent answered the handshake with status 403',
      },
    });
  });

  it('ends with the reason when there is no assistant for failures', async () => {
    const { session, end } = await setup({ onFailure: 'hang_up', agent: { refuse: 500 } });
    await session.finished;
    expect(await end()).toMatchObject({ endedReason: 'agent_failed' });
  });

  it.each([
    [
      'floods',
      (send: (text: string) => void) => Array.from({ length: 7_000 }, () => send('{"event":"clear"}')),
    ],
    ['sends garbage', (send: (text: string) => void) => Array.from({ length: 200 }, () => send('garbage'))],
    ['sends a message that is too long', (send: (text: string) => void) => send('x'.repeat(1_100_000))],
  ])('survives an agent that %s', async (_what, act) => {
    const { agent, until, turns } = await setup();
    const stream = await agent.session(1);
    act((text) => stream.send(text));
    await until(() => turns.length > 0);
  });

  it('has the maximum duration of its assistant', async () => {
    const { agent, session, end, talk } = await setup({ assistant: { max_duration: 30 } });
    await agent.session(1);
    await talk(30_000);
    await session.finished;
    expect(await end()).toMatchObject({ endedReason: 'duration_limit' });
  });

  it('is not made with an assistant that has a disclosure message', async () => {
    const message = 'This call is recorded.';
    await expect(setup({ assistant: { disclosure_message: message } })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { assistant_id: [expect.stringContaining('disclosure') as string] },
    });
  });
});
