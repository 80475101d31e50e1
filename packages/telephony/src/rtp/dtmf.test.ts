import { describe, expect, test } from 'vitest';
import { DtmfReceiver, type KeyPress } from './dtmf-receiver.ts';
import { DtmfSender } from './dtmf-sender.ts';
import { parseTelephoneEvent, TELEPHONE_EVENT_BYTES, writeTelephoneEvent } from './telephone-event.ts';

/** Sends keys frame by frame and hands every packet that `arrives` to a receiver. */
function setup(arrives: (packetNumber: number) => boolean = () => true) {
  const keys: KeyPress[] = [];
  const sender = new DtmfSender(8000);
  const receiver = new DtmfReceiver(8000, (key) => keys.push(key));
  let packets = 0;
  let frame = 0;
  let startedAt = 0;
  const run = (frames: number): void => {
    for (const end = frame + frames; frame < end; frame++) {
      receiver.tick();
      const packet = sender.next();
      if (!packet) continue;
      if (packet.isStart) startedAt = frame * 160;
      const payload = new Uint8Array(TELEPHONE_EVENT_BYTES);
      writeTelephoneEvent(new DataView(payload.buffer), packet);
      if (arrives(packets++)) receiver.receive(startedAt, payload);
    }
  };
  return {
    sender,
    receiver,
    keys,
    run,
    packetCount: () => packets,
    digits: () => keys.map((key) => key.digit).join(''),
  };
}

function payloadOf(digit: string, duration: number, isEnd = false): Uint8Array {
  const payload = new Uint8Array(TELEPHONE_EVENT_BYTES);
  writeTelephoneEvent(new DataView(payload.buffer), { digit, duration, isEnd });
  return payload;
}

describe('DTMF', () => {
  test('all sixteen keys arrive, in order, each once, 160 ms long', () => {
    const { sender, keys, run, digits } = setup();
    sender.push('0123456789*#ABCD');
    run(16 * 13);
    expect(digits()).toBe('0123456789*#ABCD');
    expect(new Set(keys.map((key) => key.durationMs))).toEqual(new Set([160]));
  });

  test('a key is eight packets with growing duration, the last one sent three times, then a pause', () => {
    const { sender } = setup();
    sender.push('5');
    const packets = Array.from({ length: 13 }, () => sender.next());
    expect(packets.map((packet) => packet?.duration)).toEqual([
      160,
      320,
      480,
      640,
      800,
      960,
      1120,
      1280,
      1280,
      1280,
      undefined,
      undefined,
      undefined,
    ]);
    expect(packets.map((packet) => packet?.isEnd ?? false).lastIndexOf(true)).toBe(9);
    expect(packets.filter((packet) => packet?.isEnd)).toHaveLength(3);
    expect(packets.filter((packet) => packet?.isStart)).toHaveLength(1);
  });

  test('the same key twice is two presses', () => {
    const { sender, run, digits } = setup();
    sender.push('11');
    run(40);
    expect(digits()).toBe('11');
  });

  test('characters that are not keys are omitted, and small letters are keys', () => {
    const { sender, run, digits } = setup();
    sender.push('+1 (2)x d');
    run(60);
    expect(digits()).toBe('12D');
  });

  test.each([1, 2, 3, 4, 5])('under 20 %% loss every key is reported once (seed %i)', (seed) => {
    let state = seed * 7919;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const { sender, run, digits } = setup(() => random() >= 0.2);
    const text = '159#0*7733'.repeat(5);
    sender.push(text);
    run(text.length * 13 + 10);
    expect(digits()).toBe(text);
  });

  test('with all end packets lost a key is reported after a timeout', () => {
    const { sender, run, keys } = setup((packet) => packet < 7);
    sender.push('9');
    run(11);
    expect(keys).toEqual([]);
    run(5);
    expect(keys).toEqual([{ digit: '9', durationMs: 140 }]);
  });

  test('with all end packets lost a key is reported when the next one starts', () => {
    const { receiver, keys } = setup();
    receiver.receive(1000, payloadOf('1', 160));
    receiver.receive(3000, payloadOf('2', 160));
    expect(keys).toEqual([{ digit: '1', durationMs: 20 }]);
  });

  test('repeated and delayed packets of keys already reported are ignored', () => {
    const { receiver, keys } = setup();
    receiver.receive(1000, payloadOf('1', 320, true));
    receiver.receive(1000, payloadOf('1', 320, true));
    receiver.receive(3000, payloadOf('2', 320, true));
    receiver.receive(1000, payloadOf('1', 160));
    expect(keys.map((key) => key.digit)).toEqual(['1', '2']);
  });

  test('a key held for nine seconds is one key', () => {
    const { receiver, keys } = setup();
    receiver.receive(1000, payloadOf('7', 0xffff));
    receiver.receive(1000 + 0xffff, payloadOf('7', 6465, true));
    expect(keys).toEqual([{ digit: '7', durationMs: 9000 }]);
  });

  test('a new source may use any timestamps', () => {
    const { receiver, keys } = setup();
    receiver.receive(900_000, payloadOf('1', 320, true));
    receiver.reset();
    receiver.receive(10, payloadOf('2', 320, true));
    expect(keys.map((key) => key.digit)).toEqual(['1', '2']);
  });

  test('events that are not keys, and payloads that are too short, are ignored', () => {
    expect(parseTelephoneEvent(Uint8Array.of(16, 0x80, 0, 160))).toBeNull();
    expect(parseTelephoneEvent(Uint8Array.of(1, 0x80, 0))).toBeNull();
  });
});
