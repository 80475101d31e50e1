/** What callers do that is neither a sentence nor silence, in virtual time: echoes, "hello?", "hold on", numbers in parts. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { createFakeModel, fakeSpeech } from '@parley/speech/fakes';
import { hangingModel } from '../test/faulty-providers.ts';
import { handRecogniser, type HandRecogniser } from '../test/hand-recogniser.ts';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

const REPLY = 'We open at nine on weekdays. On Sundays we are closed. Shall I book a table?';
const REPLY_MS = REPLY.length * 50;
const QUESTION = 'When do you open?';

interface Asked {
  call: Scenario;
  recogniser: HandRecogniser;
}

/** The caller has asked something, and the words have come. */
async function asked(
  text: string,
  options: ScenarioOptions & { firstAfterMs?: number } = {},
): Promise<Asked> {
  const { firstAfterMs = 300 } = options;
  const answers = Array.from({ length: 9 }, () => fakeSpeech(REPLY, { firstAfterMs }));
  const recogniser = options.recogniser ? (options.recogniser as HandRecogniser) : handRecogniser();
  const call = new Scenario({ answers, ...options, recogniser });
  await call.answerAndGreet();
  await call.speech(800);
  await call.silence(200);
  recogniser.emit({ type: 'final', text });
  return { call, recogniser };
}

const asksAndReplies = ['bot: Hello.', `human: ${QUESTION}`, `bot: ${REPLY}`];

describe('the echo of the assistant, which the recogniser transcribes and the detector does not report', () => {
  it('while it speaks is neither an aside nor a part of the caller’s turn', async () => {
    const { call, recogniser } = await asked(QUESTION);
    await call.silence(2000);
    recogniser.emit({ type: 'interim', text: 'we open at' });
    recogniser.emit({ type: 'final', text: 'We open at nine on weekdays.' });
    await call.silence(1500);
    recogniser.emit({ type: 'final', text: 'On Sunday we are closed.', endMs: call.line.nowMs() });
    await call.silence(9000);
    expect(call.transcript()).toEqual(asksAndReplies);
  });

  it('after it has spoken is no turn, so that the assistant does not answer itself', async () => {
    const { call, recogniser } = await asked(QUESTION);
    await call.silence(1000 + REPLY_MS);
    recogniser.emit({ type: 'final', text: 'Shall I book the table?' });
    await call.silence(9000);
    expect(call.transcript()).toEqual(asksAndReplies);
  });

  it('is no request not to be called again', async () => {
    const notice = 'If you wish, say please do not call me again.';
    const { call, recogniser } = await asked(QUESTION, { answers: [fakeSpeech(notice)] });
    await call.silence(2000);
    recogniser.emit({ type: 'final', text: 'Please do not call me again.' });
    await call.silence(2000);
    expect(call.events.filter(({ type }) => type === 'opted-out')).toEqual([]);
  });

  it('is told from a soft answer, and from the same words of a caller who was detected', async () => {
    const { call, recogniser } = await asked(QUESTION);
    await call.silence(1000 + REPLY_MS);
    recogniser.emit({ type: 'final', text: 'Yes, a table for two.' });
    await call.silence(2000 + REPLY_MS);
    await call.speech(900);
    await call.silence(200);
    recogniser.emit({ type: 'final', text: 'Book a table.' });
    await call.silence(9000);
    expect(call.transcript().filter((line) => line.startsWith('human'))).toEqual([
      `human: ${QUESTION}`,
      'human: Yes, a table for two.',
      'human: Book a table.',
    ]);
  });

  it('does not cover the words of the caller that come late and that the assistant repeats', async () => {
    const answers = [fakeSpeech('A table for four, very good.', { firstAfterMs: 100 })];
    const recogniser = handRecogniser();
    const late = new Scenario({ answers, recogniser });
    await late.answerAndGreet();
    await late.speech(800);
    recogniser.emit({ type: 'interim', text: 'A table for' });
    await late.silence(1900);
    recogniser.emit({ type: 'final', text: 'A table for four.', endMs: 1800 });
    await late.silence(100);
    expect(late.transcript()).toContain('human: A table for four.');
  });
});

