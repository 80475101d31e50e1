/** The thread that generates ambient sounds: tens of milliseconds of computation, which must not delay calls. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeAmbientSound, type AmbientSound, type AmbientSoundOptions } from '@parley/audio';

const { sound, options } = workerData as { sound: AmbientSound; options: AmbientSoundOptions };
parentPort?.postMessage(makeAmbientSound(sound, options), []);
