/** The thread that generates ambient sounds: tens of milliseconds of computation, which must not delay calls. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeRoom, type Room, type RoomOptions } from '@parley/audio';

const { room, options } = workerData as { room: Room; options: RoomOptions };
parentPort?.postMessage(makeRoom(room, options), []);
