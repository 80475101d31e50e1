import { describe, expect, it } from 'vitest';
import type { Destination } from '../message/destination.ts';
import type { AgentAction, CallEvent } from './agent-actions.ts';
import { UserAgent } from './user-agent.ts';

const server = (host: string): Destination => ({ transport: 'udp', host, port: 5060, connectionId: null });

/** A call with two servers, on a clock that the test moves. */
function setup() {
  const agent = new UserAgent({
    address: { host: '192.0.2.1', port: 5060 },
    userAgent: 'Test',
    random: (byteCount) => Uint8Array.from({ length: byteCount }, () => Math.floor(Math.random() * 256)),
  });
  const sent: { host: string; text: string; reference: string | null }[] = [];
  const events: CallEvent[] = [];
  let nowMs = 0;
  const take = (action: AgentAction): void => {
    if (action.type === 'call') events.push(action.event);
    if (action.type !== 'send') return;
    const { bytes, destination, reference } = action;
    sent.push({ host: destination.host, text: new TextDecoder().decode(bytes), reference });
  };
  const settle = (): void => agent.takeActions().forEach(take);
  const dial = (callId = 'call@test'): void => {
    agent.invite(
      {
        callId,
        from: { uri: 'sip:a@192.0.2.1' },
        toUri: 'sip:b@carrier.example',
        destination: server('198.51.100.1'),
        alternatives: [{ uri: 'sip:b@carrier.example', destination: server('198.51.100.2') }],
        media: { host: '192.0.2.1', port: 4000 },
      },
      nowMs,
    );
    settle();
  };
  dial();
  const advanceTo = (untilMs: number): void => {
    while (agent.nextWakeAtMs !== null && agent.nextWakeAtMs <= untilMs) {
      agent.advance(agent.nextWakeAtMs);
      settle();
    }
    nowMs = untilMs;
    agent.advance(nowMs);
    settle();
  };
  const respond = (status: number, ...more: string[]): void => {
    const invite = sent.findLast(({ text }) => text.startsWith('INVITE'));
    const fields = (invite?.text ?? '')
      .split('\r\n')
      .filter((line) => /^(Via|From|Call-ID|CSeq):/.test(line));
    const lines = [
      `SIP/2.0 ${status} Answer`,
      ...fields,
      'To: <sip:b@carrier.example>;tag=x',
      ...more,
      'Content-Length: 0',
    ];
    agent.receive(`${lines.join('\r\n')}\r\n\r\n`, server(invite?.host ?? ''), nowMs);
    settle();
  };
  /** The transport could not deliver the latest message. */
  const fail = (): void => {
    agent.transportFailed(sent.at(-1)?.reference ?? null, nowMs);
    settle();
  };
  const invited = () => new Set(sent.filter(({ text }) => text.startsWith('INVITE')).map(({ host }) => host));
  const end = () => events.find((event) => event.type === 'ended')?.end;
  /** The server of the latest INVITE. */
  const latest = () => sent.findLast(({ text }) => text.startsWith('INVITE'))?.host;
  return { advanceTo, dial, respond, fail, invited, latest, end };
}

describe('the INVITE of a call', () => {
  it('does not go to the next server when the first is silent to the end', () => {
    const { advanceTo, invited, end } = setup();
    advanceTo(60_000);
    expect(end()).toEqual({ by: 'no-response' });
    expect(invited()).toEqual(new Set(['198.51.100.1']));
  });

  it('goes to the next server when its only copy could not be sent', () => {
    const { fail, invited, end } = setup();
    fail();
    expect(end()).toBeUndefined();
    expect(invited()).toEqual(new Set(['198.51.100.1', '198.51.100.2']));
    fail();
    expect(end()).toEqual({ by: 'transport' });
  });

  it('stays where an earlier copy may have arrived', () => {
    const { advanceTo, fail, invited, end } = setup();
    advanceTo(600);
    fail();
    expect(end()).toEqual({ by: 'transport' });
    expect(invited()).toEqual(new Set(['198.51.100.1']));
  });

  it('goes to the next server after 503 for ten seconds', () => {
    const soon = setup();
    soon.respond(100);
    soon.advanceTo(9_900);
    soon.respond(503);
    expect(soon.invited().size).toBe(2);
    const late = setup();
    late.respond(100);
    late.advanceTo(10_100);
    late.respond(503);
    expect(late.invited().size).toBe(1);
    expect(late.end()).toEqual({ by: 'response', status: 503 });
  });

  it('begins with the other server for as long as Retry-After of a 503 says, at most ten minutes', () => {
    const { dial, respond, latest, advanceTo } = setup();
    respond(503, 'Retry-After: 60 (maintenance);duration=9');
    expect(latest()).toBe('198.51.100.2');
    respond(486);
    advanceTo(59_900);
    dial('second@test');
    expect(latest()).toBe('198.51.100.2');
    respond(486);
    advanceTo(60_100);
    dial('third@test');
    expect(latest()).toBe('198.51.100.1');
    respond(503, 'Retry-After: 99999');
    respond(486);
    advanceTo(659_900);
    dial('fourth@test');
    expect(latest()).toBe('198.51.100.2');
    respond(486);
    advanceTo(660_300);
    dial('fifth@test');
    expect(latest()).toBe('198.51.100.1');
  });

  it('goes to a server that has answered 503 when no other one is available', () => {
    const { dial, respond, latest, end } = setup();
    respond(503, 'Retry-After: 60');
    respond(503, 'Retry-After: 60');
    expect(end()).toEqual({ by: 'response', status: 503 });
    dial('second@test');
    expect(latest()).toBe('198.51.100.1');
  });

  it('begins with the first server again after a 503 without Retry-After', () => {
    const { dial, respond, latest } = setup();
    respond(503);
    respond(486);
    dial('second@test');
    expect(latest()).toBe('198.51.100.1');
  });
});
