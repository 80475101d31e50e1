/**
 * Defects of the parts that a conversation uses: a method that throws where its contract says that it does not, or a
 * promise that rejects with an unexpected error. The call ends with a reason, `finished` resolves, and no error
 * reaches the process.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import type { Recogniser, RecogniserStream } from '@parley/speech';
import { createFakeRealtime, fakeSpeech, fakeToolCall } from '@parley/speech/fakes';
import { handRecogniser } from '../test/hand-recogniser.ts';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';

const BROKEN = new TypeError('broken');
const broken = (): never => {
  throw BROKEN;
};
const INTERNAL_ERROR = { by: 'system', reason: 'internal_error' };

/** The caller speaks and pauses; then the line stays open for `forMs`. */
async function talk(call: Scenario, forMs = 12_000): Promise<Scenario> {
  await call.answer();
  await call.silence(1000);
  await call.speech(800);
  await call.silence(forMs);
  return call;
}

/** The reasons of all hang-up events, and how the conversation ended. */
async function endOf(call: Scenario) {
  const end = await call.end();
  const reasons = call.events.flatMap((event) => (event.type === 'hang-up' ? [event.reason] : []));
  return { reasons, hangUp: end.hangUp };
}

/** A recogniser with one broken method. */
function recogniser(fault: Partial<RecogniserStream> | 'open'): Recogniser {
  const healthy = handRecogniser();
  return {
    capabilities: healthy.capabilities,
    open: (...given) => (fault === 'open' ? broken() : { ...healthy.open(...given), ...fault }),
  };
}

describe('a recogniser that throws', () => {
  it.each([
    ['when it is opened', 'open'],
    ['when it gets audio', { push: broken }],
    ['when it is asked for a final', { finalise: broken }],
    ['when it is closed', { close: broken, push: broken }],
  ] as const)('%s ends the call with an apology', async (_when, fault) => {
    const call = await talk(new Scenario({ recogniser: recogniser(fault) }));
    await call.speech(800);
    await call.silence(8000);
    expect(await endOf(call)).toEqual({
      reasons: ['recogniser_failed'],
      hangUp: { by: 'assistant', reason: 'recogniser_failed' },
    });
    expect(call.transcript().join()).toContain('technical problem');
  });

  it.each([['open'], [{ push: broken }]] as const)('is replaced by the next one: %j', async (fault) => {
    const spare = handRecogniser();
    const call = new Scenario({
      recogniser: recogniser(fault),
      fallbacks: { recognisers: [spare] },
      answers: [fakeSpeech('Yes.')],
    });
    await call.answer();
    await call.silence(1000);
    await call.speech(800);
    spare.emit({ type: 'final', text: 'Are you open?' });
    await call.silence(2000);
    expect(call.transcript()).toEqual(['bot: Hello.', 'human: Are you open?', 'bot: Yes.']);
  });
});

describe('a model that throws', () => {
  it.each([
    ['when it is asked', { stream: broken }],
    [
      'while it answers',
      {
        async *stream() {
          yield { type: 'text', text: 'Well, ' } as const;
          broken();
        },
      },
    ],
  ])('%s ends the call with an apology', async (_when, model) => {
    const call = await talk(new Scenario({ model }));
    expect(await endOf(call)).toEqual({
      reasons: ['model_failed'],
      hangUp: { by: 'assistant', reason: 'model_failed' },
    });
  });

  it('when it is asked for its state ends the conversation, with the notes that are left', async () => {
    const model = { async *stream() {}, standing: broken };
    const call = await talk(new Scenario({ model, recogniser: handRecogniser() }));
    expect(call.conversation.notes()).toEqual({});
    expect(await endOf(call)).toEqual({ reasons: ['internal_error'], hangUp: INTERNAL_ERROR });
  });

  it('when it must forget what was not heard ends the conversation', async () => {
    const clock = new ManualClock();
    const realtime = createFakeRealtime({
      clock,
      utterances: ['Hi.'],
      answers: ['How can I help you today? We book tables, and we take orders.'],
    });
    const open: typeof realtime.open = (...given) =>
      Object.assign(realtime.open(...given), { truncate: broken });
    const call = new Scenario({ clock, realtime: { open } });
    await talk(call, 1500);
    await call.speech(1500);
    await call.silence(1000);
    expect(await endOf(call)).toEqual({ reasons: ['internal_error'], hangUp: INTERNAL_ERROR });
  });
});

describe('a synthesiser that fails with an unexpected error', () => {
  it.each([
    ['at once', broken],
    [
      'while it speaks',
      // eslint-disable-next-line require-yield
      async function* speak() {
        broken();
      },
    ],
  ])('%s ends the call, and preparing the greeting does not reject', async (_when, speak) => {
    const synthesiser = { capabilities: { sampleRatesHz: [8000], settings: [] }, speak };
    const call = new Scenario({ synthesiser, answers: [fakeSpeech('Yes.')] });
    await expect(call.conversation.prepare()).resolves.toBeUndefined();
    await talk(call);
    expect(await endOf(call)).toEqual({
      reasons: ['voice_failed'],
      hangUp: { by: 'assistant', reason: 'voice_failed' },
    });
  });
});

it('a tool that throws is an answer to the model, and the call goes on', async () => {
  const settings: ScenarioOptions['settings'] = {
    tools: [{ type: 'run', name: 'look_up', description: '', parameters: { type: 'object' } }],
  };
  const answers = [fakeToolCall('Let me see.', 'look_up'), fakeSpeech('I could not find it.')];
  const call = await talk(new Scenario({ settings, answers, tools: { run: broken } }), 4000);
  expect(call.transcript().at(-1)).toBe('bot: Let me see. I could not find it.');
  const end = await call.end();
  expect(end.toolUses).toMatchObject([{ name: 'look_up', isOk: false, result: 'The tool failed.' }]);
  expect(end.hangUp).toBeNull();
});

describe('an effect that throws', () => {
  it('on the line ends the conversation once', async () => {
    const call = new Scenario({ answers: [fakeSpeech('A long answer that is interrupted by the caller.')] });
    call.line.clear = broken;
    await talk(call, 1000);
    await call.speech(1500);
    await call.silence(1000);
    expect(await endOf(call)).toEqual({ reasons: ['internal_error'], hangUp: INTERNAL_ERROR });
  });

  it('in the owner of the conversation ends it too, and `finished` resolves without `lineEnded`', async () => {
    const call = new Scenario({ answers: [fakeSpeech('Yes.')] });
    call.onEvent = (event) => (event.type === 'turn' ? broken() : undefined);
    await talk(call, 1000);
    expect(await call.conversation.finished).toMatchObject({ hangUp: INTERNAL_ERROR });
  });

  it('at the very end does not keep `finished` from resolving', async () => {
    const call = new Scenario({ recogniser: recogniser({ close: broken }) });
    call.line.clear = broken;
    call.onEvent = (event) => (event.type === 'phase' && event.phase === 'closed' ? broken() : undefined);
    await call.answer();
    await call.silence(100);
    expect((await call.end()).durationMs).toBe(100);
  });

  it('leaves nothing running', async () => {
    const clock = new ManualClock();
    const call = new Scenario({ clock, answers: [fakeSpeech('Yes.', { firstAfterMs: 60_000 })] });
    call.onEvent = (event) => (event.type === 'turn' && event.turn.sender === 'human' ? broken() : undefined);
    await talk(call, 3000);
    await call.conversation.finished;
    expect(clock.pendingTimers()).toBe(0);
  });
});
