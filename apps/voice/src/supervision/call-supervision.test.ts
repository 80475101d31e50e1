import { tone, tonePurity } from '@parley/audio';
import type { Turn } from '@parley/conversation';
import { ManualClock } from '@parley/runtime';
import { FakeMedia } from '@parley/telephony/fakes';
import { describe, expect, it } from 'vitest';
import { CallSupervision, type SupervisorSocket } from './call-supervision.ts';

class FakeSocket implements SupervisorSocket {
  bufferedAmount = 0;
  readonly sent: (string | Uint8Array)[] = [];
  closed: string | number | null = null;
  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }
  close(_code: number, reason: string): void {
    this.closed ??= reason;
  }
  terminate(): void {
    this.closed ??= 'terminated';
  }
  messages(): unknown[] {
    return this.sent.flatMap((data) => (typeof data === 'string' ? [JSON.parse(data) as unknown] : []));
  }
  /** Mono, 16,000 Hz. */
  sound(): Int16Array {
    const frames = this.sent.filter((data) => typeof data !== 'string');
    return Int16Array.from(frames.flatMap((bytes) => [...new Int16Array(bytes.slice().buffer)]));
  }
}

const HELLO: Turn = { sender: 'bot', text: 'Hello.', startedAtMs: 20, endedAtMs: 500 };

function setup() {
  const clock = new ManualClock();
  const media = new FakeMedia();
  const notes: string[] = [];
  const asked: string[] = [];
  let state: 'closed' | 'talking' | 'bridged' = 'talking';
  let follows = true;
  const supervision = new CallSupervision({
    clock,
    media,
    conversation: {
      announce: () => void asked.push('announce'),
      whisper: (text) => follows && asked.push(text) > 0,
      attend: (isAttended) => {
        asked.push(isAttended ? 'attend' : 'continue');
        return isAttended;
      },
      transcript: () => [HELLO],
    },
    state: () => state,
    destinations: ['Sales'],
    note: (type, detail) => void notes.push([type, ...Object.values(detail)].join(' ')),
  });
  media.onTick((tick) => supervision.tick(tick));
  const ticketOf = (mode: 'listen' | 'talk', isAnnounced = false): string => {
    const issued = supervision.issueTicket(mode, isAnnounced);
    if (typeof issued === 'string') throw new Error(issued);
    return issued.ticket;
  };
  const connect = (mode: 'listen' | 'talk', isAnnounced = false) => {
    const socket = new FakeSocket();
    return { socket, link: supervision.accept(socket, ticketOf(mode, isAnnounced)) };
  };
  const pass = (frames: number): void => {
    for (let n = 0; n < frames; n++) media.passFrame();
  };
  return {
    clock,
    media,
    notes,
    asked,
    supervision,
    ticketOf,
    connect,
    pass,
    enter: (next: typeof state) => void (state = next),
    followScript: () => void (follows = false),
  };
}

describe('a listener', () => {
  it('hears both sides and reads what was said before and from then on', () => {
    const { connect, media, pass, supervision } = setup();
    const { socket } = connect('listen');
    media.sayAtFarEnd(tone({ hz: 400, sampleRateHz: 8000, samples: 8000 }));
    pass(50);
    expect(tonePurity(socket.sound().subarray(1000), 400, 16_000)).toBeGreaterThan(0.95);
    media.play(3, tone({ hz: 1000, sampleRateHz: 8000, samples: 8000 }));
    pass(50);
    expect(tonePurity(socket.sound().subarray(17_000), 1000, 16_000)).toBeGreaterThan(0.95);
    expect(socket.sound()).toHaveLength(100 * 320);
    supervision.turn({ ...HELLO, sender: 'human', text: 'Hi.' });
    expect(socket.messages()).toEqual([
      { type: 'listening', destinations: ['Sales'] },
      { type: 'turn', sender: 'bot', text: 'Hello.', start_ms: 20 },
      { type: 'turn', sender: 'human', text: 'Hi.', start_ms: 20 },
    ]);
  });

  it('receives nothing before the announcement was heard; later listeners need no other one', () => {
    const { connect, pass, supervision, asked, notes } = setup();
    const { socket } = connect('listen', true);
    connect('listen', true);
    pass(10);
    supervision.turn(HELLO);
    expect(asked).toEqual(['announce']);
    expect(socket.sent).toEqual(['{"type":"announcing"}']);
    supervision.announced();
    pass(10);
    expect(socket.sound()).toHaveLength(3200);
    const third = connect('listen', true).socket;
    expect(third.messages()[0]).toMatchObject({ type: 'listening' });
    expect(asked).toEqual(['announce']);
    expect(notes).toContain('listening_announced');
  });

  it('is disconnected when two seconds of sound wait, and the others hear on', () => {
    const { connect, pass, notes } = setup();
    const slow = connect('listen').socket;
    const good = connect('listen').socket;
    slow.bufferedAmount = 64_001;
    pass(2);
    expect([slow.closed, good.closed]).toEqual(['terminated', null]);
    expect([slow.sound().length, good.sound().length]).toEqual([0, 640]);
    expect(notes).toContain('listening_ended');
  });

  it('is refused as the sixth, and where it cannot be announced', () => {
    const { connect, supervision, enter } = setup();
    for (let count = 0; count < 5; count++) connect('listen');
    expect(supervision.issueTicket('listen', false)).toBe('too-many');
    const other = setup();
    other.enter('bridged');
    expect(other.supervision.issueTicket('listen', true)).toBe('cannot-announce');
    expect(other.supervision.issueTicket('listen', false)).toHaveProperty('ticket');
    enter('closed');
    expect(supervision.issueTicket('listen', false)).toBe('not-talking');
  });

  it('is disconnected at the end of the call', () => {
    const { connect, supervision, pass } = setup();
    const { socket } = connect('listen');
    supervision.end();
    pass(1);
    expect(socket.messages().at(-1)).toEqual({ type: 'ended' });
    expect([socket.closed, socket.sound().length]).toEqual(['The call has ended', 0]);
  });
});

