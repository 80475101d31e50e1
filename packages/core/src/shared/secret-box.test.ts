import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const KEY = 'a secret key of at least 32 characters';

describe('the secret box', () => {
  it.each(['', 'whsec_abc', 'ключ 🔑\n'])('opens what it sealed: %j', (plain) => {
    const box = createSecretBox(KEY);
    expect(createSecretBox(KEY).open(box.seal(plain))).toBe(plain);
  });

  it('seals the same secret differently each time, and shows nothing of it', () => {
    const box = createSecretBox(KEY);
    const [first, second] = [box.seal('a secret'), box.seal('a secret')];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
  });

  it('does not open what another key sealed', () => {
    expect(() =>
      createSecretBox('another secret key of 32 characters!').open(createSecretBox(KEY).seal('x')),
    ).toThrow();
  });

  it('opens what another key sealed while that key is known, and seals it with the current key', () => {
    const another = 'another secret key of 32 characters!';
    const sealed = createSecretBox(KEY).seal('a secret');
    const box = createSecretBox(another, [KEY]);
    expect(box.open(sealed)).toBe('a secret');
    expect(createSecretBox(another).open(box.reseal(sealed) ?? '')).toBe('a secret');
    expect(box.reseal(box.seal('a secret'))).toBeNull();
    expect(() => createSecretBox(another).reseal(sealed)).toThrow('unknown key');
  });

  it('does not open what was changed, cut or is no sealed secret', () => {
    const box = createSecretBox(KEY);
    const sealed = box.seal('a secret');
    const [version, iv, tag, data] = sealed.split('.');
    const changed = `${data?.startsWith('A') ? 'B' : 'A'}${data?.slice(1)}`;
    const shortTag = Buffer.from(tag ?? '', 'base64url')
      .subarray(0, 4)
      .toString('base64url');
    for (const wrong of [
      `${version}.${iv}.${tag}.${changed}`,
      `${version}.${iv}.${shortTag}.${data}`,
      `v2.${iv}.${tag}.${data}`,
      `${sealed}.x`,
      'plain text',
      '',
    ]) {
      expect(() => box.open(wrong), wrong).toThrow();
    }
  });
});
