import { EventEmitter } from 'node:events';
import { encodeG711, rmsDbfs, tone } from '@parley/audio';
import { describe, expect, test } from 'vitest';
import { FakeMedia } from '../fakes/fake-media.ts';
import { AgentStream, type StreamEndReason } from './agent-stream.ts';
import type { StreamData, StreamSocket } from './stream-socket.ts';

/** Our end of a WebSocket to an agent. */
class FakeSocket
  extends EventEmitter<{ message: [StreamData, boolean]; pong: []; close: [number]; error: [Error] }>
  implements StreamSocket
{
  bufferedAmount = 0;
  pings = 0;
  /** The code of the close, or `terminated`. */
  closed: number | 'terminated' | undefined | null = null;
  readonly sent: Record<string, unknown>[] = [];

  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }
  ping(): void {
    this.pings += 1;
  }
  close(code?: number): void {
    this.closed ??= code;
  }
  terminate(): void {
    this.closed ??= 'terminated';
  }
  of(event: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message['event'] === event);
  }
  says(message: unknown): void {
    this.emit('message', Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false);
  }
}

const ABOUT = {
  streamSid: `MZ${'a'.repeat(32)}`,
  callSid: `CA${'0'.repeat(31)}7`,
  accountSid: `AC${'0'.repeat(31)}1`,
  customParameters: { customer: 'Ann' },
};

function setup() {
  const socket = new FakeSocket();
  const media = new FakeMedia();
  const ends: StreamEndReason[] = [];
  const stream = new AgentStream({ socket, media, about: ABOUT, onEnd: (reason) => ends.push(reason) });
  media.onTick((tick) => stream.tick(tick));
  const pass = (frames: number): void => {
    for (let n = 0; n < frames; n++) media.passFrame();
  };
  const sound = (frames: number): object => {
    const samples = tone({ hz: 400, sampleRateHz: 8000, samples: frames * 160 });
    const payload = new Uint8Array(samples.length);
    encodeG711('PCMU', samples, payload);
    const { streamSid } = ABOUT;
    return { event: 'media', streamSid, media: { payload: Buffer.from(payload).toString('base64') } };
  };
  const mark = (name: string): object => ({ event: 'mark', streamSid: ABOUT.streamSid, mark: { name } });
  return { socket, media, ends, stream, pass, sound, mark };
}

const namesOf = (marks: Record<string, unknown>[]): unknown[] =>
  marks.map(({ mark }) => (mark as { name: string }).name);

