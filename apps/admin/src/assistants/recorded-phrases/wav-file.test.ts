import { expect, it } from 'vitest';
import { wavFile } from './wav-file.ts';

it('a WAV file from the microphone has the header of sound at 16,000 Hz, and the samples', async () => {
  const frames = [Int16Array.of(1, -2, 300), Int16Array.of(-32_768)];
  const file = wavFile(frames.map(({ buffer }) => buffer));
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes.subarray(0, 44).toString('hex')).toBe(
    Buffer.from('RIFF').toString('hex') +
      '2c000000' +
      Buffer.from('WAVEfmt ').toString('hex') +
      '1000000001000100803e0000007d000002001000' +
      Buffer.from('data').toString('hex') +
      '08000000',
  );
  expect([...new Int16Array(await file.slice(44).arrayBuffer())]).toEqual([1, -2, 300, -32_768]);
});
