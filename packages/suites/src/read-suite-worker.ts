/** The thread that reads the text of one suite: `read-suite-apart.ts` starts it and limits its time and memory. */
import { parentPort, workerData } from 'node:worker_threads';
import { readSuite } from './read-suite.ts';

parentPort?.postMessage(readSuite(workerData as string), []);
