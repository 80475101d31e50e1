/**
 * How the end of the caller's turn is found, what they say meanwhile, and who is not a caller; in virtual time. The
 * caller speaks from 1000 on for 0.8 s; their last word ends at 1800.
 */
import { describe, expect, it } from 'vitest';
import { fakeSpeech } from '@parley/speech/fakes';
import { GONE } from '../test/faulty-providers.ts';
import { handRecogniser, type HandRecogniser } from '../test/hand-recogniser.ts';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

const LAST_WORD_MS = 1800;

interface Listening {
  call: Scenario;
  recogniser: HandRecogniser;
}

async function setup(options: ScenarioOptions = {}, recogniser = handRecogniser()): Promise<Listening> {
  const answers = Array.from({ length: 9 }, () => fakeSpeech('We open at nine. We close at six.'));
  const call = new Scenario({ answers, recogniser, ...options });
  await call.answerAndGreet();
  await call.speech(800);
  return { call, recogniser };
}

/** From the caller's last word to the end of their turn. */
function waitedMs(call: Scenario): number {
  const phases = call.events.flatMap((event) => (event.type === 'phase' ? [event] : []));
  const thinking = phases.findLast(({ phase }) => phase === 'thinking');
  return (thinking?.atMs ?? NaN) - LAST_WORD_MS;
}

describe('endpoint_type vad', () => {
  it.each([
    [0.2, 200],
    [0.5, 500],
    [5, 5000],
  ])('with %d s waits for so long, whatever was said', async (endpointSensitivitySeconds, expectedMs) => {
    const { call, recogniser } = await setup({ settings: { endpointSensitivitySeconds } });
    await call.silence(100);
    recogniser.emit({ type: 'final', text: 'I would like a table and' });
    await call.silence(6000);
    expect(Math.abs(waitedMs(call) - expectedMs)).toBeLessThanOrEqual(40);
  });

  it('counts the silence from the end of the caller’s speech: the delay of the line is part of it', async () => {
    const silenceMs = async (heldMs: number): Promise<number> => {
      const call = new Scenario({ answers: [fakeSpeech('We open at nine.')] });
      call.line.receivedAgoMs = heldMs;
      await call.answerAndGreet();
      await call.speech(800);
      await call.silence(2000);
      const { latency } = call.conversation.transcript().at(-1) ?? {};
      return (latency?.firstSoundMs ?? NaN) - (latency?.speechEndMs ?? NaN);
    };
    expect((await silenceMs(45)) - (await silenceMs(0))).toBe(45);
  });
});

