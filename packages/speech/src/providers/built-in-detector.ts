/** The best voice activity detection that this machine supports: Silero, or loudness with a warning. */
import type { VoiceActivityDetector } from '../ports.ts';
import { createEnergyDetector } from './energy/energy-detector.ts';
import { SileroDetector, type SileroOptions } from './silero/silero-detector.ts';

/** `energy` is the last resort, and reported to the operator. */
export interface BuiltInDetector extends VoiceActivityDetector {
  readonly kind: 'silero' | 'energy';
}

/**
 * One for the whole process. Resolves when it is ready to listen.
 *
 * Close it before the process exits: if its thread is computing at that moment, the native runtime aborts (code 134).
 */
export async function createBuiltInDetector(options: SileroOptions): Promise<BuiltInDetector> {
  const silero = new SileroDetector(options);
  try {
    await silero.start();
    return silero;
  } catch (error) {
    options.log.warn(
      { err: error },
      'Silero cannot be used on this machine; speech is detected by its level alone',
    );
    return createEnergyDetector();
  }
}
