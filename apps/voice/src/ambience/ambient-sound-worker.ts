/** The thread that generates ambient sounds and music: tens of milliseconds of computation, which must not delay calls. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeAmbientSound, makeHoldMusic, type AmbientSound, type AmbientSoundOptions } from '@parley/audio';

const { sound, options } = workerData as { sound: AmbientSound | 'hold_music'; options: AmbientSoundOptions };
const loop = sound === 'hold_music' ? makeHoldMusic(options.sampleRateHz) : makeAmbientSound(sound, options);
parentPort?.postMessage(loop, []);