describe('endpoint_type ai', () => {
  const byWords = { settings: { endpointType: 'ai' as const } };

  it.each([
    ['A table for two, please.', 300],
    ['a table for two', 500],
    ['my number is 555 01', 1800],
    ['a table for 4', 1000],
    ['a table for two and', 1800],
  ])('waits by the words: %s', async (text, expectedMs) => {
    const { call, recogniser } = await setup(byWords);
    await call.silence(100);
    recogniser.emit({ type: 'final', text });
    await call.silence(4000);
    expect(Math.abs(waitedMs(call) - expectedMs)).toBeLessThanOrEqual(40);
  });

  it('learns how long this caller pauses', async () => {
    const { call, recogniser } = await setup({
      settings: { endpointType: 'ai', endpointSensitivitySeconds: 0.9 },
    });
    await call.silence(800);
    await call.speech(400);
    await call.silence(100);
    recogniser.emit({ type: 'final', text: 'a table for two' });
    await call.silence(3000);
    const { latency } = call.conversation.transcript().at(-1) ?? {};
    const waited = (latency?.turnEndMs ?? 0) - (latency?.speechEndMs ?? 0);
    expect(waited).toBeGreaterThan(940);
    expect(waited).toBeLessThan(1100);
  });

  it('believes a recogniser that understands the end of a turn', async () => {
    const { call, recogniser } = await setup(byWords, handRecogniser('semantic'));
    recogniser.emit({ type: 'interim', text: 'a table for two' });
    await call.silence(200);
    recogniser.emit({ type: 'eager-end', confidence: 0.7 });
    await call.silence(60);
    recogniser.emit({ type: 'final', text: 'a table for two and' });
    recogniser.emit({ type: 'end-of-turn', confidence: 1 });
    await call.silence(1000);
    expect(waitedMs(call)).toBeLessThanOrEqual(340);
  });

  it('waits no longer once a recogniser has ended the turn', async () => {
    const { call, recogniser } = await setup(byWords, handRecogniser('semantic'));
    recogniser.emit({ type: 'interim', text: 'a table for two' });
    await call.silence(600);
    recogniser.emit({ type: 'final', text: 'a table for two' });
    recogniser.emit({ type: 'end-of-turn', confidence: 0.6 });
    await call.silence(1500);
    expect(waitedMs(call)).toBeLessThanOrEqual(640);
  });

  it('but waits again for a caller who continues after such an end', async () => {
    const { call, recogniser } = await setup(byWords, handRecogniser('semantic'));
    await call.silence(140);
    recogniser.emit({ type: 'final', text: 'A table.' });
    recogniser.emit({ type: 'end-of-turn', confidence: 0.6 });
    await call.speech(400);
    recogniser.emit({ type: 'interim', text: 'for two' });
    await call.silence(1000);
    expect(call.transcript()).toEqual(['bot: Hello.']);
  });

  it('and one that takes it back', async () => {
    const { call, recogniser } = await setup(byWords, handRecogniser('semantic'));
    recogniser.emit({ type: 'interim', text: 'A table for two.' });
    await call.silence(200);
    recogniser.emit({ type: 'eager-end', confidence: 0.9 });
    recogniser.emit({ type: 'turn-resumed' });
    await call.silence(4000);
    expect(Math.abs(waitedMs(call) - 2500)).toBeLessThanOrEqual(40);
    expect((await call.end()).drafts.made).toBe(0);
  });

  it('answers ahead of an eager end', async () => {
    const { call, recogniser } = await setup(byWords, handRecogniser('semantic'));
    recogniser.emit({ type: 'interim', text: 'A table for two.' });
    await call.silence(300);
    recogniser.emit({ type: 'eager-end', confidence: 0.9 });
    await call.silence(2000);
    expect((await call.end()).drafts).toEqual({ made: 1, discarded: 0 });
  });
});

