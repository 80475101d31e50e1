import { describe, expect, it } from 'vitest';
import { headerValue, textBody, type SipRequest } from '../src/message/message.ts';
import { LOCAL } from './called-agent.ts';
import { peerRequest, sdp, Stage, toTag } from './scripted-peer.ts';

const LIMIT_MS = 40_000;
const SDP = { name: 'Content-Type', value: 'application/sdp' };
const CHALLENGE = 'Digest realm="here", nonce="abc", qop="auth", algorithm=MD5';

/** A call of ours that was answered, and may be asked to go elsewhere. */
function setup(options: Parameters<Stage['invite']>[0] = {}) {
  const stage = new Stage();
  const call = stage.invite(options);
  const invite = stage.sentRequest();
  const localTag = /;tag=([^;]+)/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
  stage.respond(invite, 200, { toTag: 'peer', headers: [SDP], body: textBody(sdp()) });
  stage.sent();
  const ask = (): void =>
    stage.run((agent, nowMs) => agent.refer(call, { user: '+12025550123', limitMs: LIMIT_MS }, nowMs));
  const refer = (): SipRequest => {
    ask();
    return stage.sentRequest();
  };
  let sequence = 10;
  const inDialog = (method: string, headers: string[] = [], body = ''): string => {
    sequence += 1;
    const dialog = { callId: 'ours-1', fromTag: 'peer', toTag: localTag };
    stage.request({ method, sequence, headers, body, ...dialog });
    return stage.sentLines().join();
  };
  const notify = (body: string, { event = 'refer', state = 'active;expires=60' } = {}): string =>
    inDialog(
      'NOTIFY',
      [`Event: ${event}`, `Subscription-State: ${state}`, 'Content-Type: message/sipfrag;version=2.0'],
      body,
    );
  const outcomes = (): unknown[] =>
    stage.events.flatMap(({ event }) => (event.type === 'referred' ? [event.outcome] : []));
  return { stage, call, ask, refer, notify, inDialog, outcomes };
}

