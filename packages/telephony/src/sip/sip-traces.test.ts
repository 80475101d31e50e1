import { ManualClock } from '@parley/runtime';
import { describe, expect, it } from 'vitest';
import { SipTraces, TRACE_LIMITS } from './sip-traces.ts';

const PEER = { transport: 'udp', host: '192.0.2.9', port: 5070, connectionId: null } as const;
const LOCAL = { host: '192.0.2.1', port: 5060 };

function setup() {
  const clock = new ManualClock();
  const traces = new SipTraces(clock, () => LOCAL);
  const note = (direction: 'in' | 'out', startLine: string, { callId = 'a@b', padding = 0 } = {}): void => {
    const text = `${startLine}\r\nX: ${'x'.repeat(padding)}\r\nCall-ID: ${callId}\r\n\r\n`;
    traces.note(direction, Buffer.from(text), PEER);
  };
  const lines = (callId = 'a@b') =>
    traces.take({ id: callId })?.messages.map(({ text }) => text.split('\r\n')[0]) ?? null;
  return { clock, traces, note, lines };
}

describe('the trace of a call', () => {
  it('holds the messages of both directions with time and addresses', () => {
    const { clock, traces, note } = setup();
    traces.begin({ id: 'a@b' });
    note('out', 'INVITE sip:1@x SIP/2.0');
    clock.advance(25);
    note('in', 'SIP/2.0 486 Busy Here');
    traces.end({ id: 'a@b' });
    note('out', 'ACK sip:1@x SIP/2.0');
    const trace = traces.take({ id: 'a@b' });
    expect(trace?.messages).toMatchObject([
      {
        isSent: true,
        transport: 'udp',
        local: LOCAL,
        remote: { host: '192.0.2.9', port: 5070 },
        isTruncated: false,
      },
      { isSent: false },
      { isSent: true },
    ]);
    const [first, second] = trace?.messages ?? [];
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBe(25);
    expect(traces.take({ id: 'a@b' })).toBeNull();
  });

  it('begins with the INVITE that came before the leg', () => {
    const { traces, note, lines } = setup();
    note('in', 'INVITE sip:1@x SIP/2.0');
    note('out', 'SIP/2.0 100 Trying');
    traces.begin({ id: 'a@b' });
    note('out', 'SIP/2.0 180 Ringing');
    expect(lines()).toEqual(['INVITE sip:1@x SIP/2.0', 'SIP/2.0 100 Trying', 'SIP/2.0 180 Ringing']);
  });

  it('is not kept for other messages', () => {
    const { note, lines } = setup();
    note('in', 'OPTIONS sip:1@x SIP/2.0');
    note('in', 'REGISTER sip:x SIP/2.0');
    expect(lines()).toBeNull();
  });

  it('keeps its beginning and its end when it is too long', () => {
    const { traces, note } = setup();
    traces.begin({ id: 'a@b' });
    for (let index = 0; index < 250; index++) note('in', `INFO sip:${index}@x SIP/2.0`);
    const trace = traces.take({ id: 'a@b' });
    expect(trace?.omitted).toBe(150);
    expect(trace?.messages).toHaveLength(TRACE_LIMITS.messages);
    expect(trace?.messages[0]?.text).toContain('sip:0@x');
    expect(trace?.messages.at(-1)?.text).toContain('sip:249@x');
  });

  it('has no more bytes than its limits', () => {
    const { traces, note } = setup();
    traces.begin({ id: 'a@b' });
    note('in', 'INVITE sip:1@x SIP/2.0');
    for (let index = 0; index < 50; index++) {
      const text = `INFO sip:1@x SIP/2.0\r\nCall-ID: a@b\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`;
      traces.note('in', Buffer.from(text), PEER);
    }
    const { messages = [] } = traces.take({ id: 'a@b' }) ?? {};
    expect(Math.max(...messages.map(({ text }) => text.length))).toBe(TRACE_LIMITS.messageBytes);
    expect(messages.at(-1)?.isTruncated).toBe(true);
    const bytes = messages.reduce((sum, { text }) => sum + text.length, 0);
    expect(bytes).toBeLessThanOrEqual(TRACE_LIMITS.bytes);
    expect(bytes).toBeGreaterThan(TRACE_LIMITS.bytes / 2);
  });

  it('survives a flood of calls that have no leg, whose traces replace each other', () => {
    const { traces, note, lines } = setup();
    traces.begin({ id: 'a@b' });
    note('out', 'INVITE sip:1@x SIP/2.0');
    for (let index = 0; index < 1_000; index++) note('in', 'INVITE sip:2@x SIP/2.0', { callId: `c${index}` });
    traces.begin({ id: 'c0' });
    traces.begin({ id: 'c999' });
    expect(lines('c0')).toEqual([]);
    expect(lines('c999')).toHaveLength(1);
    expect(lines()).toHaveLength(1);
  });

  it.each(['from', 'compact'])('is that of its dialog: %s', (form) => {
    const { traces } = setup();
    const [from, to, id] = form === 'compact' ? ['f', 't', 'i'] : ['From', 'To', 'Call-ID'];
    const note = (direction: 'in' | 'out', startLine: string, fromTag: string, toTag?: string): void => {
      const tag = toTag === undefined ? '' : `;x=1; tag = ${toTag}`;
      const text = `${startLine}\r\n${from}: "A;tag=no" <sip:a@x;tag=no>;tag=${fromTag}\r\n${to}: <sip:b@x>${tag}\r\n${id}: a@b\r\n\r\n`;
      traces.note(direction, Buffer.from(text), PEER);
    };
    // Our INVITE is sent back to us by a proxy, and a second caller uses its Call-ID, too.
    traces.begin({ id: 'a@b' });
    note('out', 'INVITE sip:1@x SIP/2.0', 'ours');
    for (const caller of ['ours', 'second']) {
      note('in', `INVITE sip:${caller}@x SIP/2.0`, caller);
      traces.begin({ id: 'a@b', callerTag: caller });
      note('out', `SIP/2.0 200 ${caller}`, caller, `near-${caller}`);
    }
    note('in', 'SIP/2.0 200 OK', 'ours', 'near-ours');
    note('out', 'BYE sip:second@x SIP/2.0', 'near-second', 'second');
    note('in', 'SIP/2.0 200 Bye', 'near-second', 'second');
    note('in', 'BYE sip:1@x SIP/2.0', 'near-ours', 'ours');
    const linesOf = (callerTag?: string) =>
      traces
        .take({ id: 'a@b', ...(callerTag === undefined ? {} : { callerTag }) })
        ?.messages.map(({ text }) => text.split('\r\n')[0]);
    expect(linesOf('second')).toEqual([
      'INVITE sip:second@x SIP/2.0',
      'SIP/2.0 200 second',
      'BYE sip:second@x SIP/2.0',
      'SIP/2.0 200 Bye',
    ]);
    expect(linesOf('ours')).toEqual(['INVITE sip:ours@x SIP/2.0', 'SIP/2.0 200 ours']);
    expect(linesOf()).toEqual(['INVITE sip:1@x SIP/2.0', 'SIP/2.0 200 OK', 'BYE sip:1@x SIP/2.0']);
  });
});
