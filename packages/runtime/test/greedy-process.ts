/** Work for `limited-process.test.ts`, in the thread of a limited process. */
import { parentPort, workerData } from 'node:worker_threads';

const kept: unknown[] = [];

/** `repeat` makes a text of references to its halves, which is copied into one place when a character is read. */
const flat = (text: string): [string, number] => [text, text.codePointAt(5) ?? 0];

const WORK: Record<string, () => unknown> = {
  'sends bytes back': () => new Uint8Array([...(workerData as Uint8Array[])[1]!, 4]),
  'shows its environment': () => Object.keys(process.env),
  fails: () => {
    throw new Error('as asked');
  },
  'computes without end': () => {
    for (;;) Math.random();
  },
  'keeps one value larger than its heap': () => {
    for (;;) kept.push(flat('я'.repeat(120_000_000)));
  },
  'fills buffers': () => {
    for (;;) kept.push(Buffer.alloc(10_000_000, 1));
  },
};

const [name] = workerData as [string];
parentPort?.postMessage(WORK[name]?.(), []);
