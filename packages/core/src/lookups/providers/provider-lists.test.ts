import { describe, expect, it } from 'vitest';
import { fixedVoices, readListedPage, uniqueNames } from './provider-lists.ts';

const read = (kind: Parameters<typeof readListedPage>[0], page: unknown) =>
  readListedPage(kind, JSON.stringify(page));

describe('a page of what a provider offers', () => {
  it('of ElevenLabs names the next one by a token', () => {
    const voices = [{ voice_id: 'v1', name: 'Rachel', labels: {} }, { name: 'without an id' }];
    expect(read('elevenlabs', { voices, has_more: true, next_page_token: 'a b' })).toEqual({
      voices: [{ wireName: 'v1', name: 'Rachel' }],
      models: [],
      next: '/v2/voices?page_size=100&next_page_token=a%20b',
    });
    expect(read('elevenlabs', { voices, has_more: false, next_page_token: 'old' }).next).toBeNull();
  });

  it('of Cartesia begins after the last voice of the page before', () => {
    const data = [
      { id: 'a', name: 'Ann', language: 'en' },
      { id: 'b', name: 'Bob' },
    ];
    expect(read('cartesia', { data, has_more: true })).toMatchObject({
      voices: [
        { wireName: 'a', name: 'Ann', language: 'en' },
        { wireName: 'b', name: 'Bob' },
      ],
      next: '/voices?limit=100&starting_after=b',
    });
    expect(read('cartesia', { data, has_more: false }).next).toBeNull();
  });

  it('of Deepgram holds its voices, not its recognisers', () => {
    const stt = [{ name: 'general', canonical_name: 'nova-3-general' }];
    const tts = [{ name: 'thalia', canonical_name: 'aura-2-thalia-en', languages: ['en', 'en-US'] }];
    expect(read('deepgram', { stt, tts })).toEqual({
      voices: [{ wireName: 'aura-2-thalia-en', name: 'Thalia, en-US', language: 'en' }],
      models: [],
      next: null,
    });
    const other = { name: 'a', canonical_name: 'b', languages: ['en-US', 'es'] };
    expect(read('deepgram', { tts: [other] }).voices).toEqual([{ wireName: 'b', name: 'A, es' }]);
  });

  it('of OpenAI holds models that converse or embed, and voices of those that speak', () => {
    const ids = [
      'gpt-4o-mini',
      'o4-mini',
      'whisper-1',
      'gpt-4o-mini-tts',
      'gpt-realtime',
      'gpt-realtime-2025-08-28',
      'text-embedding-3-small',
    ];
    const { models, voices } = read('openai', { data: ids.map((id) => ({ id, object: 'model' })) });
    expect(models.map(({ wireName, purpose }) => [wireName, purpose])).toEqual([
      ['gpt-4o-mini', undefined],
      ['o4-mini', undefined],
      ['text-embedding-3-small', 'embedding'],
    ]);
    expect(voices).toContainEqual({
      name: 'marin, gpt-realtime',
      wireName: 'marin@gpt-realtime',
      mode: 'multimodal',
    });
    expect(voices).toHaveLength(10);
  });

  it('of Anthropic goes on after its last model', () => {
    const page = {
      data: [{ id: 'claude-a', display_name: 'Claude A' }],
      has_more: true,
      last_id: 'claude-a',
    };
    expect(read('anthropic', page)).toEqual({
      voices: [],
      models: [{ wireName: 'claude-a', name: 'claude-a' }],
      next: '/v1/models?limit=100&after_id=claude-a',
    });
  });

  it('of Google holds models that generate text or embeddings', () => {
    const models = [
      { name: 'models/gemini-a', supportedGenerationMethods: ['generateContent', 'countTokens'] },
      { name: 'models/embedding-a', supportedGenerationMethods: ['embedContent'] },
    ];
    expect(read('google', { models, nextPageToken: 't' })).toEqual({
      voices: [],
      models: [
        { wireName: 'gemini-a', name: 'gemini-a' },
        { wireName: 'embedding-a', name: 'embedding-a', purpose: 'embedding' },
      ],
      next: '/v1beta/models?pageSize=100&pageToken=t',
    });
  });

  it('of Google holds its voices of speech to speech, with the models that converse', () => {
    const live = { supportedGenerationMethods: ['bidiGenerateContent'] };
    const models = [
      { name: 'models/gemini-live', ...live },
      { name: 'models/gemini-live-translate', ...live },
      { name: 'models/gemini-live-extended-thinking', ...live },
    ];
    const page = read('google', { models });
    expect(page.models).toEqual([]);
    expect(page.voices).toHaveLength(30);
    expect(page.voices).toContainEqual({
      name: 'Kore, gemini-live',
      wireName: 'Kore@gemini-live',
      mode: 'multimodal',
    });
  });

  it.each(['elevenlabs', 'cartesia', 'openai', 'anthropic', 'google'] as const)(
    'of %s that is none is an error',
    (kind) => {
      expect(() => read(kind, { received: true })).toThrow();
      expect(() => readListedPage(kind, '<html>')).toThrow();
    },
  );
});

it("OpenAI's voices are known, with the model that has them", () => {
  expect(fixedVoices('openai')).toContainEqual({ name: 'alloy', wireName: 'alloy@gpt-4o-mini-tts' });
  expect(fixedVoices('elevenlabs')).toEqual([]);
});

describe('names are unique', () => {
  const offer = (name: string, wireName = name) => ({ name, wireName });
  const names = (offers: ReturnType<typeof offer>[], isOwnerAlwaysNamed: boolean, ...taken: string[]) =>
    uniqueNames(offers, { owner: 'Voices Inc', isOwnerAlwaysNamed, taken: new Set(taken) }).map(
      ({ name }) => name,
    );

  it.each([
    ['a voice says whose it is', [offer('Rachel')], true, [], ['Rachel (Voices Inc)']],
    [
      'two of one name are counted',
      [offer('Ann', 'a'), offer('Ann', 'b')],
      true,
      [],
      ['Ann (Voices Inc)', 'Ann 2 (Voices Inc)'],
    ],
    ['a model keeps its own name', [offer('gpt-4o')], false, [], ['gpt-4o']],
    [
      'a model whose name is taken says whose it is',
      [offer('gpt-4o')],
      false,
      ['gpt-4o'],
      ['gpt-4o (Voices Inc)'],
    ],
    ['a voice without a name goes by its id', [offer(' ', 'v1')], true, [], ['v1 (Voices Inc)']],
  ])('%s', (_name, offers, isOwnerAlwaysNamed, taken, expected) => {
    expect(names(offers, isOwnerAlwaysNamed, ...taken)).toEqual(expected);
  });

  it('a long name fits its field, and still says whose it is', () => {
    const [name] = names([offer('x'.repeat(150))], true);
    expect(name).toHaveLength(100);
    expect(name).toMatch(/ \(Voices Inc\)$/);
  });
});