describe('a stream to an agent', () => {
  test('begins with connected and start, and numbers what follows', () => {
    const { socket, stream, pass } = setup();
    pass(2);
    stream.dtmf('5');
    stream.stop();
    const { streamSid, callSid, accountSid, customParameters } = ABOUT;
    expect(socket.sent[0]).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(socket.sent[1]).toEqual({
      event: 'start',
      sequenceNumber: '1',
      streamSid,
      start: {
        accountSid,
        streamSid,
        callSid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters,
      },
    });
    const silence = Buffer.alloc(160, 0xff).toString('base64');
    expect(socket.sent.slice(2)).toEqual([
      {
        event: 'media',
        sequenceNumber: '2',
        streamSid,
        media: { track: 'inbound', chunk: '1', timestamp: '0', payload: silence },
      },
      {
        event: 'media',
        sequenceNumber: '3',
        streamSid,
        media: { track: 'inbound', chunk: '2', timestamp: '20', payload: silence },
      },
      { event: 'dtmf', sequenceNumber: '4', streamSid, dtmf: { track: 'inbound_track', digit: '5' } },
      { event: 'stop', sequenceNumber: '5', streamSid, stop: { accountSid, callSid } },
    ]);
    expect(socket.closed).toBe(1000);
  });

  test('plays what the agent sends, and echoes each mark when the sound before it was played', () => {
    const { socket, media, pass, sound, mark } = setup();
    socket.says(mark('nothing before'));
    expect(namesOf(socket.of('mark'))).toEqual(['nothing before']);
    socket.says(sound(10));
    socket.says(mark('first'));
    socket.says(sound(5));
    socket.says(mark('second'));
    socket.says(mark('third'));
    // 2 frames of silence precede sound that begins.
    pass(11);
    expect(namesOf(socket.of('mark'))).toEqual(['nothing before']);
    pass(1);
    expect(namesOf(socket.of('mark'))).toEqual(['nothing before', 'first']);
    pass(5);
    expect(namesOf(socket.of('mark'))).toEqual(['nothing before', 'first', 'second', 'third']);
    expect(rmsDbfs(Int16Array.from(media.heard.slice(2 * 160, 17 * 160)))).toBeGreaterThan(-20);
  });

  test('drops queued sound on clear, and echoes its marks at once', () => {
    const { socket, media, pass, sound, mark } = setup();
    socket.says(sound(100));
    socket.says(mark('cut'));
    pass(5);
    socket.says({ event: 'clear', streamSid: ABOUT.streamSid });
    expect(namesOf(socket.of('mark'))).toEqual(['cut']);
    const before = media.heard.length;
    pass(10);
    expect(rmsDbfs(Int16Array.from(media.heard.slice(before + 160)))).toBe(-100);
    socket.says(sound(3));
    socket.says(mark('after'));
    pass(4);
    expect(namesOf(socket.of('mark'))).toEqual(['cut']);
    pass(1);
    expect(namesOf(socket.of('mark'))).toEqual(['cut', 'after']);
  });

  test.each([
    [1000, 'closed'],
    [1005, 'closed'],
    [1006, 'lost'],
    [1011, 'lost'],
  ])('that the agent closes with %i is %s', (code, reason) => {
    const { socket, ends, pass } = setup();
    socket.emit('close', code);
    socket.emit('close', code);
    const count = socket.sent.length;
    pass(10);
    expect(ends).toEqual([reason]);
    expect(socket.sent).toHaveLength(count);
  });

  test('ignores a hundred messages that mean nothing, and ends with the next', () => {
    const { socket, ends } = setup();
    const bad = ['no json', '[]', '{"event":"media"}', '{"event":"media","media":{"payload":"%"}}'];
    bad.push('{"event":"mark","mark":{}}', '{"event":"clear","streamSid":"MZ0"}', '{"event":"other"}');
    for (let n = 0; n < 99; n++) socket.says(bad[n % bad.length]);
    socket.emit('message', Buffer.alloc(10), true);
    expect(ends).toEqual([]);
    socket.says('{}');
    expect(ends).toEqual(['invalid']);
    expect(socket.closed).toBe(1008);
  });

  test('ends when more than two minutes of sound wait', () => {
    const { socket, ends, sound } = setup();
    for (let n = 0; n < 11; n++) socket.says(sound(500));
    expect(ends).toEqual([]);
    socket.says(sound(500));
    expect(ends).toEqual(['flooded']);
    expect(socket.closed).toBe('terminated');
  });

  test('ends when a thousand messages per second are exceeded, or a thousand marks wait', () => {
    const messages = setup();
    for (let n = 0; n < 6_001; n++) messages.socket.says(messages.mark('x'));
    expect(messages.ends).toEqual(['flooded']);
    const marks = setup();
    marks.socket.says(marks.sound(10));
    for (let n = 0; n < 1_001; n++) marks.socket.says(marks.mark('x'));
    expect(marks.ends).toEqual(['flooded']);
  });

  test('sends no sound to an agent that does not read, and ends after 10 s', () => {
    const { socket, ends, pass } = setup();
    socket.bufferedAmount = 64_001;
    pass(499);
    expect([ends, socket.of('media').length]).toEqual([[], 0]);
    pass(1);
    expect(ends).toEqual(['not-reading']);
  });

  test('ends when pings are not answered for 15 s', () => {
    const { socket, ends, pass } = setup();
    pass(749);
    socket.emit('pong');
    pass(749);
    expect([ends, socket.pings]).toEqual([[], 5]);
    pass(1);
    expect(ends).toEqual(['silent']);
  });
});
