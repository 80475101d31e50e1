import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { type BuiltChunk, firstLoads, heavyPages, MOST_PAGE_BYTES } from './build-first-load.ts';

/** Random text of this size after compression. */
const text = (bytes: number): string => randomBytes(bytes).toString('base64');

function chunk(name: string, bytes: number, imports: string[] = []): BuiltChunk {
  const isShared = name.startsWith('shared');
  return { fileName: name, code: text(bytes), imports, facadeModuleId: isShared ? null : `/app/src/${name}` };
}

function setup() {
  const chunks = [
    chunk('index.html', 1000, ['shared-a']),
    chunk('shared-a', 10_000, ['shared-b']),
    chunk('shared-b', 1000, ['shared-a']),
    chunk('calls/calls-page.tsx', 1000, ['shared-b', 'shared-c']),
    chunk('shared-c', MOST_PAGE_BYTES),
    chunk('session/sign-in-page.tsx', 1000),
    chunk('charts/chart.tsx', MOST_PAGE_BYTES),
  ];
  const pages = ['calls/calls-page.tsx', 'session/sign-in-page.tsx'];
  return firstLoads(
    chunks,
    pages.map((page) => `/app/src/${page}`),
  );
}

it('the first load is what entry and page import, each file once, and nothing that is imported later', () => {
  const [calls, signIn] = setup();
  expect([calls?.page, signIn?.page]).toEqual(['calls-page', 'sign-in-page']);
  expect(calls?.bytes).toBeGreaterThan(MOST_PAGE_BYTES);
  expect(signIn?.bytes).toBeLessThan(20_000);
});

it('a page above the limit is named', () => {
  const loads = setup();
  expect(heavyPages(loads.slice(1))).toBeNull();
  expect(heavyPages(loads)).toMatch(/: calls-page \(\d+\)\. Load what/);
});
