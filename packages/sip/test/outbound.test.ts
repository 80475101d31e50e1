import { describe, expect, it } from 'vitest';
import { MAX_FORKS } from '../src/message/limits.ts';
import { headerValue, headerValues, textBody } from '../src/message/message.ts';
import { branch, lineOf, peerRequest, sdp, Stage, toTag } from './scripted-peer.ts';

const TYPE = { name: 'Content-Type', value: 'application/sdp' };
const CHALLENGE = 'Digest realm="here", nonce="abc", qop="auth", algorithm=MD5';
const answer = (tag: string) => ({ toTag: tag, headers: [TYPE], body: textBody(sdp()) });

/** A call whose INVITE has been sent. */
function setup(options: Parameters<Stage['invite']>[0] = {}) {
  const stage = new Stage();
  const call = stage.invite(options);
  return { stage, call, invite: stage.sentRequest() };
}

/** A call that was answered with tag `a`. */
function answered(options: Parameters<Stage['invite']>[0] = {}) {
  const { stage, call, invite } = setup(options);
  stage.respond(invite, 200, answer('a'));
  const ack = stage.sentRequest();
  return { stage, call, invite, ack };
}

describe('an outbound call', () => {
  it('keeps the given Call-ID and offers PCMU, PCMA and telephone-event', () => {
    const { invite } = setup({ callId: 'fixed@parley' });
    expect(headerValue(invite, 'Call-ID')).toBe('fixed@parley');
    expect(Buffer.from(invite.body).toString()).toContain('m=audio 40000 RTP/AVP 0 8 101');
  });

  it('retransmits the INVITE after 0.5, 1.5, 3.5, 7.5, 15.5 and 31.5 s and times out after 32 s', () => {
    const { stage } = setup();
    stage.advance(499);
    expect(stage.sentLines()).toEqual([]);
    stage.advance(31_500);
    expect(stage.sentLines()).toEqual(Array.from({ length: 6 }, () => 'INVITE'));
    stage.advance(1);
    expect(stage.ends()).toEqual(['no-response']);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, timers: 0 });
  });

  it('stops retransmitting after the first response, and reports every ringing response', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 100);
    stage.respond(invite, 180, { toTag: 'a' });
    stage.respond(invite, 183, { toTag: 'a' });
    stage.advance(60_000);
    expect(stage.sentLines()).toEqual([]);
    expect(stage.eventTypes()).toEqual(['ringing', 'ringing']);
  });

  it('acknowledges the answer, reports the media and then the answer with its dialog', () => {
    const { stage, ack, invite } = answered();
    expect(ack.method).toBe('ACK');
    expect(ack.uri).toBe('sip:peer@10.0.0.9:5060');
    expect(toTag(ack)).toBe('a');
    expect(headerValue(ack, 'CSeq')).toBe('1 ACK');
    expect(branch(ack)).not.toBe(branch(invite));
    expect(stage.eventTypes()).toEqual(['media', 'answered']);
    expect(stage.events[1]?.event).toMatchObject({
      dialog: {
        callId: 'ours-1',
        remoteTag: 'a',
        remoteTarget: 'sip:peer@10.0.0.9:5060',
        localSequence: 1,
        transport: 'udp',
        destination: { host: '10.0.0.9', port: 5060 },
      },
    });
  });

  it('sends the same ACK for every retransmission of the 200', () => {
    const { stage, invite, ack } = answered();
    stage.respond(invite, 200, answer('a'));
    stage.respond(invite, 200, answer('a'));
    const again = stage.sent();
    expect(again.map(lineOf)).toEqual(['ACK', 'ACK']);
    expect(again.every((message) => branch(message) === branch(ack))).toBe(true);
    expect(stage.eventTypes()).toEqual(['media', 'answered']);
  });

  it('hangs up with BYE and reports the end at once', () => {
    const { stage, call } = answered();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    const bye = stage.sentRequest();
    expect(headerValue(bye, 'CSeq')).toBe('2 BYE');
    expect(stage.ends()).toEqual(['local-bye']);
    stage.respond(bye, 200);
    stage.advance(40_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('ends when the far end sends BYE', () => {
    const { stage, invite } = answered();
    const from = /tag=(.*)$/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
    stage.request({ method: 'BYE', callId: 'ours-1', fromTag: 'a', toTag: from });
    expect(stage.sentLines()).toEqual(['200 BYE']);
    expect(stage.ends()).toEqual(['remote-bye']);
  });

  it.each([486, 603, 305, 500])(
    'ends with the status of a refusal (%d), and acknowledges every retransmission',
    (status) => {
      const { stage, invite } = setup();
      stage.respond(invite, status, { toTag: 'a' });
      stage.respond(invite, status, { toTag: 'a' });
      const acks = stage.sent();
      expect(acks.map(lineOf)).toEqual(['ACK', 'ACK']);
      expect(acks.every((ack) => branch(ack) === branch(invite) && toTag(ack) === 'a')).toBe(true);
      expect(stage.events.at(-1)?.event).toEqual({ type: 'ended', end: { by: 'response', status } });
      expect(stage.ends()).toHaveLength(1);
    },
  );

  it('ends when the transport cannot send', () => {
    const stage = new Stage();
    stage.invite();
    const [first] = stage.sentWithWay();
    stage.run((agent, nowMs) => agent.transportFailed(first?.reference ?? null, nowMs));
    expect(stage.ends()).toEqual(['transport']);
  });

  it('sends BYE at once on an answer without a supported codec', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 200, { toTag: 'a', headers: [TYPE], body: textBody(sdp({ port: 0 })) });
    expect(stage.sentLines()).toEqual(['ACK', 'BYE']);
    expect(stage.ends()).toEqual(['unusable-answer']);
  });

  it('sends the ACK where the INVITE was sent when the Contact of the answer is malformed', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 200, {
      ...answer('a'),
      headers: [TYPE, { name: 'Contact', value: '<sip:@>' }, { name: 'Record-Route', value: '<' }],
    });
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.eventTypes()).toContain('answered');
  });
});

