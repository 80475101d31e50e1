/** The usage that a call causes at its providers, measured at the interfaces. */
import { systemClock } from '@parley/runtime';
import {
  SpeechError,
  type LanguageModelEvent,
  type LanguageModelRequest,
  type RealtimeEvent,
} from '@parley/speech';
import {
  createFakeModel,
  createFakeRealtime,
  createFakeRecogniser,
  createFakeSynthesiser,
} from '@parley/speech/fakes';
import { describe, expect, it } from 'vitest';
import { CallUsage } from './call-usage.ts';

const OURS = { name: 'Ours', providerId: 7 };
const NEVER = new AbortController().signal;
/** 400 characters: the system prompt and the brackets of two empty lists. */
const REQUEST: LanguageModelRequest = {
  systemPrompt: 'x'.repeat(396),
  dialogue: [],
  tools: [],
  temperature: 0,
  language: 'en',
};
const SPEECH = { voice: 'hum', sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
const REALTIME = {
  sampleRateHz: 8000,
  systemPrompt: '',
  tools: [],
  language: 'en',
  speed: 1,
  history: [],
};

async function drain(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _piece of pieces);
}

/** Asks a model that returns these events. @returns the usage as `unit quantity`, with `~` for estimates */
async function ask(events: readonly LanguageModelEvent[], given: { failWith?: SpeechError } = {}) {
  const usage = new CallUsage();
  const fake = createFakeModel({ clock: systemClock, answers: [{ events, ...given }] });
  const asking = drain(usage.model(fake, OURS).stream(REQUEST, NEVER));
  await asking.catch((error: unknown) => expect(error).toBe(given.failWith));
  return brief(usage);
}

const brief = (usage: CallUsage): string[] =>
  usage.used().map(({ unit, quantity, isEstimated }) => `${isEstimated ? '~' : ''}${unit} ${quantity}`);

describe('a model', () => {
  const says = (text: string): LanguageModelEvent => ({ type: 'text', text });
  const took = (counts: Partial<Extract<LanguageModelEvent, { type: 'usage' }>>): LanguageModelEvent => ({
    type: 'usage',
    inputTokens: 100,
    outputTokens: 10,
    ...counts,
  });

  it.each<[string, LanguageModelEvent[], string[]]>([
    ['is counted by its own report', [says('Yes.'), took({})], ['input_token 100', 'output_token 10']],
    [
      'has its cached tokens apart',
      [took({ cachedInputTokens: 60 })],
      ['input_token 40', 'cached_input_token 60', 'output_token 10'],
    ],
    [
      'is estimated where it states nothing',
      [says('x'.repeat(40))],
      ['~input_token 100', '~output_token 10'],
    ],
  ])('%s', async (_sentence, events, expected) => {
    expect(await ask(events)).toEqual(expected);
  });

  it('that refuses costs nothing', async () => {
    const failWith = new SpeechError('rejected', 'No such key');
    expect(await ask([], { failWith })).toEqual([]);
  });

  it('that fails in the middle has cost something', async () => {
    const failWith = new SpeechError('unavailable', 'Gone');
    expect(await ask([says('x'.repeat(40))], { failWith })).toEqual(['~input_token 100', '~output_token 10']);
  });

  it('that is aborted before its report is estimated', async () => {
    const usage = new CallUsage();
    const answers = [{ events: [says('x'.repeat(40)), took({})] }];
    const model = usage.model(createFakeModel({ clock: systemClock, answers }), OURS);
    for await (const _event of model.stream(REQUEST, NEVER)) break;
    expect(brief(usage)).toEqual(['~input_token 100', '~output_token 10']);
  });

  it('adds up over a call, with reports and estimates apart', async () => {
    const usage = new CallUsage();
    const answers = [{ events: [took({})] }, { events: [took({})] }, { events: [says('x'.repeat(40))] }];
    const model = usage.model(createFakeModel({ clock: systemClock, answers }), OURS);
    for (const _answer of answers) await drain(model.stream(REQUEST, NEVER));
    expect(brief(usage)).toEqual([
      'input_token 200',
      'output_token 20',
      '~input_token 100',
      '~output_token 10',
    ]);
    expect(usage.used()[0]).toMatchObject({ stage: 'model', ...OURS });
  });

  it('that follows a script still reports its step, and others do not', () => {
    const plain = createFakeModel({ clock: systemClock, answers: [] });
    const standing = () => ({ expects: ['yes'], notes: {} });
    const scripted = new CallUsage().model({ ...plain, standing }, OURS);
    expect(scripted.standing?.(REQUEST).expects).toEqual(['yes']);
    expect(new CallUsage().model(plain, OURS)).not.toHaveProperty('standing');
  });
});

describe('a voice', () => {
  it('is counted by the characters that it speaks', async () => {
    const usage = new CallUsage();
    const voice = usage.synthesiser(createFakeSynthesiser({ clock: systemClock }), OURS);
    await drain(voice.speak('Good 👋', SPEECH, NEVER));
    await drain(voice.speak('day', SPEECH, NEVER));
    expect(brief(usage)).toEqual(['character 9']);
  });

  it('that refuses costs nothing', async () => {
    const usage = new CallUsage();
    const fake = createFakeSynthesiser({ clock: systemClock });
    const refusing = {
      ...fake,
      speak: () => {
        throw new SpeechError('rejected', 'No such voice');
      },
    };
    await expect(drain(usage.synthesiser(refusing, OURS).speak('Hello', SPEECH, NEVER))).rejects.toThrow();
    expect(brief(usage)).toEqual(['character 0']);
  });
});

it('a recogniser is counted by the sound that it was sent', () => {
  const usage = new CallUsage();
  const fake = createFakeRecogniser({ clock: systemClock, utterances: [] });
  const stream = usage.recogniser(fake, OURS).open({ language: 'en' }, () => {});
  const { sampleRateHz } = fake.capabilities;
  for (let frame = 0; frame < 70; frame++) stream.push(new Int16Array(sampleRateHz / 50));
  stream.close();
  expect(brief(usage)).toEqual(['second 1.4']);
});

describe('a model that speaks', () => {
  it('is counted by its own report, and passes all other events on', () => {
    const usage = new CallUsage();
    const events: RealtimeEvent[] = [];
    const stated = { inputTokens: 20, cachedInputTokens: 4, audioInputTokens: 12, outputTokens: 10 };
    const sent: RealtimeEvent[] = [
      { type: 'usage', ...stated, audioOutputTokens: 8 },
      { type: 'words', text: 'Hello', endMs: 20 },
    ];
    const fake = createFakeRealtime({ clock: systemClock, answers: [] });
    const model = usage.realtime(
      {
        open(options, onEvent) {
          for (const event of sent) onEvent(event);
          return fake.open(options, onEvent);
        },
      },
      OURS,
    );
    model.open(REALTIME, (event) => events.push(event)).close();
    expect(events).toEqual(sent.slice(1));
    expect(brief(usage)).toEqual([
      'input_token 4',
      'cached_input_token 4',
      'audio_input_token 12',
      'output_token 2',
      'audio_output_token 8',
    ]);
  });

  it('without a report has unknown usage', () => {
    const usage = new CallUsage();
    const fake = createFakeRealtime({ clock: systemClock, answers: [] });
    usage
      .realtime(fake, OURS)
      .open(REALTIME, () => {})
      .close();
    expect(usage.used()).toMatchObject([{ stage: 'speech_to_speech', quantity: null }]);
  });
});
