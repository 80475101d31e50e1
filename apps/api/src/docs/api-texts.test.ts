import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import type { ApiTexts } from './api-texts.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});
afterAll(() => live.stop());

/** Not `close`: with it, undici 7 fails on a compressed body that it has not read when the connection ends. */
const open = (path: string, encoding = 'gzip') =>
  live.ask(path, { token: null, headers: { 'accept-encoding': encoding, connection: 'keep-alive' } });

const total = ({ user, system }: { user: number; system: number }): number => user + system;

test('the document is made by a thread of its own', async () => {
  // Another test of this process may have made it already, so that this is a module of its own.
  const { href } = new URL('./api-texts.ts?first', import.meta.url);
  const { readApiTexts } = (await import(href)) as { readApiTexts: () => Promise<ApiTexts> };
  const [ofThread, ofProcess] = [process.threadCpuUsage(), process.cpuUsage()];
  expect(JSON.parse((await readApiTexts()).document)).toHaveProperty('openapi');
  const here = total(process.threadCpuUsage(ofThread));
  expect(here).toBeLessThan(total(process.cpuUsage(ofProcess)) / 2);
});

test.each(['/openapi.json', '/docs/postman.json', '/docs/errors', '/docs/swagger-ui-bundle.js'])(
  '%s is compressed once: its length is known before it is sent',
  async (path) => {
    const plain = await open(path, 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const encoding of ['br', 'gzip']) {
      const packed = await open(path, encoding);
      expect(packed.headers.get('content-encoding')).toBe(encoding);
      expect(packed.headers.get('vary')).toContain('Accept-Encoding');
      expect(Number(packed.headers.get('content-length'))).toBeGreaterThan(0);
      expect(packed.text).toBe(plain.text);
      expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    }
  },
);
