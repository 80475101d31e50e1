import { describe, expect, it } from 'vitest';
import { SilentMedia } from '../../test/silent-media.ts';
import { LegMedia } from './leg-media.ts';

/** Media that records its commands. */
class RecordingMedia extends SilentMedia {
  readonly commands: string[] = [];
  override play(...[turn]: [number?]): void {
    this.commands.push(`play ${turn}`);
  }
  override clear(): void {
    this.commands.push('clear');
  }
  override pausePlayout(): void {
    this.commands.push('pause');
  }
}

describe('the media of a leg', () => {
  it('keeps commands until its socket is open, in order', () => {
    const media = new LegMedia();
    const rtp = new RecordingMedia(4000);
    media.play(1, new Int16Array(160));
    media.pausePlayout();
    media.attach(rtp);
    media.clear();
    expect(rtp.commands).toEqual(['play 1', 'pause', 'clear']);
  });

  it('does nothing once closed, with or without a socket', () => {
    const early = new LegMedia();
    early.close();
    early.play(1, new Int16Array(160));
    const media = new LegMedia();
    const rtp = new RecordingMedia(4000);
    media.attach(rtp);
    media.close();
    media.close();
    media.play(1, new Int16Array(160));
    expect(rtp.isClosed).toBe(true);
    expect(rtp.commands).toEqual([]);
    expect(media.stats().packetsSent).toBe(0);
  });
});