describe('a blind transfer', () => {
  it('contains the target at the host of the far end, inside the dialog', () => {
    const { refer, stage } = setup();
    const request = refer();
    expect(request).toMatchObject({ method: 'REFER', uri: 'sip:peer@10.0.0.9:5060' });
    expect(headerValue(request, 'Refer-To')).toBe('<sip:+12025550123@10.0.0.9>');
    expect(headerValue(request, 'Contact')).toMatch(/^<sip:/);
    expect(headerValue(request, 'CSeq')).toBe('2 REFER');
    expect(toTag(request)).toBe('peer');
    expect(stage.events.at(-1)?.event).toMatchObject({
      type: 'dialog-changed',
      dialog: { localSequence: 2 },
    });
  });

  it('succeeds when the target answers', () => {
    const { stage, refer, notify, outcomes } = setup();
    stage.respond(refer(), 202);
    expect(notify('SIP/2.0 100 Trying')).toBe('200 NOTIFY');
    expect(notify('SIP/2.0 180 Ringing')).toBe('200 NOTIFY');
    expect(outcomes()).toEqual([]);
    expect(notify('SIP/2.0 200 OK', { state: 'terminated;reason=noresource' })).toBe('200 NOTIFY');
    expect(outcomes()).toEqual([{ result: 'success', status: 200 }]);
    expect(notify('SIP/2.0 200 OK', { state: 'terminated;reason=noresource' })).toBe('200 NOTIFY');
    expect(outcomes()).toHaveLength(1);
    expect(stage.ends()).toEqual([]);
  });

  it.each([
    ['busy', 'SIP/2.0 486 Busy Here', { result: 'failure', status: 486 }],
    ['nothing final', 'SIP/2.0 180 Ringing', { result: 'unknown', status: null }],
    ['no status at all', 'gone', { result: 'unknown', status: null }],
  ])('ends with the status %s of its last report', (_what, body, outcome) => {
    const { stage, refer, notify, outcomes } = setup();
    stage.respond(refer(), 202);
    notify(body, { state: 'terminated;reason=noresource' });
    expect(outcomes()).toEqual([outcome]);
  });

  it('accepts a report before the response to the REFER', () => {
    const { stage, refer, notify, outcomes } = setup();
    const request = refer();
    notify('SIP/2.0 200 OK', { event: 'refer;id=2' });
    stage.respond(request, 202);
    expect(outcomes()).toEqual([{ result: 'success', status: 200 }]);
  });

  it.each([405, 501, 603])('refused with %i has placed no call', (status) => {
    const { stage, refer, outcomes } = setup();
    stage.respond(refer(), status);
    expect(outcomes()).toEqual([{ result: 'refusal', status }]);
    expect(stage.ends()).toEqual([]);
  });

  it('without a response has an unknown outcome', () => {
    const { stage, refer, outcomes } = setup();
    refer();
    stage.advance(32_000);
    expect(outcomes()).toEqual([{ result: 'unknown', status: null }]);
  });

  it('ends at its limit when no report arrives', () => {
    const { stage, refer, outcomes } = setup();
    stage.respond(refer(), 202);
    stage.advance(LIMIT_MS - 1);
    expect(outcomes()).toEqual([]);
    stage.advance(1);
    expect(outcomes()).toEqual([{ result: 'unknown', status: null }]);
  });

  it('answers a challenge, and accepts reports for the repeated request', () => {
    const { stage, refer, notify, outcomes } = setup({ credentials: { username: 'u', password: 'p' } });
    const headers = [{ name: 'Proxy-Authenticate', value: CHALLENGE }];
    stage.respond(refer(), 407, { headers });
    const again = stage.sentRequest();
    expect(headerValue(again, 'Proxy-Authorization')).toMatch(/username="u"/);
    expect(headerValue(again, 'Refer-To')).toBe('<sip:+12025550123@10.0.0.9>');
    stage.respond(again, 202);
    notify('SIP/2.0 200 OK', { event: 'refer;id=3' });
    expect(outcomes()).toEqual([{ result: 'success', status: 200 }]);
  });

  it('is refused while another one is in progress', () => {
    const { stage, refer, ask, outcomes } = setup();
    refer();
    ask();
    expect(stage.sentLines()).toEqual([]);
    expect(outcomes()).toEqual([{ result: 'refusal', status: 491 }]);
  });

  it('is possible after an earlier one, whose late reports are ignored', () => {
    const { stage, refer, notify, outcomes } = setup();
    stage.respond(refer(), 202);
    notify('SIP/2.0 486 Busy Here', { event: 'refer;id=2' });
    stage.respond(refer(), 202);
    expect(notify('SIP/2.0 200 OK', { event: 'refer;id=2' })).toBe('481 NOTIFY');
    expect(outcomes()).toHaveLength(1);
  });

  it('ends with the call, and leaves no state behind', () => {
    const { stage, refer, inDialog, outcomes } = setup();
    stage.respond(refer(), 202);
    expect(inDialog('BYE')).toBe('200 BYE');
    expect(outcomes()).toEqual([{ result: 'unknown', status: null }]);
    expect(stage.ends()).toEqual(['remote-bye']);
    stage.advance(32_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, dialogs: 0, transactions: 0, timers: 0 });
  });

  it('is refused before the answer', () => {
    const stage = new Stage();
    const call = stage.invite();
    stage.sent();
    stage.run((agent, nowMs) => agent.refer(call, { user: '1', limitMs: LIMIT_MS }, nowMs));
    expect(stage.sentLines()).toEqual([]);
    expect(stage.events.at(-1)?.event).toEqual({
      type: 'referred',
      outcome: { result: 'refusal', status: 481 },
    });
  });
});

describe('requests of the far end', () => {
  it('a REFER gets 405 with Allow', () => {
    const { stage } = setup();
    stage.request({ method: 'REFER', headers: ['Refer-To: <sip:+12025550199@evil.example>'] });
    const [answer] = stage.sent();
    expect(answer).toMatchObject({ status: 405 });
    expect(answer && headerValue(answer, 'Allow')).not.toContain('REFER');
  });

  it('a NOTIFY without a subscription gets 481, inside a dialog and outside', () => {
    const { stage, notify } = setup();
    expect(notify('SIP/2.0 200 OK')).toBe('481 NOTIFY');
    stage.request({ method: 'NOTIFY', callId: 'other', headers: ['Event: refer'] });
    expect(stage.sentLines()).toEqual(['481 NOTIFY']);
  });
});

it.each([
  ['a telephone number', '<tel:+12025550100>'],
  ['an anonymous caller (RFC 3323)', '"Anonymous" <sip:anonymous@anonymous.invalid>'],
])('a caller whose From names %s is transferred at the host of its Contact', (_whom, from) => {
  const stage = new Stage();
  const written = '<sip:+12025550100@10.0.0.9>';
  const invite = { method: 'INVITE', branch: 'z9hG4bK-invite', body: sdp() };
  stage.receive(peerRequest(invite).replace(written, from));
  const call = stage.incoming[0]?.call ?? 0;
  stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
  const ok = stage.sent().at(-1);
  if (!ok) throw new Error('Nothing was sent');
  stage.receive(peerRequest({ method: 'ACK', toTag: toTag(ok) }).replace(written, from));
  stage.run((agent, nowMs) => agent.refer(call, { user: '+12025550123', limitMs: LIMIT_MS }, nowMs));
  expect(headerValue(stage.sentRequest(), 'Refer-To')).toBe('<sip:+12025550123@10.0.0.9:5060>');
});
