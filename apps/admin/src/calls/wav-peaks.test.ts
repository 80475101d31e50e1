import { describe, expect, it } from 'vitest';
import { PeakCollector, readWaveHead } from './wav-peaks.ts';

interface WaveFields {
  channels?: number;
  rateHz?: number;
  bits?: number;
  format?: number;
  /** Bytes of a chunk between `fmt ` and `data`. */
  extraBytes?: number;
}

/** A WAVE file of interleaved 16 bit samples. */
function wave(samples: number[], fields: WaveFields = {}): Uint8Array {
  const { channels = 2, rateHz = 8_000, bits = 16, format = 1, extraBytes = 0 } = fields;
  const extra = extraBytes === 0 ? 0 : 8 + extraBytes + (extraBytes % 2);
  const bytes = new Uint8Array(44 + extra + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const text = (offset: number, name: string): void => bytes.set(new TextEncoder().encode(name), offset);
  text(0, 'RIFF');
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, format, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rateHz, true);
  view.setUint16(34, bits, true);
  if (extra > 0) {
    text(36, 'LIST');
    view.setUint32(40, extraBytes, true);
  }
  text(36 + extra, 'data');
  view.setUint32(40 + extra, samples.length * 2, true);
  samples.forEach((sample, index) => view.setInt16(44 + extra + index * 2, sample, true));
  return bytes;
}

/** Hands a file over in pieces of some size. */
function collect(file: Uint8Array, stretches: number, pieceBytes = file.length) {
  const collector = new PeakCollector(stretches);
  for (let at = 0; at < file.length; at += pieceBytes) collector.push(file.subarray(at, at + pieceBytes));
  return collector.result();
}

describe('the outline of a recording', () => {
  const stereo = [16_384, 0, 0, -8_192, 100, 100, -32_768, 0];

  it('keeps the loudest sample of each stretch for each channel', () => {
    const peaks = collect(wave(stereo), 2);
    expect(peaks?.channels.map((channel) => [...channel])).toEqual([
      [0.5, -1],
      [-0.25, Math.fround(100 / 32_768)],
    ]);
  });

  it.each([1, 3, 7, 45])('is the same when the file comes in pieces of %i bytes', (pieceBytes) => {
    expect(collect(wave(stereo), 2, pieceBytes)).toEqual(collect(wave(stereo), 2));
  });

  it('reads the duration from the header', () => {
    expect(collect(wave(Array.from({ length: 16_000 }, () => 0)), 10)?.durationSeconds).toBe(1);
    expect(
      collect(
        wave(
          Array.from({ length: 8_000 }, () => 0),
          { channels: 1 },
        ),
        10,
      )?.durationSeconds,
    ).toBe(1);
  });

  it('skips unknown chunks, padded to even length', () => {
    expect(collect(wave(stereo, { extraBytes: 5 }), 2)).toEqual(collect(wave(stereo), 2));
  });

  it('ignores data after the audio', () => {
    const file = wave(stereo);
    const longer = new Uint8Array(file.length + 8).fill(0x7f);
    longer.set(file);
    expect(collect(longer, 2)).toEqual(collect(file, 2));
  });

  it('is null before the audio begins', () => {
    expect(collect(wave(stereo).subarray(0, 40), 2)).toBeNull();
  });

  it('refuses formats other than 16 bit PCM', () => {
    expect(() => readWaveHead(wave(stereo, { bits: 8 }))).toThrow('not 16 bit PCM');
    expect(() => readWaveHead(wave(stereo, { format: 7 }))).toThrow('not 16 bit PCM');
    expect(() => readWaveHead(new TextEncoder().encode('<!doctype html><html>'))).toThrow('not a WAVE file');
  });
});