describe('a caller who waits for a slow model', () => {
  it.each(['Hello?', 'Hello? Are you there?', 'When do you open?'])(
    'and says “%s” again and again hears the reply, not the beginning of another wait',
    async (text) => {
      const { call, recogniser } = await asked(QUESTION, { firstAfterMs: 2400 });
      for (let n = 0; n < 2; n++) {
        await call.silence(700);
        await call.speech(500);
        await call.silence(200);
        recogniser.emit({ type: 'final', text });
      }
      await call.silence(1000 + REPLY_MS);
      expect(call.transcript()).toEqual([
        'bot: Hello.',
        `human: ${QUESTION}`,
        `human: ${text}`,
        `human: ${text}`,
        `bot: ${REPLY}`,
      ]);
    },
  );

  it('that hangs, and asks whether they are heard, gets the reply of another model', async () => {
    const clock = new ManualClock();
    const other = createFakeModel({ clock, answers: () => fakeSpeech(REPLY) });
    const recogniser = handRecogniser();
    const fallbacks = { models: [other] };
    const call = new Scenario({ clock, recogniser, model: hangingModel, fallbacks });
    await call.answerAndGreet();
    await call.speech(800);
    await call.silence(200);
    recogniser.emit({ type: 'final', text: QUESTION });
    for (let n = 0; n < 3; n++) {
      await call.silence(1300);
      await call.speech(500);
      await call.silence(200);
      recogniser.emit({ type: 'final', text: 'Hello?' });
    }
    expect(other.requests).toHaveLength(1);
    await call.silence(REPLY_MS);
    expect(call.transcript()).toContain(`bot: ${REPLY}`);
  });

  it('and adds something is answered for both', async () => {
    const { call, recogniser } = await asked(QUESTION, { firstAfterMs: 2400 });
    await call.silence(700);
    await call.speech(800);
    await call.silence(200);
    recogniser.emit({ type: 'final', text: 'And do you have parking?' });
    await call.silence(3000);
    expect(call.line.sent.filter(({ turn }) => turn === 2)).toEqual([]);
    await call.silence(REPLY_MS);
    expect(call.transcript().at(-1)).toBe(`bot: ${REPLY}`);
  });

  it('with a recogniser of whole utterances does not lose the reply to a long “Hello?”', async () => {
    const streaming = handRecogniser();
    const recogniser = { ...streaming, capabilities: { ...streaming.capabilities, hasInterim: false } };
    const { call } = await asked(QUESTION, { recogniser, firstAfterMs: 2400 });
    await call.silence(700);
    await call.speech(1200);
    await call.silence(400);
    streaming.emit({ type: 'final', text: 'Hello? Can you hear me?' });
    await call.silence(1500 + REPLY_MS);
    expect(call.transcript().at(-1)).toBe(`bot: ${REPLY}`);
    expect(call.line.sent.filter(({ turn }) => turn > 2)).toEqual([]);
  });

  it('and says “Hello?” just when the reply begins does not stop it', async () => {
    const { call, recogniser } = await asked(QUESTION);
    await call.silence(900);
    await call.speech(500);
    recogniser.emit({ type: 'interim', text: 'Hello? Hello?' });
    await call.speech(300);
    recogniser.emit({ type: 'final', text: 'Hello? Hello?' });
    await call.silence(1000 + REPLY_MS);
    expect(call.transcript().filter((line) => line.startsWith('bot'))).toEqual([
      'bot: Hello.',
      `bot: ${REPLY}`,
    ]);
  });
});

describe('a caller who asks the assistant to wait', () => {
  const settings = { reEngagementIntervalSeconds: 10, maxSilenceSeconds: 40 };
  const atMs = (call: Scenario, what: RegExp): number => {
    const line = call.log.find((entry) => what.test(entry));
    return line === undefined ? Infinity : Number(line.split(' ')[0]);
  };

  it('has a minute more before a check-in, and before the goodbye', async () => {
    const { call } = await asked('Hold on, let me get my diary.', { settings });
    await call.silence(500 + REPLY_MS);
    call.log.length = 0;
    const silentMs = call.line.nowMs();
    await call.silence(125_000);
    expect(atMs(call, /thinking/) - silentMs).toBeGreaterThan(69_000);
    expect(atMs(call, /closing/) - silentMs).toBeGreaterThan(99_000);
    expect(atMs(call, /silence_limit/)).toBeLessThan(Infinity);
  });

  it('and makes a noise meanwhile is still waited for', async () => {
    const { call, recogniser } = await asked('Hold on, let me get my diary.', { settings });
    await call.silence(10_000);
    await call.speech(500);
    await call.silence(200);
    recogniser.emit({ type: 'final', text: '', endMs: call.line.nowMs() });
    await call.silence(800 + REPLY_MS);
    call.log.length = 0;
    const silentMs = call.line.nowMs();
    await call.silence(80_000);
    expect(atMs(call, /thinking/) - silentMs).toBeGreaterThan(69_000);
    expect(atMs(call, /thinking/)).toBeLessThan(Infinity);
  });

  it('and has come back is treated as before', async () => {
    const { call, recogniser } = await asked('Hold on, let me get my diary.', { settings });
    await call.silence(40_000);
    await call.speech(800);
    await call.silence(200);
    recogniser.emit({ type: 'final', text: 'Tuesday would be fine.' });
    await call.silence(800 + REPLY_MS);
    call.log.length = 0;
    const silentMs = call.line.nowMs();
    await call.silence(60_000);
    expect(atMs(call, /thinking/) - silentMs).toBeLessThan(11_000);
    expect(atMs(call, /closing/) - silentMs).toBeLessThan(50_000);
  });
});

