/** A call whose assistant asks a person before it transfers the caller, on fake legs. */
import { fakeToolCall } from '@parley/speech/fakes';
import type { FakeLeg } from '@parley/telephony/fakes';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeSession, joined, toolResults, transcript } from '../test/arrange-session.ts';
import { freshNumber, type VoiceOptions } from '../test/arrange-voice.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };

describe('a session whose caller waits for a person who is asked', () => {
  async function asking() {
    const to = freshNumber();
    const about = await arrangeSession(database.db, { ...askFirst(to), withAmbience: true });
    const { endpoint, leg, talk, talkUntilCheckIn } = about;
    await talkUntilCheckIn();
    await expect.poll(() => endpoint.legs.length, POLL).toBe(1);
    const [second] = endpoint.legs;
    if (!second) throw new Error('No second leg was dialed');
    second.answerAtFarEnd();
    /** Time for both ends. */
    const pass = async (forMs: number): Promise<void> => {
      for (let passedMs = 0; passedMs < forMs; passedMs += 20) {
        await talk(20);
        second.media.passFrame();
      }
    };
    return { ...about, leg, second, pass };
  }

  it('plays music to the caller and the announcement to the person, and does not listen to the caller', async () => {
    const { leg, second, pass, engines, session } = await asking();
    expect(leg.media.ambience).toMatchObject({ samples: engines.music });
    leg.pressAtFarEnd('9');
    await pass(3_000);
    expect(second.media.heard.some((sample) => sample !== 0)).toBe(true);
    expect([leg.requests, second.requests]).toEqual([[], []]);
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(second.requests).toEqual(['hang-up']);
  });

  it('connects both when the person accepts', async () => {
    const { leg, second, pass, talk, session, types, core, callId, end } = await asking();
    await pass(1_000);
    second.pressAtFarEnd('1');
    await pass(3_000);
    await expect.poll(() => joined(leg, second, talk), POLL).toBe(true);
    expect(leg.media.ambience).toBeNull();
    second.hangUpAtFarEnd();
    await session.finished;
    expect(await types()).toContain('call_bridge_joined');
    expect(await toolResults(core, callId)).toEqual(['The caller was put through.']);
    expect(await end()).toMatchObject({ endedReason: 'call_transfer', isLive: false });
  });

  it.each([
    ['declines', (second: FakeLeg) => second.pressAtFarEnd('2'), /does not take the call/],
    ['hangs up', (second: FakeLeg) => second.hangUpAtFarEnd(), /hung up without/],
  ])('goes on with the caller when the person %s', async (_what, act, result) => {
    const { leg, second, pass, engines, session, types, core, callId, end } = await asking();
    await pass(1_000);
    leg.pressAtFarEnd('9');
    act(second);
    await pass(4_000);
    await expect.poll(types, POLL).toContain('call_bridge_ended');
    expect(leg.media.ambience).toMatchObject({ samples: engines.ambience });
    expect(session.state()).toBe('talking');
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await toolResults(core, callId)).toEqual([expect.stringMatching(result)]);
    const [stored] = await transcript(core, callId);
    expect(stored?.transcript).toContain('AI: Nobody is free.');
    // A key that is pressed during the wait is no answer to the assistant.
    expect(stored?.transcript).not.toContain('Customer:');
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
    expect(engines.released).toBe(engines.opened);
  });
});

/** An assistant that asks somebody before it transfers a silent caller. */
function askFirst(phoneNumber: string): VoiceOptions {
  const data = {
    destinations: [{ name: 'Ann', phone_number: phoneNumber }],
    ring_timeout_seconds: 20,
    announcement: 'A call. Press 1.',
    accept_key: '1',
    accept_words: [],
    decline_words: [],
    accept_timeout_seconds: 45,
    hold_sound: 'music',
    unavailable_message: 'Nobody is free.',
  };
  return {
    answers: [fakeToolCall('', 'warm_call_transfer', { destination: 'Ann' })],
    assistant: { reengagement_interval: 7, tools: [{ type: 'warm_call_transfer', data }] },
  };
}
