import { DtmfDetector } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import { expect, it } from 'vitest';
import { FLITE_VOICES } from '../src/providers/flite/flite-engine.ts';
import { createFliteSynthesiser } from '../src/providers/flite/flite-synthesiser.ts';

/** Long vowels and whistling sounds come closest to the tones of keys. */
const SENTENCES = [
  'Eeee, oooo, aaaa. See three trees free. Whoa, no, we know. Me, you, two, blue moon.',
  'She sells sea shells by the sea shore; whistle while you wheel meals.',
];

it('no voice of the repository presses a key by speaking', async () => {
  const synthesiser = createFliteSynthesiser({ clock: systemClock });
  await synthesiser.start();
  const pressed: string[] = [];
  let samples = 0;
  for (const voice of FLITE_VOICES)
    for (const text of SENTENCES) {
      const detector = new DtmfDetector(8000, ({ digit }) => pressed.push(`${voice}: ${digit}`));
      const options = { voice, sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
      for await (const sound of synthesiser.speak(text, options, new AbortController().signal)) {
        samples += sound.length;
        detector.hear(sound);
      }
      detector.hear(new Int16Array(800));
    }
  await synthesiser.stop();
  expect(samples).toBeGreaterThan(8000 * 20);
  expect(pressed).toEqual([]);
});
