/** The thread that decodes one uploaded sound: `tasks/decode-phrase.ts` starts it with limits of time and memory. */
import { parentPort, workerData } from 'node:worker_threads';
import type { DecodedPhrase } from '@parley/core';
import { phraseSound } from './phrase-sound.ts';

parentPort?.postMessage(await decode(workerData as Uint8Array), []);

async function decode(file: Uint8Array): Promise<DecodedPhrase> {
  try {
    return await phraseSound(file);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : 'It cannot be read.' };
  }
}