describe('cancelling an outbound call', () => {
  it('sends CANCEL only after a provisional response, with the branch of its INVITE', () => {
    const { stage, call, invite } = setup();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    expect(stage.sentLines()).toEqual([]);
    stage.respond(invite, 180, { toTag: 'a' });
    const cancel = stage.sentRequest();
    expect(cancel.method).toBe('CANCEL');
    expect(branch(cancel)).toBe(branch(invite));
    stage.respond(cancel, 200);
    stage.respond(invite, 487, { toTag: 'a' });
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.ends()).toEqual(['cancel']);
  });

  it('acknowledges and hangs up a 200 that crosses the CANCEL', () => {
    const { stage, call, invite } = setup();
    stage.respond(invite, 180, { toTag: 'a' });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.sent();
    stage.respond(invite, 200, answer('a'));
    expect(stage.sentLines()).toEqual(['ACK', 'BYE']);
    expect(stage.eventTypes()).toEqual(['ringing', 'ended']);
    expect(stage.ends()).toEqual(['late-answer']);
  });

  it('acknowledges and hangs up a 200 that arrives before any provisional response', () => {
    const { stage, call, invite } = setup();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.respond(invite, 200, answer('a'));
    expect(stage.sentLines()).toEqual(['ACK', 'BYE']);
    expect(stage.ends()).toEqual(['late-answer']);
  });

  it('reports no response when nothing arrives', () => {
    const { stage, call } = setup();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.advance(32_000);
    expect(stage.sentLines()).not.toContain('CANCEL');
    expect(stage.ends()).toEqual(['no-response']);
  });

  it('abandons the INVITE 32 s after a CANCEL without a final response', () => {
    const { stage, call, invite } = setup();
    stage.respond(invite, 180, { toTag: 'a' });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.advance(31_999);
    expect(stage.ends()).toEqual([]);
    stage.advance(1);
    expect(stage.ends()).toEqual(['cancel']);
    stage.advance(40_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });
});

