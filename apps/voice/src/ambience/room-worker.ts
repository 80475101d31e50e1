/** The thread that makes the sound of a room: some tens of milliseconds of arithmetic, which no call should wait for. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeRoom, type Room, type RoomOptions } from '@parley/audio';

const { room, options } = workerData as { room: Room; options: RoomOptions };
parentPort?.postMessage(makeRoom(room, options), []);
