import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { tonePurity } from '@parley/audio';
import { ManualClock, systemClock } from '@parley/runtime';
import { collect } from '../../../test/collect.ts';
import { describeSynthesiser } from '../../../test/conformance/synthesiser.ts';
import { OpenAiSimulator, SPEACHES_MODELS, SpeachesSimulator } from '../../fakes/index.ts';
import type { SpeakOptions } from '../../ports.ts';
import { createSpeechSynthesiser } from './speech-synthesiser.ts';

describeSynthesiser('an OpenAI-compatible voice', async () => {
  const simulator = new OpenAiSimulator({ clock: systemClock });
  await simulator.start();
  return {
    synthesiser: createSpeechSynthesiser({
      account: { baseUrl: simulator.baseUrl, apiKey: null },
      model: 'tts',
      clock: systemClock,
    }),
    voice: 'alloy',
    stop: async () => simulator.stop(),
  };
});

describe('an OpenAI-compatible voice', () => {
  const running: OpenAiSimulator[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
  });

  const setup = async () => {
    const clock = new ManualClock();
    const simulator = new OpenAiSimulator({ clock: systemClock });
    running.push(simulator);
    await simulator.start();
    const synthesiser = createSpeechSynthesiser({
      account: { baseUrl: simulator.baseUrl, apiKey: 'sk-test' },
      model: 'tts',
      clock,
      limits: { firstMs: 2000, betweenMs: 1000 },
    });
    const options: SpeakOptions = {
      voice: 'alloy',
      sampleRateHz: 8000,
      speed: 1.1,
      stability: 0,
      similarity: 0,
      language: 'en',
    };
    const speak = (given: Partial<SpeakOptions> = {}, signal = new AbortController().signal) =>
      synthesiser.speak('Good morning.', { ...options, ...given }, signal);
    return { clock, simulator, speak };
  };

  it('sends what the protocol requires', async () => {
    const { simulator, speak } = await setup();
    await collect(speak());
    expect(await simulator.request(0)).toMatchObject({
      path: '/v1/audio/speech',
      authorization: 'Bearer sk-test',
      body: { model: 'tts', input: 'Good morning.', voice: 'alloy', response_format: 'pcm', speed: 1.1 },
    });
  });

  it('takes the model from the voice where the voice names one', async () => {
    const { simulator, speak } = await setup();
    await collect(speak({ voice: 'af_heart@org/kokoro@1' }));
    expect((await simulator.request(0)).body).toMatchObject({ voice: 'af_heart', model: 'org/kokoro@1' });
  });

  it('gives the very sound, however the network cut it', async () => {
    const { speak } = await setup();
    const chunks = await collect(speak({ speed: 1 }));
    expect(chunks.length).toBeGreaterThan(1);
    const samples = chunks.flatMap((chunk) => [...chunk]);
    expect(samples).toHaveLength((13 * 40 * 8000) / 1000);
    expect(tonePurity(Int16Array.from(samples.slice(100, -100)), 500, 8000)).toBeGreaterThan(0.999);
  });

  it.each([
    [{ type: 'status', status: 400, message: 'no such voice' }, 'rejected'],
    [{ type: 'status', status: 503, message: 'busy' }, 'unavailable'],
    [{ type: 'cut', after: 1 }, 'unavailable'],
  ] as const)('tells %j as %s', async (fault, kind) => {
    const { simulator, speak, clock } = await setup();
    simulator.failNext(fault);
    await expect(collect(speak())).rejects.toMatchObject({ name: 'SpeechError', kind });
    expect(clock.pendingTimers()).toBe(0);
  });

  it('gives up a server that does not begin, and one that falls silent', async () => {
    const { simulator, speak, clock } = await setup();
    simulator.failNext({ type: 'stall', after: 0 }, { type: 'stall', after: 1 });
    const never = expect(collect(speak())).rejects.toMatchObject({ kind: 'timed-out' });
    const first = await simulator.request(0);
    clock.advance(2000);
    await never;
    expect(await first.outcome).toBe('aborted');
    const half = (async () => {
      for await (const _chunk of speak()) queueMicrotask(() => clock.advance(1000));
    })();
    await expect(half).rejects.toMatchObject({ kind: 'timed-out' });
  });

  it('asks a server whose models have rates of their own for the rate of the protocol', async () => {
    const simulator = new SpeachesSimulator({ clock: systemClock });
    await simulator.start();
    const account = { baseUrl: simulator.baseUrl, apiKey: null, convertsSampleRate: true };
    const voice = `lessac@${SPEACHES_MODELS.speech}`;
    const synthesiser = createSpeechSynthesiser({ account, model: 'tts-1', clock: systemClock });
    const asked = { voice, sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
    const chunks = await collect(synthesiser.speak('Good morning.', asked, new AbortController().signal));
    await simulator.stop();
    const samples = chunks.flatMap((chunk) => [...chunk]);
    expect(samples).toHaveLength((13 * 40 * 8000) / 1000);
    expect(tonePurity(Int16Array.from(samples.slice(100, -100)), 500, 8000)).toBeGreaterThan(0.999);
  });

  it('sends no field that the protocol does not have to other servers', async () => {
    const { simulator, speak } = await setup();
    await collect(speak());
    expect((await simulator.request(0)).body).not.toHaveProperty('sample_rate');
  });

  it.each(['text/html; charset=utf-8', 'application/json'])('never plays %s', async (type) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end('<html>Welcome</html>'.repeat(500));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const account = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: null };
    const synthesiser = createSpeechSynthesiser({ account, model: 'tts-1', clock: systemClock });
    const asked = { voice: 'a', sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
    const spoken = collect(synthesiser.speak('Good morning.', asked, new AbortController().signal));
    await expect(spoken).rejects.toMatchObject({ name: 'SpeechError', kind: 'unavailable' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('hangs up on the server when the listener leaves', async () => {
    const { simulator, speak, clock } = await setup();
    simulator.failNext({ type: 'stall', after: 1 });
    const leaving = new AbortController();
    for await (const _chunk of speak({}, leaving.signal)) leaving.abort();
    expect(await (await simulator.request(0)).outcome).toBe('aborted');
    expect(clock.pendingTimers()).toBe(0);
  });
});