describe('an answer to the INVITE of an earlier process at the same address', () => {
  /** A restarted agent, and the answer that the far end repeats. */
  function restarted() {
    const { invite } = setup();
    const stage = new Stage();
    stage.respond(invite, 200, answer('a'));
    const [action] = stage.others;
    return { stage, invite, stray: action?.type === 'stray-answer' ? action.answer : null };
  }

  it('is reported, and ends with ACK and BYE on command', () => {
    const { stage, stray } = restarted();
    expect(stage.sentLines()).toEqual([]);
    stage.run((agent, nowMs) => stray && agent.endStrayAnswer(stray, nowMs));
    const [ack, bye] = stage.sent();
    expect([ack, bye].map((message) => message && headerValue(message, 'CSeq'))).toEqual(['1 ACK', '2 BYE']);
    expect(ack && toTag(ack)).toBe('a');
  });

  it('is ignored for a dialog that this agent holds', () => {
    const { stage, invite } = answered();
    stage.advance(60_000);
    stage.respond(invite, 200, answer('a'));
    expect(stage.others).toEqual([]);
  });

  it.each([
    ['its Via names another agent', { Via: 'SIP/2.0/UDP 10.0.0.7:5060;branch=z9hG4bK-b' }],
    ['it answers another request', { CSeq: '1 BYE' }],
    ['its Contact is malformed', { Contact: '<sip:@>' }],
  ])('is ignored when %s', (_what, changed) => {
    const { invite } = setup();
    const stage = new Stage();
    const headers = Object.entries({
      Via: headerValue(invite, 'Via') ?? '',
      From: headerValue(invite, 'From') ?? '',
      To: `${headerValue(invite, 'To')};tag=a`,
      'Call-ID': 'ours-1',
      CSeq: '1 INVITE',
      Contact: '<sip:peer@10.0.0.9:5060>',
      ...changed,
    });
    stage.receive(
      ['SIP/2.0 200 OK', ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'),
    );
    expect(stage.others).toEqual([]);
    expect(stage.agent.load().dropped).toBe(1);
  });
});

describe('forks', () => {
  it('keeps the first answer, and acknowledges and hangs up every other', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 180, { toTag: 'a' });
    stage.respond(invite, 180, { toTag: 'b' });
    stage.respond(invite, 200, answer('b'));
    expect(stage.sent().map(lineOf)).toEqual(['ACK']);
    stage.respond(invite, 200, answer('a'));
    const dropped = stage.sent();
    expect(dropped.map((message) => [lineOf(message), toTag(message)])).toEqual([
      ['ACK', 'a'],
      ['BYE', 'a'],
    ]);
    stage.respond(invite, 200, answer('a'));
    stage.respond(invite, 200, answer('b'));
    expect(stage.sent().map((message) => [lineOf(message), toTag(message)])).toEqual([
      ['ACK', 'a'],
      ['ACK', 'b'],
    ]);
    expect(stage.eventTypes()).toEqual(['ringing', 'ringing', 'media', 'answered']);
  });

  it('limits the number of forks', () => {
    const { stage, invite } = setup();
    for (let index = 0; index < 1000; index += 1) stage.respond(invite, 180, { toTag: `made-up-${index}` });
    expect(stage.agent.load().dialogs).toBe(MAX_FORKS);
  });

  it('hangs up a fork that answers after the call has ended', () => {
    const { stage, call, invite } = answered();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.sent();
    stage.respond(invite, 200, answer('late'));
    expect(stage.sent().map((message) => [lineOf(message), toTag(message)])).toEqual([
      ['ACK', 'late'],
      ['BYE', 'late'],
    ]);
    expect(stage.ends()).toEqual(['local-bye']);
  });
});

describe('challenges', () => {
  const credentials = { username: 'alice', password: 'secret' };
  const challenge = (name: string, value = CHALLENGE) => ({ toTag: 'p', headers: [{ name, value }] });

  it('answers a 407 and then a 401, and keeps sending both answers', () => {
    const { stage, invite } = setup({ credentials });
    stage.respond(invite, 407, challenge('Proxy-Authenticate'));
    const [, second] = stage.sent();
    expect(second && headerValue(second, 'CSeq')).toBe('2 INVITE');
    expect(second && headerValue(second, 'Proxy-Authorization')).toMatch(/^Digest username="alice"/);
    if (second) stage.respond(second, 401, challenge('WWW-Authenticate', CHALLENGE.replace('abc', 'def')));
    const [, third] = stage.sent();
    expect(third && headerValue(third, 'Proxy-Authorization')).toContain('nc=00000002');
    expect(third && headerValue(third, 'Authorization')).toContain('nonce="def"');
    if (third) stage.respond(third, 200, answer('a'));
    const ack = stage.sentRequest();
    expect(headerValue(ack, 'Authorization')).toBe(third && headerValue(third, 'Authorization'));
    expect(headerValue(ack, 'CSeq')).toBe('3 ACK');
  });

  it('fails on a second challenge of the same kind', () => {
    const { stage, invite } = setup({ credentials });
    stage.respond(invite, 401, challenge('WWW-Authenticate'));
    const [, second] = stage.sent();
    if (second) stage.respond(second, 401, challenge('WWW-Authenticate'));
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.events.at(-1)?.event).toEqual({ type: 'ended', end: { by: 'response', status: 401 } });
  });

  it('answers once more when the nonce is stale, but not a third time', () => {
    const { stage, invite } = setup({ credentials });
    const stale = challenge('WWW-Authenticate', `${CHALLENGE}, stale=true`);
    stage.respond(invite, 401, stale);
    const [, second] = stage.sent();
    if (second) stage.respond(second, 401, stale);
    const [, third] = stage.sent();
    expect(third && lineOf(third)).toBe('INVITE');
    if (third) stage.respond(third, 401, stale);
    expect(stage.sentLines()).toEqual(['ACK']);
  });

  it('ends with the status without credentials or without a supported challenge', () => {
    const without = setup();
    without.stage.respond(without.invite, 401, challenge('WWW-Authenticate'));
    expect(without.stage.ends()).toEqual(['response']);
    const other = setup({ credentials });
    other.stage.respond(other.invite, 401, challenge('WWW-Authenticate', 'Basic realm="x"'));
    expect(other.stage.ends()).toEqual(['response']);
  });

  it('does not answer a challenge after it was cancelled', () => {
    const { stage, call, invite } = setup({ credentials });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.respond(invite, 401, challenge('WWW-Authenticate'));
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.ends()).toEqual(['cancel']);
  });

  it('answers a challenge to the BYE', () => {
    const { stage, call } = answered({ credentials });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    const bye = stage.sentRequest();
    stage.respond(bye, 407, challenge('Proxy-Authenticate'));
    const again = stage.sentRequest();
    expect(again.method).toBe('BYE');
    expect(headerValue(again, 'CSeq')).toBe('3 BYE');
    expect(headerValues(again, 'Proxy-Authorization')).toHaveLength(1);
    stage.respond(again, 200);
    expect(stage.agent.load().dialogs).toBe(0);
  });
});