describe('a ticket', () => {
  it('works once, and for a minute', () => {
    const { supervision, ticketOf, clock } = setup();
    const ticket = ticketOf('listen');
    expect(supervision.accept(new FakeSocket(), ticket)).not.toBeNull();
    const again = new FakeSocket();
    expect(supervision.accept(again, ticket)).toBeNull();
    expect(again.closed).toBe('The ticket is not valid any more');
    const late = ticketOf('listen');
    clock.advance(60_001);
    expect(supervision.accept(new FakeSocket(), late)).toBeNull();
    expect(supervision.accept(new FakeSocket(), 'guessed')).toBeNull();
  });

  it('is one of at most ten', () => {
    const { supervision, ticketOf } = setup();
    for (let count = 0; count < 10; count++) ticketOf('listen');
    expect(supervision.issueTicket('listen', false)).toBe('too-many');
  });
});

describe('a whisper', () => {
  it('reaches the assistant and is on the record', () => {
    const { supervision, asked, notes } = setup();
    expect(supervision.whisper('Offer ten percent.')).toBeNull();
    expect([asked, notes]).toEqual([['Offer ten percent.'], ['whispered Offer ten percent.']]);
  });

  it('is refused by a script, after the thirtieth, and without an assistant', () => {
    const { supervision, enter } = setup();
    for (let count = 0; count < 30; count++) expect(supervision.whisper('More.')).toBeNull();
    expect(supervision.whisper('More.')).toBe('too-many');
    const scripted = setup();
    scripted.followScript();
    expect(scripted.supervision.whisper('More.')).toBe('no-model');
    enter('bridged');
    expect(supervision.whisper('More.')).toBe('not-talking');
  });
});

describe('an operator who takes over', () => {
  it('is heard by the customer, and hears the customer alone', () => {
    const { connect, media, pass, asked } = setup();
    const { socket, link } = connect('talk');
    expect(asked).toEqual(['attend']);
    const voice = tone({ hz: 600, sampleRateHz: 16_000, samples: 16_000 });
    media.sayAtFarEnd(tone({ hz: 400, sampleRateHz: 8000, samples: 8000 }));
    for (let n = 0; n < 50; n++) {
      link?.hear(voice.subarray(n * 320, (n + 1) * 320));
      pass(1);
    }
    expect(tonePurity(Int16Array.from(media.heard.slice(1000)), 600, 8000)).toBeGreaterThan(0.95);
    expect(tonePurity(socket.sound().subarray(1000), 400, 16_000)).toBeGreaterThan(0.95);
  });

  it('gives the call back, once', () => {
    const { connect, asked, notes, media, pass } = setup();
    const { link } = connect('talk');
    link?.hear(new Int16Array(320).fill(900));
    link?.leave(true);
    link?.leave(false);
    link?.hear(new Int16Array(320).fill(900));
    pass(10);
    expect(asked).toEqual(['attend', 'continue']);
    expect(notes).toEqual(['taken_over', 'given_back operator']);
    expect(media.heard.every((sample) => sample === 0)).toBe(true);
  });

  it('counts as lost after five seconds without sound, and the assistant continues', () => {
    const { connect, asked, notes, pass } = setup();
    const { socket } = connect('talk');
    pass(249);
    expect(asked).toEqual(['attend']);
    pass(1);
    expect([asked, notes.at(-1)]).toEqual([['attend', 'continue'], 'given_back connection_lost']);
    expect(socket.closed).toBe('terminated');
  });

  it('cannot delay the customer by more than 300 ms, however much is sent', () => {
    const { connect, media, pass } = setup();
    const { link } = connect('talk');
    for (let n = 0; n < 500; n++) link?.hear(new Int16Array(320).fill(900));
    pass(100);
    expect(media.heard.findLastIndex((sample) => sample !== 0)).toBeLessThan(17 * 160);
  });

  it('is the only one', () => {
    const { connect, supervision, ticketOf } = setup();
    const second = ticketOf('talk');
    connect('talk');
    expect(supervision.issueTicket('talk', false)).toBe('attended');
    const socket = new FakeSocket();
    expect(supervision.accept(socket, second)).toBeNull();
    expect(socket.closed).toBe('attended');
  });

  it('leaves when the customer is connected to somebody else', () => {
    const { connect, pass, enter, asked } = setup();
    const { socket } = connect('talk');
    enter('bridged');
    pass(1);
    expect([socket.closed, asked]).toEqual(['The call was transferred', ['attend']]);
  });
});
