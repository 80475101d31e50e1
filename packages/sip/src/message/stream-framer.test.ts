import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { FramingError, StreamFramer, type Frame } from './stream-framer.ts';

const message = (body: string, name = 'Content-Length'): string =>
  `OPTIONS sip:a SIP/2.0\r\n${name}: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const texts = (frames: readonly Frame[]): string[] =>
  frames.map((frame) => ('bytes' in frame ? Buffer.from(frame.bytes).toString() : frame.type));

describe('a stream of messages', () => {
  it('is split at the same positions however it is chunked', () => {
    const stream = Buffer.from(`${message('')}${message('grüße\r\n\r\n')}${message('x', 'l')}`);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: stream.length }), { maxLength: 10 }), (cuts) => {
        const framer = new StreamFramer();
        const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
        const frames = places.flatMap((place, index) =>
          framer.push(stream.subarray(place, places[index + 1] ?? place)),
        );
        expect(texts(frames)).toEqual([message(''), message('grüße\r\n\r\n'), message('x', 'l')]);
      }),
    );
  });

  it('may contain a message of exactly the maximum size', () => {
    const head = `OPTIONS sip:a SIP/2.0\r\nContent-Length: `;
    const bodyBytes = MAX_MESSAGE_BYTES - head.length - '65535\r\n\r\n'.length;
    const bytes = Buffer.from(`${head}${bodyBytes}\r\n\r\n${'x'.repeat(bodyBytes)}`);
    expect(bytes).toHaveLength(MAX_MESSAGE_BYTES);
    expect(new StreamFramer().push(bytes)).toHaveLength(1);
  });

  it('has pings and pongs between messages', () => {
    expect(texts(new StreamFramer().push(Buffer.from(`\r\n\r\n${message('')}\r\n${message('')}`)))).toEqual([
      'ping',
      message(''),
      'pong',
      message(''),
    ]);
  });

  it.each([
    ['without a length', 'OPTIONS sip:a SIP/2.0\r\nTo: x\r\n\r\n'],
    ['with an invalid length', 'OPTIONS sip:a SIP/2.0\r\nContent-Length: -1\r\n\r\n'],
    ['with an invalid length before a valid one', 'OPTIONS sip:a SIP/2.0\r\nl: -1\r\nl: 0\r\n\r\n'],
    ['that announces too much', `OPTIONS sip:a SIP/2.0\r\nContent-Length: ${MAX_MESSAGE_BYTES}\r\n\r\n`],
    ['that announces a gigabyte', 'OPTIONS sip:a SIP/2.0\r\nl: 999999999\r\n\r\n'],
  ])('ends with the head of a message %s, so that it can be answered', (_, head) => {
    const framer = new StreamFramer();
    const frames = framer.push(Buffer.from(`${message('x')}${head}v=0\r\n${message('')}`));
    expect(texts(frames)).toEqual([message('x'), head]);
    expect(frames.map(({ type }) => type)).toEqual(['message', 'last-message']);
    expect(framer.push(Buffer.from(`${'x'.repeat(MAX_MESSAGE_BYTES + 1)}\r\n\r\n`))).toEqual([]);
  });

  it('may contain a length on a folded line', () => {
    const folded = 'OPTIONS sip:a SIP/2.0\r\nContent-Length:\r\n 1\r\n\r\nx';
    expect(texts(new StreamFramer().push(Buffer.from(`${folded}${message('')}`)))).toEqual([
      folded,
      message(''),
    ]);
  });

  it.each([
    ['that never end', 'x'.repeat(MAX_MESSAGE_BYTES + 1)],
    [
      'whose head is too large',
      `OPTIONS sip:a SIP/2.0\r\nX: ${'x'.repeat(MAX_MESSAGE_BYTES)}\r\nl: 0\r\n\r\n`,
    ],
    ['that begin with a stray carriage return', '\rOPTIONS'],
  ])('cannot be split any more after messages %s', (_, text) => {
    expect(() => new StreamFramer().push(Buffer.from(text))).toThrow(FramingError);
  });
});
