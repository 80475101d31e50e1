/** Voice activity by loudness, in this thread, without a model. Its accuracy is described in `energy-meter.ts`. */
import { Framer } from '@parley/audio';
import type { VoiceActivityDetector, VoiceActivityStream } from '../../ports.ts';
import { ENERGY_START, ENERGY_WINDOW_SAMPLES, measureEnergy } from './energy-meter.ts';

const SAMPLES_PER_MS = 16;

/** A detector that always works. */
export function createEnergyDetector(): VoiceActivityDetector & { readonly kind: 'energy' } {
  const streams = new Set<VoiceActivityStream>();
  return {
    kind: 'energy',
    open(onWindow) {
      const stream = openStream(onWindow);
      streams.add(stream);
      return {
        push: (samples) => stream.push(samples),
        close() {
          streams.delete(stream);
          stream.close();
        },
      };
    },
    async close() {
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}

function openStream(onWindow: (probability: number, endMs: number) => void): VoiceActivityStream {
  const framer = new Framer(ENERGY_WINDOW_SAMPLES);
  let state = ENERGY_START;
  let windows = 0;
  let isClosed = false;
  const analyse = (window: Int16Array): void => {
    const result = measureEnergy(state, window);
    state = result.state;
    const endMs = (++windows * ENERGY_WINDOW_SAMPLES) / SAMPLES_PER_MS;
    queueMicrotask(() => {
      if (!isClosed) onWindow(result.probability, endMs);
    });
  };
  return {
    push(samples) {
      if (!isClosed) framer.push(samples, analyse);
    },
    close: () => {
      isClosed = true;
    },
  };
}
