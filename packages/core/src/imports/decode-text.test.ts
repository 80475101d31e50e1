import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../test/arrange-imports.ts';
import { decodeText } from './decode-text.ts';

async function decode(bytes: Uint8Array, stepBytes = Math.max(1, bytes.length)): Promise<string> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / stepBytes) }, (_, index) =>
    bytes.subarray(index * stepBytes, (index + 1) * stepBytes),
  );
  const pieces: string[] = [];
  for await (const piece of decodeText(bytesOf(chunks))) pieces.push(piece);
  return pieces.join('');
}

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe.each([
  ['at once', undefined],
  ['byte by byte', 1],
  ['in threes', 3],
])('a file that arrives %s', (_, stepBytes) => {
  test.each([
    ['in ASCII', Buffer.from('phone,name\n'), 'phone,name\n'],
    ['in UTF-8', Buffer.from('name\nMüller €😀 ß'), 'name\nMüller €😀 ß'],
    ['in UTF-8 with a byte order mark', Buffer.from('\uFEFFphone'), 'phone'],
    ['in Latin-1', Buffer.from('name\nMüller ß\n', 'latin1'), 'name\nMüller ß\n'],
    ['in Latin-1 with the character outside ASCII last', Buffer.from('René', 'latin1'), 'René'],
    ['in the code page of Windows', Buffer.of(0x80, 0x20, 0x92, 0x20), '€ ’ '],
    ['in UTF-16, little-endian', Buffer.from('\uFEFFNäme€\n', 'utf16le'), 'Näme€\n'],
    ['in UTF-16, big-endian', bigEndian('\uFEFFNäme€\n'), 'Näme€\n'],
    ['in UTF-8 with damage', Buffer.concat([Buffer.from('ü'), Buffer.of(0xff, 0x41)]), 'ü\uFFFDA'],
    ['with nothing in it', Buffer.alloc(0), ''],
  ])('is read %s', async (_name, bytes, text) => {
    expect(await decode(bytes, stepBytes)).toBe(text);
  });
});
