/** Legal but unusual requests and responses that carriers and PBXs send, message by message. */
import { describe, expect, it } from 'vitest';
import { headerList, headerValue, textBody } from '../src/message/message.ts';
import { answered, LOCAL, setup, T1 } from './called-agent.ts';
import { lineOf, peerRequest, sdp, Stage, toTag } from './scripted-peer.ts';

const TYPE = { name: 'Content-Type', value: 'application/sdp' };
const answer = (tag: string) => ({ toTag: tag, headers: [TYPE], body: textBody(sdp()) });
const MINUTES = 600_000;

/** An agent that has sent an INVITE. */
function calling() {
  const stage = new Stage();
  const call = stage.invite();
  return { stage, call, invite: stage.sentRequest() };
}

/** The same, answered and acknowledged, with the tag of our side. */
function called() {
  const { stage, call, invite } = calling();
  stage.respond(invite, 200, answer('Peer-Tag'));
  stage.sent();
  const ourTag = /;tag=([^;]+)/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
  return { stage, call, invite, within: { callId: 'ours-1', fromTag: 'Peer-Tag', toTag: ourTag } };
}

/** All transactions end, and nothing is left. */
function expectNothingLeft(stage: Stage): void {
  stage.advance(MINUTES);
  expect(stage.agent.load()).toMatchObject({ transactions: 0, dialogs: 0, calls: 0 });
}

describe('tags in another case', () => {
  // RFC 3261 section 7.3.1: "Unless otherwise stated in the definition of a particular header field, field values, parameter names,
  // and parameter values are case-insensitive."
  it.each([
    [
      'ours',
      (within: { fromTag: string; toTag: string }) => ({ ...within, toTag: within.toTag.toUpperCase() }),
    ],
    ['its own', (within: { fromTag: string; toTag: string }) => ({ ...within, fromTag: 'PEER-TAG' })],
  ])('name the same dialog: %s', (_, change) => {
    const { stage, within } = called();
    stage.request({ method: 'BYE', callId: 'ours-1', ...change(within) });
    expect(stage.sentLines()).toEqual(['200 BYE']);
    expect(stage.ends()).toEqual(['remote-bye']);
  });

  it('are parameters in any case themselves', () => {
    const { stage, within } = called();
    stage.receive(peerRequest({ method: 'BYE', ...within }).replaceAll(';tag=', ' ; TAG = '));
    expect(stage.sentLines()).toEqual(['200 BYE']);
  });
});

describe('an INVITE of ours', () => {
  it('may have provisional responses and an answer with different tags, of which only the answer counts', () => {
    const { stage, call, invite } = calling();
    stage.respond(invite, 183, answer('gateway'));
    stage.respond(invite, 180, { toTag: 'switch' });
    stage.respond(invite, 200, answer('phone'));
    expect(stage.sent().map((message) => [lineOf(message), toTag(message)])).toEqual([['ACK', 'phone']]);
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    const bye = stage.sentRequest();
    expect(toTag(bye)).toBe('phone');
    stage.respond(bye, 200);
    expectNothingLeft(stage);
  });

  it('may have three answers: two of them get ACK and BYE', () => {
    const { stage, invite } = calling();
    for (const tag of ['a', 'b', 'c']) stage.respond(invite, 200, answer(tag));
    expect(stage.sent().map((message) => [lineOf(message), toTag(message)])).toEqual([
      ['ACK', 'a'],
      ['ACK', 'b'],
      ['BYE', 'b'],
      ['ACK', 'c'],
      ['BYE', 'c'],
    ]);
    expect(stage.eventTypes().filter((type) => type === 'answered')).toHaveLength(1);
  });

  it('may be answered without a provisional response after our CANCEL could not be sent yet', () => {
    const { stage, call, invite } = calling();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    expect(stage.sentLines()).toEqual([]);
    stage.respond(invite, 200, answer('late'));
    const sent = stage.sent();
    expect(sent.map(lineOf)).toEqual(['ACK', 'BYE']);
    const bye = sent.at(-1);
    if (bye) stage.respond(bye, 200);
    expectNothingLeft(stage);
  });

  it('may be answered long after the far end has accepted our CANCEL', () => {
    const { stage, call, invite } = calling();
    stage.respond(invite, 180, { toTag: 'a' });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    const cancel = stage.sentRequest();
    expect(cancel.method).toBe('CANCEL');
    stage.respond(cancel, 200);
    stage.advance(8000);
    stage.respond(invite, 200, answer('a'));
    expect(stage.sentLines()).toEqual(['ACK', 'BYE']);
    expect(stage.eventTypes()).not.toContain('answered');
  });

  it.each([420, 481, 488, 494, 606])('ends with %i, also with fields that it does not know', (status) => {
    const { stage, invite } = calling();
    const headers = [
      { name: 'Unsupported', value: '100rel, timer' },
      { name: 'Warning', value: '304 gw "Media type not available"' },
      { name: 'Retry-After', value: '18000 (in a meeting) ;duration=3600' },
    ];
    stage.respond(invite, status, { toTag: 'x', headers });
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'ended', end: { by: 'response', status } });
    expectNothingLeft(stage);
  });

  it('goes through a proxy twice where the route says so (a spiral)', () => {
    const { stage, call, invite } = calling();
    const value = '<sip:10.0.0.7;lr;ftag=2>, <sip:10.0.0.8;lr>, <sip:10.0.0.7;lr;ftag=1>';
    stage.respond(invite, 200, { ...answer('a'), headers: [TYPE, { name: 'Record-Route', value }] });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    for (const request of stage.sent())
      expect(headerList(request, 'Route')).toEqual([
        '<sip:10.0.0.7;lr;ftag=1>',
        '<sip:10.0.0.8;lr>',
        '<sip:10.0.0.7;lr;ftag=2>',
      ]);
  });

  it('gets a BYE before it is answered, which ends nothing that the caller would not end itself', () => {
    const { stage, invite } = calling();
    stage.respond(invite, 180, { toTag: 'a' });
    stage.sent();
    const ourTag = /;tag=([^;]+)/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
    stage.request({ method: 'BYE', callId: 'ours-1', fromTag: 'a', toTag: ourTag });
    // RFC 3261 section 15: "the callee's UA MUST NOT send a BYE" in an early dialog. The final response follows.
    expect(stage.sent().map(lineOf)).toEqual([expect.stringMatching(/^(200|481) BYE$/)]);
    stage.respond(invite, 487, { toTag: 'a' });
    expect(stage.sentLines()).toEqual(['ACK']);
    expectNothingLeft(stage);
  });
});

