/** The thread that makes the API document: a second of computation, which must not delay other requests. */
import { parentPort } from 'node:worker_threads';
import { createApiDocument } from './complete-document.ts';
import { toPostmanCollection } from './postman-collection.ts';
import { ORIGIN_PLACE, type ApiTexts } from './api-texts.ts';

const document = { ...createApiDocument(), servers: [{ url: ORIGIN_PLACE }] };
const texts: ApiTexts = {
  document: JSON.stringify(document),
  collection: JSON.stringify(toPostmanCollection(document)),
};
parentPort?.postMessage(texts, []);
