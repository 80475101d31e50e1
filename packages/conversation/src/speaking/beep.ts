/** The tone after which a caller's message is recorded. */
import { tone } from '@parley/audio';

const BEEP_HZ = 1000;
const BEEP_SECONDS = 0.4;

/** Mono Int16 at that rate. */
export function beep(sampleRateHz: number): Int16Array {
  return tone({ hz: BEEP_HZ, sampleRateHz, samples: sampleRateHz * BEEP_SECONDS });
}