describe('a caller who says a number or a name in parts', () => {
  it.each(['Oh one seven.', 'oh one seven', 'Zero one double', 'M, I, L.'])(
    '“%s” is given time to continue, and is one turn',
    async (text) => {
      const { call, recogniser } = await asked(text, { settings: { endpointType: 'ai' } });
      await call.silence(500);
      await call.speech(500);
      await call.silence(200);
      recogniser.emit({ type: 'final', text: 'Six.' });
      await call.silence(2000);
      expect(call.transcript()[1]).toBe(`human: ${text} Six.`);
    },
  );

  const GROUPS = ['My number is 0 2 0', '7 9 4 6', '0 0 1 8'];
  const TYPES = ['vad', 'ai'] as const;
  const dictating = TYPES.flatMap((endpointType) =>
    [600, 900, 1200].map((pauseMs) => ({ endpointType, pauseMs })),
  );
  it.each(dictating)(
    'is not interrupted in pauses of $pauseMs ms between groups of digits ($endpointType)',
    async ({ endpointType, pauseMs }) => {
      const { call, recogniser } = await asked(GROUPS[0] ?? '', { settings: { endpointType } });
      for (const text of GROUPS.slice(1)) {
        await call.silence(pauseMs - 200);
        await call.speech(1200);
        await call.silence(200);
        recogniser.emit({ type: 'final', text });
      }
      await call.silence(1800);
      const humans = call.transcript().filter((line) => line.startsWith('human'));
      expect(humans).toEqual([`human: ${GROUPS.join(' ')}`]);
      expect(call.line.sent.filter(({ turn }) => turn > 2)).toEqual([]);
    },
  );

  const ASKED: [string, string[]][] = [
    ['What is your phone number?', ['020', '7946', '0018']],
    ['What is your card number, please?', ['4 1 1 1', '1 1 1 1', '1 1 1 1', '1 1 1 1']],
    ['And your e-mail address?', ['John dot Smith.', 'At example.', 'Dot com.']],
    ['Could you spell your last name?', ['S as in sugar.', 'M.', 'I T.', 'H.']],
    ['What is the delivery address?', ['12 Main Street.', 'Springfield.', '62704.']],
    ['What is your date of birth?', ['March third.', '1985.']],
  ];
  const asking = ASKED.flatMap(([question, groups]) =>
    TYPES.map((endpointType) => ({ question, groups, endpointType })),
  );
  it.each(asking)(
    'after “$question” is not interrupted in pauses of 1.6 s ($endpointType)',
    async ({ question, groups, endpointType }) => {
      const answers = [fakeSpeech(question, { firstAfterMs: 300 }), fakeSpeech(REPLY)];
      const { call, recogniser } = await asked('I want a table.', { settings: { endpointType }, answers });
      await call.silence(2000 + question.length * 50);
      for (const text of groups) {
        await call.speech(800);
        await call.silence(200);
        recogniser.emit({ type: 'final', text });
        if (text !== groups.at(-1)) await call.silence(1400);
      }
      await call.silence(3000 + REPLY_MS);
      expect(call.transcript().slice(3)).toEqual([`human: ${groups.join(' ')}`, `bot: ${REPLY}`]);
    },
  );

  it('and has finished with a short one is answered after 1.8 s', async () => {
    const { call } = await asked('My code is 0 2 0 5.');
    await call.silence(1800 + REPLY_MS);
    expect(call.transcript().at(-1)).toBe(`bot: ${REPLY}`);
  });
});
