import { describe, expect, it } from 'vitest';
import { resample, tone } from '@parley/audio';
import { PcmStream } from './pcm-stream.ts';

describe('a stream of samples', () => {
  const setup = () => {
    const sound = tone({ hz: 500, sampleRateHz: 24_000, samples: 4800 });
    const bytes = new Uint8Array(sound.buffer);
    const through = (toHz: number, pieceBytes: number): number[] => {
      const stream = new PcmStream(24_000, toHz);
      const samples: number[] = [];
      for (let at = 0; at < bytes.length; at += pieceBytes)
        samples.push(...stream.push(bytes.subarray(at, at + pieceBytes)));
      return [...samples, ...stream.end()];
    };
    return { sound, through };
  };

  it.each([1, 3, 640, 1001, 100_000])('comes out whole when it is cut every %i bytes', (pieceBytes) => {
    const { sound, through } = setup();
    expect(through(24_000, pieceBytes)).toEqual([...sound]);
  });

  it('is at another rate what the whole sound is at that rate', () => {
    const { sound, through } = setup();
    expect(through(8000, 777).slice(0, 1600)).toEqual([...resample(sound, 24_000, 8000)]);
  });

  it('leaves out half a sample at its end', () => {
    const stream = new PcmStream(24_000, 24_000);
    expect([...stream.push(Uint8Array.of(1, 0, 2)), ...stream.end()]).toEqual([1]);
  });
});
