import { expect, test } from 'vitest';
import { browserName } from './browser-name.rules.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1',
    'Safari on iOS',
  ],
  [`curl/8.5 ${'x'.repeat(100)}`, `curl/8.5 ${'x'.repeat(31)}`],
  ['', 'Unknown'],
  [null, 'Unknown'],
])('%s', (userAgent, expected) => {
  expect(browserName(userAgent)).toBe(expected);
});
