import { ActiveLevel, Framer } from '@parley/audio';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import { captureLog } from '@parley/testkit';
import type { Synthesiser } from '@parley/speech';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeModel } from '@parley/speech/fakes';
import { createEngines, type Engines } from './engines.ts';
import type { RecordedSounds } from './recorded-sounds.ts';
import { CallUsage } from './usage/call-usage.ts';

const RATE = 8000;
const TEXT = 'Good morning, this is the office of Doctor Miller. I am calling about your appointment.';

/** An assistant of a pipeline with this voice, as far as the engines read it. */
function speaker(voice: { kind: string; wireName: string }) {
  const account = { providerId: 1, providerName: 'A provider', baseUrl: 'http://127.0.0.1:9', apiKey: null };
  return {
    type: 'outbound',
    assistant: { mode: 'pipeline', endpointType: 'vad' },
    language: { iso2: 'en' },
    voice: { ...account, ...voice, id: 1, name: 'A voice' },
    model: { ...account, kind: 'built-in', id: 1, name: 'Scripted', wireName: 'scripted' },
    fallbackModels: [],
    recognisers: [],
    recordedPhrases: [{ id: 1, text: 'Press 1.' }],
  } as unknown as Parameters<Engines['forCall']>[0];
}

async function levelOf(synthesiser: Synthesiser, voice: string): Promise<number | null> {
  const level = new ActiveLevel();
  const framer = new Framer(RATE / 50);
  const options = { voice, sampleRateHz: RATE, speed: 1, stability: 0, similarity: 0, language: 'en' };
  for await (const samples of synthesiser.speak(TEXT, options, new AbortController().signal))
    framer.push(samples, (frame) => level.add(frame));
  return level.measure().dbfs;
}

test('the voices of calls and the voice that replaces them speak at one loudness', async () => {
  const engines = createEngines({ clock: systemClock, log: silentLog });
  onTestFinished(async () => engines.stop());
  await engines.start();
  const levels: (number | null)[] = [];
  for (const wireName of ['slt', 'kal16'])
    levels.push(
      await levelOf(engines.forCall(speaker({ kind: 'built-in', wireName })).synthesiser, wireName),
    );
  const hosted = engines.forCall(speaker({ kind: 'elevenlabs', wireName: 'anna' }));
  for (const { synthesiser, voice } of hosted.fallbacks?.voices ?? [])
    levels.push(await levelOf(synthesiser, voice));
  expect(levels).toHaveLength(3);
  for (const level of levels) expect(Math.abs((level ?? 0) + 20)).toBeLessThan(2);
});

test('engines start although the built-in voice does not warm up in time', async () => {
  const clock = new ManualClock();
  const { log, messages } = captureLog();
  const engines = createEngines({ clock, log });
  onTestFinished(async () => engines.stop());
  const started = engines.start();
  await expect
    .poll(() => {
      clock.advance(60_000);
      return messages();
    })
    .toContain('The built-in voice did not warm up');
  await started;
});

test('calls and the question to a person play the recordings of the assistant', async () => {
  const texts: unknown[] = [];
  const sounds = { of: (phrases: unknown) => void texts.push(phrases) } as unknown as RecordedSounds;
  const engines = createEngines({ clock: systemClock, log: silentLog, sounds });
  onTestFinished(async () => engines.stop());
  await engines.start();
  const asking = { usage: new CallUsage(), model: createFakeModel({ clock: systemClock, answers: [] }) };
  engines.forCall(speaker({ kind: 'built-in', wireName: 'slt' }));
  engines.forPerson(speaker({ kind: 'built-in', wireName: 'slt' }), asking);
  const recorded = [{ id: 1, text: 'Press 1.' }];
  expect(texts).toEqual([recorded, recorded]);
});