describe('a BYE of ours', () => {
  it.each([481, 408, 500, 405])('that gets %i ends the call all the same', (status) => {
    const { stage, call } = called();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.respond(stage.sentRequest(), status);
    expect(stage.ends()).toEqual(['local-bye']);
    expectNothingLeft(stage);
  });

  it('that crosses one of the far end is answered', () => {
    const { stage, call, within } = called();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    const bye = stage.sentRequest();
    stage.request({ method: 'BYE', ...within });
    expect(stage.sentLines()).toEqual(['200 BYE']);
    stage.respond(bye, 481);
    expectNothingLeft(stage);
  });
});

describe('a call to us', () => {
  const CONTACT = 'Contact: <sip:peer@10.0.0.9:5060>';

  it('with two Contacts has the first one as its target', () => {
    const { stage, call } = setup({ contact: `${CONTACT};q=0.5, <sip:other@10.0.0.8>` });
    stage.sent();
    stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
    const [ok] = stage.sent();
    stage.request({ method: 'ACK', toTag: ok ? toTag(ok) : '' });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    expect(stage.sentRequest().uri).toBe('sip:peer@10.0.0.9:5060');
  });

  it('may have every long header folded, compact names, and empty lines before it', () => {
    const stage = new Stage();
    const text = peerRequest({ method: 'INVITE', body: sdp() })
      .replace('Via: SIP/2.0/UDP ', 'v :\r\n\tSIP / 2.0 / UDP\r\n   ')
      .replace(/From: (.*);tag=/, 'f:\r\n "A\r\n B" $1\r\n ;tag=')
      .replace('To:', 't  :')
      .replace('Call-ID:', 'i:\r\n ')
      .replace('CSeq: 1 INVITE', 'CSeq: 0001\r\n INVITE')
      .replace('Contact:', 'm:')
      .replace('Content-Type: application/sdp', 'c: application/sdp ;\r\n charset=utf-8')
      .replace('Content-Length:', 'l:');
    stage.receive(`\r\n\r\n${text}`);
    expect(stage.sentLines()).toEqual(['100 INVITE']);
    expect(stage.incoming).toMatchObject([{ incoming: { fromName: 'A B', callId: 'call-1' } }]);
  });

  it('without rport is answered at the port of its Via, and with neither port nor rport at 5060', () => {
    for (const [via, port] of [
      ['SIP/2.0/UDP 10.0.0.9:5071;branch=z9hG4bK-a', 5071],
      ['SIP/2.0/UDP carrier.example;branch=z9hG4bK-b', 5060],
    ] as const) {
      const stage = new Stage();
      const text = peerRequest({ method: 'OPTIONS' }).replace(/Via: .*/, `Via: ${via}`);
      stage.receive(text, { transport: 'udp', host: '10.0.0.9', port: 6000, connectionId: null });
      expect(stage.sentWithWay()).toMatchObject([{ destination: { host: '10.0.0.9', port } }]);
    }
  });

  it('that requires an unknown extension gets 420 with its name, and none for CANCEL', () => {
    const stage = new Stage();
    stage.request({
      method: 'INVITE',
      body: sdp(),
      headers: ['Require: timer, x-billing'],
      branch: 'z9hG4bK-r',
    });
    const [refusal] = stage.sent();
    expect(refusal).toMatchObject({ status: 420 });
    expect(refusal && headerValue(refusal, 'Unsupported')).toBe('x-billing');
    stage.request({ method: 'CANCEL', branch: 'z9hG4bK-r', headers: ['Require: x-billing'] });
    expect(stage.sentLines()).toEqual(['200 CANCEL']);
  });

  it('gets 200 for an INFO without a body, and OPTIONS and unknown methods are answered within it', () => {
    const { stage, tag } = answered();
    stage.sent();
    const ask = (method: string, sequence: number, headers: string[] = []): string[] => {
      stage.request({ method, sequence, toTag: tag, headers });
      return stage.sentLines();
    };
    expect(ask('INFO', 2)).toEqual(['200 INFO']);
    expect(ask('OPTIONS', 3)).toEqual(['200 OPTIONS']);
    expect(ask('MESSAGE', 4)).toEqual(['405 MESSAGE']);
    expect(ask('SUBSCRIBE', 5, ['Event: dialog'])).toEqual(['405 SUBSCRIBE']);
    expect(ask('PUBLISH', 6, ['Event: presence'])).toEqual(['405 PUBLISH']);
    expect(ask('BYE', 7)).toEqual(['200 BYE']);
    expect(stage.ends()).toEqual(['remote-bye']);
  });

  it.each(['MESSAGE', 'SUBSCRIBE', 'PUBLISH'])('is not begun by %s, which gets 405 with Allow', (method) => {
    const stage = new Stage();
    stage.request({ method, headers: ['Event: presence'] });
    const [refusal] = stage.sent();
    expect(refusal).toMatchObject({ status: 405 });
    expect(refusal && headerList(refusal, 'Allow')).toContain('INVITE');
  });

  it('may end with BYE while it rings', () => {
    const { stage, call } = setup();
    stage.run((agent, nowMs) => agent.ring(call, nowMs));
    const tag = toTag(stage.sent().at(-1) ?? expect.unreachable());
    stage.request({ method: 'BYE', sequence: 2, toTag: tag });
    expect(stage.sentLines().toSorted()).toEqual(['200 BYE', '487 INVITE']);
    stage.request({ method: 'ACK', toTag: tag, branch: 'z9hG4bK-invite' });
    expectNothingLeft(stage);
  });

  it('takes only the PRACK of its latest reliable response', () => {
    const { stage, call } = setup({ headers: ['Require: 100rel'] });
    stage.run((agent, nowMs) => agent.ring(call, nowMs));
    const ringing = stage.sent().at(-1) ?? expect.unreachable();
    const tag = toTag(ringing);
    const rseq = Number(headerValue(ringing, 'RSeq'));
    const prack = (rack: string, sequence: number): string[] => {
      stage.request({ method: 'PRACK', sequence, toTag: tag, headers: rack === '' ? [] : [`RAck: ${rack}`] });
      return stage.sentLines().filter((line) => line.endsWith('PRACK'));
    };
    expect(prack(`${rseq + 1} 1 INVITE`, 2)).toEqual(['481 PRACK']);
    expect(prack(`${rseq} 2 INVITE`, 3)).toEqual(['481 PRACK']);
    expect(prack(`${rseq} 1 BYE`, 4)).toEqual(['481 PRACK']);
    expect(prack('', 5)).toEqual(['400 PRACK']);
    stage.advance(T1);
    expect(stage.sentLines()).toEqual(['180 INVITE']);
    expect(prack(`${rseq} 1 INVITE`, 6)).toEqual(['200 PRACK']);
    stage.advance(8 * T1);
    expect(stage.sentLines()).toEqual([]);
  });

  it('keeps its media when a re-INVITE gets 488, and takes the next one', () => {
    const { stage, tag } = answered();
    stage.sent();
    const offer = (sequence: number, body: string): string[] => {
      stage.request({ method: 'INVITE', sequence, toTag: tag, body });
      const lines = stage.sentLines();
      stage.request({ method: 'ACK', sequence, toTag: tag });
      return lines;
    };
    expect(offer(2, sdp({ payloads: '18' }))).toEqual(['488 INVITE']);
    expect(offer(3, sdp({ port: 30_004 }))).toEqual(['200 INVITE']);
    expect(stage.eventTypes().filter((type) => type === 'media')).toHaveLength(2);
    expect(stage.ends()).toEqual([]);
  });
});
