/** The API document and its Postman collection as texts, made once for each process, on first use and in a thread. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Stands where the address of the server belongs, once in each text. */
export const ORIGIN_PLACE = 'https://origin.invalid';

/** JSON. */
export interface ApiTexts {
  document: string;
  collection: string;
}

let made: Promise<ApiTexts> | undefined;

/** A failure is not kept. */
export function readApiTexts(): Promise<ApiTexts> {
  made ??= make().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

async function make(): Promise<ApiTexts> {
  const worker = new Worker(new URL('./document-worker.ts', import.meta.url));
  const [texts] = (await once(worker, 'message')) as [ApiTexts];
  return texts;
}
