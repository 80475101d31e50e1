import { describe, expect, it } from 'vitest';
import { isApiToken, makeApiToken, shownPrefix } from './api-token.ts';

describe('an API token', () => {
  it('can be told from chance by its checksum', () => {
    const token = makeApiToken();
    expect(token).toMatch(/^parley_[0-9A-Za-z]{49}$/);
    expect(isApiToken(token)).toBe(true);
    const changed = token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(isApiToken(changed)).toBe(false);
    expect(isApiToken(`x${token}`)).toBe(false);
  });

  it('is never the same twice, and shows little of itself', () => {
    const tokens = Array.from({ length: 100 }, makeApiToken);
    expect(new Set(tokens).size).toBe(100);
    expect(shownPrefix(tokens[0] ?? '')).toHaveLength('parley_'.length + 6);
  });
});