describe('said into the assistant’s turn', () => {
  /** The assistant has spoken for half a second. */
  async function interrupted(options: ScenarioOptions = {}): Promise<Listening> {
    const listening = await setup(options);
    await listening.call.silence(100);
    listening.recogniser.emit({ type: 'final', text: 'When?' });
    await listening.call.silence(900);
    listening.call.log.length = 0;
    return listening;
  }

  it('“stop” ends it at once, however long the owner wants to be spoken to', async () => {
    const { call, recogniser } = await interrupted({
      settings: { interruptSensitivitySeconds: 5, minInterruptWords: 5 },
    });
    await call.speech(200);
    recogniser.emit({ type: 'interim', text: 'Stop' });
    await call.speech(100);
    expect(call.story()).toMatchInlineSnapshot(`
      "2860 lower
      2860 overlapped
      3000 clear
      3000 resume
      3000 bot "We open at nine."
      3000 listening
      3020 turn 2 falls silent"
    `);
  });

  it('“mm-hm” does not, however long it takes', async () => {
    const { call, recogniser } = await interrupted();
    await call.speech(160);
    recogniser.emit({ type: 'interim', text: 'Mm-hm' });
    await call.speech(800);
    await call.silence(300);
    recogniser.emit({ type: 'final', text: 'Mm-hm.' });
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "2860 lower
      2860 overlapped
      3900 bot "We open at nine. We close at six."
      3900 resume
      3900 listening
      3920 turn 2 falls silent
      4040 ending
      4260 human "Mm-hm."
      4260 waiting"
    `);
  });

  it('where the owner wants to be interrupted at once, “mm-hm” is a pause', async () => {
    const { call, recogniser } = await interrupted({ settings: { interruptSensitivitySeconds: 0.1 } });
    await call.speech(160);
    recogniser.emit({ type: 'interim', text: 'Mm-hm' });
    await call.speech(800);
    await call.silence(300);
    recogniser.emit({ type: 'final', text: 'Mm-hm.' });
    await call.silence(3000);
    expect(call.story()).toMatchInlineSnapshot(`
      "2860 lower
      2860 overlapped
      2880 pause
      2900 turn 2 falls silent
      4080 resume
      4080 speaking
      4100 turn 2 sounds
      5100 human "Mm-hm."
      5100 bot "We open at nine. We close at six."
      5100 waiting
      5120 turn 2 falls silent"
    `);
  });

  it('no words stop it where the owner allows no interruption; at its end they get a reply', async () => {
    const { call, recogniser } = await interrupted({ settings: { allowInterruptions: false } });
    await call.speech(300);
    recogniser.emit({ type: 'interim', text: 'Stop' });
    await call.silence(300);
    recogniser.emit({ type: 'final', text: 'Stop.' });
    await call.silence(3000);
    expect(call.transcript()).toEqual([
      'bot: Hello.',
      'human: When?',
      'bot: We open at nine. We close at six.',
      'human: Stop.',
      'bot: We open at nine. We close at six.',
    ]);
  });
});

describe('music', () => {
  it('holds the floor for half a minute, then counts as silence', async () => {
    const { call } = await setup({ settings: { reEngagementIntervalSeconds: 60, maxSilenceSeconds: 20 } });
    await call.speech(75_000);
    expect(call.story()).toMatchInlineSnapshot(`
      "1060 listening
      31000 ending
      33980 human "[not recognised]"
      33980 thinking
      34000 speaking
      34000 turn 2 sounds
      35580 bot "We open at nine. We close at six."
      35580 waiting
      35600 turn 2 falls silent
      55580 closing
      55600 turn 3 sounds
      58740 bot "I cannot hear you any more, so I will end the call now. Goodbye."
      58740 hang up by assistant: silence_limit
      58740 closed
      58760 turn 3 falls silent"
    `);
  });
});

describe('a recogniser that is replaced', () => {
  it('hears the last two seconds again, and only what was not answered', async () => {
    const { call, recogniser } = await setup();
    await call.speech(3000);
    recogniser.emit({ type: 'failed', error: GONE });
    expect(recogniser.pushed).toBe(2 * 8000);
    recogniser.emit({ type: 'final', text: 'One.', endMs: 1900 });
    await call.speech(1000);
    recogniser.emit({ type: 'failed', error: GONE });
    expect(recogniser.pushed).toBe(1.1 * 8000);
  });

  it('is asked again for the final it owed', async () => {
    const { call, recogniser } = await setup();
    await call.silence(400);
    expect(recogniser.finalised).toBe(1);
    recogniser.emit({ type: 'failed', error: GONE });
    expect(recogniser.finalised).toBe(2);
    recogniser.emit({ type: 'final', text: 'When do you open?' });
    await call.silence(2000);
    expect(call.transcript()).toEqual([
      'bot: Hello.',
      'human: When do you open?',
      'bot: We open at nine. We close at six.',
    ]);
  });
});

describe('a voice in the background that does not end', () => {
  it('is told from the caller by the gap that the recogniser hears after the words', async () => {
    const recogniser = handRecogniser();
    const call = new Scenario({ recogniser, answers: [fakeSpeech('For two?')] });
    await call.answerAndGreet();
    await call.speech(800);
    recogniser.emit({ type: 'final', text: 'A table, please.' });
    await call.speech(1000);
    recogniser.emit({ type: 'word-gap' });
    await call.speech(800);
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: A table, please.', 'bot: For two?']);
  });

  it('does not keep the caller without a reply', async () => {
    const recogniser = handRecogniser();
    const call = new Scenario({ recogniser, answers: [fakeSpeech('For two?')] });
    await call.answerAndGreet();
    await call.speech(800);
    recogniser.emit({ type: 'interim', text: 'A table, please' });
    await call.speech(2300);
    recogniser.emit({ type: 'final', text: 'A table, please.' });
    await call.speech(800);
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: A table, please.', 'bot: For two?']);
  });
});
