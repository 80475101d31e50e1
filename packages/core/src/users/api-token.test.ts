import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeApiToken, shownPrefix } from './api-token.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API token', () => {
  it('ends with the CRC-32 of what precedes it in base 62, by which secret scanners recognise it', () => {
    const token = makeApiToken();
    expect(token).toMatch(/^parley_[0-9A-Za-z]{49}$/);
    const checksum = Array.from(token.slice(-6)).reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
    expect(checksum).toBe(crc32(token.slice(0, -6)));
  });

  it('is never the same twice, and shows little of itself', () => {
    const tokens = Array.from({ length: 100 }, makeApiToken);
    expect(new Set(tokens).size).toBe(100);
    expect(shownPrefix(tokens[0] ?? '')).toHaveLength('parley_'.length + 6);
  });
});
