import { readFileSync } from 'node:fs';
import { ActiveLevel, Framer, readWav, tone, wavHeader } from '@parley/audio';
import { createEncoder } from 'libopus-wasm';
import { expect, it } from 'vitest';
import { phraseSound } from './phrase-sound.ts';

function wav(samples: Int16Array, sampleRateHz: number): Uint8Array {
  const header = wavHeader({ sampleRateHz, channelCount: 1, dataBytes: 2 * samples.length });
  return Buffer.concat([header, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

function sine(sampleRateHz: number, seconds: number, amplitude = 2000): Int16Array {
  return tone({ hz: 440, sampleRateHz, samples: sampleRateHz * seconds, amplitude });
}

/** One page for each packet, each of at most 255 segments. */
async function oggOpus(samples: Int16Array): Promise<Uint8Array> {
  const encoder = await createEncoder({ channels: 1, sampleRate: 48_000 });
  const packets = [
    Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0', 'latin1'),
    Buffer.from('OpusTags'),
  ];
  for (let at = 0; at + 960 <= samples.length; at += 960)
    packets.push(Buffer.from(encoder.encode(samples.slice(at, at + 960))));
  encoder.free();
  return Buffer.concat(
    packets.map((packet, index) => {
      const header = Buffer.alloc(27);
      header.write('OggS', 0, 'latin1');
      header.writeUInt32LE(77, 14);
      header.writeUInt32LE(index, 18);
      const full = Math.floor(packet.length / 255);
      header[26] = full + 1;
      return Buffer.concat([header, Buffer.alloc(full, 255), Buffer.of(packet.length % 255), packet]);
    }),
  );
}

async function heard(file: Uint8Array) {
  const { sound, durationMs } = await phraseSound(file);
  const { channels, sampleRateHz } = readWav(sound);
  const [samples = new Int16Array()] = channels;
  const level = new ActiveLevel();
  new Framer((sampleRateHz * 20) / 1000).push(samples, (frame) => level.add(frame));
  let crossings = 0;
  for (let i = 1; i < samples.length; i++)
    if ((samples[i - 1] ?? 0) < 0 && (samples[i] ?? 0) >= 0) crossings += 1;
  return {
    sampleRateHz,
    durationMs,
    dbfs: level.measure().dbfs,
    hz: (crossings * sampleRateHz) / samples.length,
  };
}

const mp3 = readFileSync(new URL('../../test/tone-440-hz.mp3', import.meta.url));

it.each([
  ['WAV at 8000 Hz', async () => wav(sine(8000, 1), 8000)],
  ['WAV at 44 100 Hz', async () => wav(sine(44_100, 1), 44_100)],
  ['a quiet WAV', async () => wav(sine(16_000, 1, 300), 16_000)],
  ['a loud WAV', async () => wav(sine(16_000, 1, 30_000), 16_000)],
  ['Ogg Opus', async () => oggOpus(sine(48_000, 1))],
  ['MP3', async () => mp3],
])('%s becomes 16 000 Hz at the loudness of all voices', async (_name, make) => {
  const { sampleRateHz, durationMs, dbfs, hz } = await heard(await make());
  expect(sampleRateHz).toBe(16_000);
  expect(durationMs).toBeGreaterThan(800);
  expect(durationMs).toBeLessThan(1150);
  expect(dbfs).toBeGreaterThan(-21);
  expect(dbfs).toBeLessThan(-19);
  expect(hz).toBeGreaterThan(350);
  expect(hz).toBeLessThan(460);
});

it('silence at both ends is removed', async () => {
  const samples = new Int16Array(16_000 * 5);
  samples.set(sine(16_000, 1), 16_000 * 2);
  expect((await phraseSound(wav(samples, 16_000))).durationMs).toBe(1200);
});

it.each([
  ['another type', async () => Buffer.from('<html>'), /not a WAV, MP3 or Ogg Opus/],
  ['an empty file', async () => Buffer.alloc(0), /not a WAV, MP3 or Ogg Opus/],
  ['silence', async () => wav(new Int16Array(16_000), 16_000), /silent/],
  ['no samples', async () => wav(new Int16Array(), 16_000), /silent/],
  ['more than a minute', async () => wav(sine(8000, 61), 8000), /longer than 60 seconds/],
  ['a wrong rate', async () => wav(sine(8000, 1), 4000), /sample rate/],
  ['what only begins like MP3', async () => Buffer.alloc(100_000, 0xff), /no sound/],
  ['Ogg without Opus', async () => Buffer.from('OggS'.padEnd(27, '\0') + 'vorbis'), /does not contain Opus/],
])('%s is refused with a reason', async (_name, make, reason) => {
  await expect(phraseSound(await make())).rejects.toThrow(reason);
});
