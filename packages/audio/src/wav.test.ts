import { spawnSync } from 'node:child_process';
import { isInstalled } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import { tone, tonePurity } from './tone.ts';
import { readWav } from './wav-reader.ts';
import { WAV_HEADER_BYTES, wavHeader, writeStereo } from './wav-writer.ts';

const hasSox = isInstalled('sox');

/** A stereo file as a recorder would write it: 440 Hz left, 1000 Hz right. */
function setup() {
  const left = tone({ hz: 440, sampleRateHz: 8000, samples: 8000 });
  const right = tone({ hz: 1000, sampleRateHz: 8000, samples: 8000 });
  const file = new Uint8Array(WAV_HEADER_BYTES + 32_000);
  file.set(wavHeader({ sampleRateHz: 8000, channelCount: 2, dataBytes: 32_000 }));
  writeStereo(left, right, new DataView(file.buffer), WAV_HEADER_BYTES);
  return { left, right, file };
}

describe('WAV', () => {
  test('written channels are read back unchanged', () => {
    const { left, right, file } = setup();
    const sound = readWav(file);
    expect(sound.sampleRateHz).toBe(8000);
    expect(sound.channels).toEqual([left, right]);
  });

  test('a truncated file gives the samples that it contains', () => {
    const { left, file } = setup();
    const sound = readWav(file.subarray(0, WAV_HEADER_BYTES + 1001));
    expect(sound.channels[0]).toEqual(left.subarray(0, 250));
  });

  test('chunks before the audio are skipped, with their padding byte', () => {
    const { left, file } = setup();
    const note = Uint8Array.from([76, 73, 83, 84, 3, 0, 0, 0, 1, 2, 3, 0]); // "LIST", size 3, padding
    const longer = Uint8Array.from([...file.subarray(0, 36), ...note, ...file.subarray(36)]);
    expect(readWav(longer).channels[0]).toEqual(left);
  });

  test('other files and unsupported formats are refused with a reason', () => {
    const { file } = setup();
    expect(() => readWav(new Uint8Array(50))).toThrow('The file is not a WAV file');
    expect(() => readWav(file.subarray(0, 36))).toThrow('The WAV file contains no audio');
    const mp3 = file.slice();
    mp3[20] = 85;
    expect(() => readWav(mp3)).toThrow('WAV format 85 with 16 bits is not supported');
  });
});

describe.skipIf(!hasSox)('with sox', () => {
  test('sox reads our file: two channels, 8000 Hz, one second, no warning', () => {
    const { file } = setup();
    const result = spawnSync('sox', ['-t', 'wav', '-', '-n', 'stat'], { input: file });
    expect(result.stderr.toString()).toContain('Samples read:             16000');
    expect(result.stderr.toString()).not.toContain('WARN');
  });

  test.each(['mu-law', 'a-law', 'signed'])("we read sox's %s file", (encoding) => {
    const args = [
      '-n',
      '-r',
      '8000',
      '-e',
      encoding,
      '-b',
      encoding === 'signed' ? '16' : '8',
      '-t',
      'wav',
      '-',
    ];
    const { stdout } = spawnSync('sox', [...args, 'synth', '1', 'sine', '440', 'gain', '-6']);
    const sound = readWav(stdout);
    expect(tonePurity(sound.channels[0] ?? new Int16Array(0), 440, sound.sampleRateHz)).toBeGreaterThan(0.99);
  });
});