describe('routes', () => {
  it('sends the ACK and BYE over the recorded route, reversed, with the target in the Request-URI', () => {
    const { stage, call, invite } = setup();
    const recorded = { name: 'Record-Route', value: '<sip:p2.example;lr>, <sip:p1.example:5070;lr>' };
    stage.respond(invite, 200, { ...answer('a'), headers: [TYPE, recorded] });
    const [ack] = stage.sentWithWay();
    expect(ack?.message).toMatchObject({ uri: 'sip:peer@10.0.0.9:5060' });
    expect(ack && headerValues(ack.message, 'Route')).toEqual([
      '<sip:p1.example:5070;lr>',
      '<sip:p2.example;lr>',
    ]);
    expect(ack?.destination).toMatchObject({ host: 'p1.example', port: 5070 });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    expect(stage.sentWithWay()[0]?.destination).toMatchObject({ host: 'p1.example', port: 5070 });
  });

  it('puts a strict router into the Request-URI and the target into the last Route', () => {
    const { stage, invite } = setup();
    const recorded = { name: 'Record-Route', value: '<sip:strict.example>' };
    stage.respond(invite, 200, { ...answer('a'), headers: [TYPE, recorded] });
    const ack = stage.sentRequest();
    expect(ack.uri).toBe('sip:strict.example');
    expect(headerValues(ack, 'Route')).toEqual(['<sip:peer@10.0.0.9:5060>']);
  });
});

describe('ending a dialog that another process stored', () => {
  it('sends a BYE with a higher CSeq number and reports the response', () => {
    const first = answered();
    const event = first.stage.events[1]?.event;
    if (event?.type !== 'answered') throw new Error('The call was not answered');
    const stage = new Stage();
    stage.run((agent, nowMs) => agent.sendBye(structuredClone(event.dialog), nowMs));
    const bye = stage.sentRequest();
    expect(headerValue(bye, 'CSeq')).toBe('2 BYE');
    expect(headerValue(bye, 'From')).toBe(headerValue(first.invite, 'From'));
    stage.respond(bye, 200);
    expect(stage.others).toEqual([{ type: 'dialog-ended', id: 1, status: 200 }]);
  });

  it('reports null without a response', () => {
    const { stage } = answered();
    const event = stage.events[1]?.event;
    if (event?.type !== 'answered') throw new Error('The call was not answered');
    const { dialog } = event;
    const other = new Stage();
    other.run((agent, nowMs) => agent.sendBye(dialog, nowMs));
    other.advance(32_000);
    expect(other.others).toEqual([{ type: 'dialog-ended', id: 1, status: null }]);
  });
});

describe('responses that match no transaction', () => {
  it('are dropped', () => {
    const stage = new Stage();
    stage.receive(peerRequest({ method: 'BYE' }).replace(/^BYE \S+ SIP\/2.0/, 'SIP/2.0 200 OK'));
    expect(stage.sentLines()).toEqual([]);
    expect(stage.agent.load()).toMatchObject({ dropped: 1, faults: 0 });
  });
});
