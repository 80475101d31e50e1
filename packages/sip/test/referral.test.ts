/** REFER requests of the far end (RFC 3515), message by message. */
import { describe, expect, it } from 'vitest';
import { bodyText, headerValue, textBody, type SipRequest } from '../src/message/message.ts';
import { sdp, Stage, toTag } from './scripted-peer.ts';

const SDP = { name: 'Content-Type', value: 'application/sdp' };
const TARGET = 'Refer-To: <sip:+12025550199@10.0.0.9>';

/** An answered call in which the far end may send REFER. */
function setup(direction: 'inbound' | 'outbound' = 'outbound', acceptsRefer = true) {
  const stage = new Stage();
  let call: number;
  let dialog: { callId?: string; fromTag?: string; toTag: string };
  let allow: string | null;
  if (direction === 'outbound') {
    call = stage.invite({ acceptsRefer });
    const invite = stage.sentRequest();
    allow = headerValue(invite, 'Allow');
    const tag = /;tag=([^;]+)/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
    stage.respond(invite, 200, { toTag: 'peer', headers: [SDP], body: textBody(sdp()) });
    dialog = { callId: 'ours-1', fromTag: 'peer', toTag: tag };
  } else {
    stage.request({ method: 'INVITE', body: sdp() });
    call = stage.incoming[0]?.call ?? 0;
    stage.run((agent, nowMs) => agent.answer(call, { host: '10.0.0.1', port: 4000 }, nowMs, acceptsRefer));
    const answer = stage.sent().at(-1);
    if (!answer) throw new Error('There is no answer');
    allow = headerValue(answer, 'Allow');
    dialog = { toTag: toTag(answer) };
    stage.request({ method: 'ACK', ...dialog });
  }
  stage.sent();
  let sequence = 10;
  const refer = (...headers: string[]): string => {
    stage.request({ method: 'REFER', sequence: (sequence += 1), headers, ...dialog });
    return stage.sentLines().join();
  };
  const bye = (): void => stage.request({ method: 'BYE', sequence: (sequence += 1), ...dialog });
  const decide = (status: number): void =>
    stage.run((agent, nowMs) => agent.answerRefer(call, status, nowMs));
  const report = (status: number): void =>
    stage.run((agent, nowMs) => agent.reportReferral(call, status, nowMs));
  const targets = (): unknown[] =>
    stage.events.flatMap(({ event }) => (event.type === 'refer-received' ? [event.target] : []));
  return { stage, allow, refer, bye, decide, report, targets };
}

function notified(request: SipRequest): unknown[] {
  const field = (name: string): string | null => headerValue(request, name);
  return [field('Event'), field('Subscription-State'), bodyText(request)];
}

describe.each(['inbound', 'outbound'] as const)('a REFER in an %s call', (direction) => {
  it('is accepted with 202, and its outcome reported with NOTIFY', () => {
    const { stage, allow, refer, decide, report, targets } = setup(direction);
    expect(allow).toContain('REFER');
    expect(refer(TARGET)).toBe('');
    expect(targets()).toEqual([
      { user: '+12025550199', host: '10.0.0.9', ownHost: '10.0.0.9', hasReplaces: false, headers: [] },
    ]);
    decide(202);
    const [accepted, trying] = stage.sent();
    expect(accepted).toMatchObject({ status: 202, reason: 'Accepted' });
    expect(trying && headerValue(trying, 'Content-Type')).toBe('message/sipfrag;version=2.0');
    expect(notified(trying as SipRequest)).toEqual(['refer', 'active;expires=180', 'SIP/2.0 100 Trying\r\n']);
    stage.respond(trying as SipRequest, 200);
    report(200);
    const done = stage.sentRequest();
    expect(notified(done)).toEqual(['refer', 'terminated;reason=noresource', 'SIP/2.0 200 OK\r\n']);
    stage.respond(done, 200);
    report(486);
    stage.advance(100_000);
    expect(stage.sentLines()).toEqual([]);
  });

  it('gets 405 where the application does not accept it', () => {
    const { allow, refer, targets } = setup(direction, false);
    expect(allow).not.toContain('REFER');
    expect(refer(TARGET)).toBe('405 REFER');
    expect(targets()).toEqual([]);
  });
});

describe('a REFER', () => {
  it('may be refused, and then followed by another one, whose reports have its id', () => {
    const { stage, refer, decide } = setup();
    refer(TARGET);
    decide(603);
    expect(stage.sentLines()).toEqual(['603 REFER']);
    refer(TARGET);
    decide(202);
    expect(notified(stage.sent()[1] as SipRequest)[0]).toBe('refer;id=12');
  });

  it('is refused for now while another one is in progress', () => {
    const { refer, decide, stage } = setup();
    refer(TARGET);
    expect(refer(TARGET)).toBe('500 REFER');
    decide(202);
    stage.sent();
    expect(refer(TARGET)).toBe('500 REFER');
  });

  it('has its reports in order: the outcome waits for the response to the first NOTIFY', () => {
    const { stage, refer, decide, report } = setup();
    refer(TARGET);
    decide(202);
    const trying = stage.sent()[1] as SipRequest;
    report(486);
    expect(stage.sentLines()).toEqual([]);
    stage.respond(trying, 200);
    expect(bodyText(stage.sentRequest())).toBe('SIP/2.0 486 Busy Here\r\n');
  });

  it('leaves nothing behind when the far end hangs up in the meantime', () => {
    const { stage, refer, decide, report, bye } = setup();
    refer(TARGET);
    decide(202);
    bye();
    stage.respond(stage.sent()[1] as SipRequest, 481);
    report(200);
    stage.advance(100_000);
    expect(stage.sentLines()).toEqual([]);
    expect(stage.agent.load()).toMatchObject({ calls: 0, dialogs: 0, transactions: 0, timers: 0, faults: 0 });
  });

  it('that was not decided when the call ends gets 481', () => {
    const { stage, refer, bye } = setup();
    refer(TARGET);
    bye();
    expect(stage.sentLines()).toContain('481 REFER');
  });

  it.each([
    ['no Refer-To', [], '400 REFER'],
    ['two of them', [TARGET, TARGET], '400 REFER'],
    ['a malformed one', ['Refer-To: <sip:'], '400 REFER'],
    ['another scheme', ['Refer-To: <https://example.com>'], '416 REFER'],
  ])('is refused with %s', (_what, headers, line) => {
    const { refer, targets } = setup();
    expect(refer(...headers)).toBe(line);
    expect(targets()).toEqual([]);
  });

  it('asks for no reports where the far end wants none (RFC 4488)', () => {
    const { stage, refer, decide, report } = setup();
    refer(TARGET, 'Refer-Sub: false');
    decide(202);
    const [accepted, ...others] = stage.sent();
    expect(accepted && headerValue(accepted, 'Refer-Sub')).toBe('false');
    expect(others).toEqual([]);
    expect(refer(TARGET)).toBe('500 REFER');
    report(200);
    expect(stage.sentLines()).toEqual([]);
    refer(TARGET, 'Require: norefersub');
    decide(202);
    expect(stage.sentLines()).toEqual(['202 REFER', 'NOTIFY']);
  });

  it.each([481, null])('has no further reports once one of them got %s', (status) => {
    const { stage, refer, decide, report } = setup();
    refer(TARGET);
    decide(202);
    const trying = stage.sent()[1] as SipRequest;
    if (status === null) stage.advance(40_000);
    else stage.respond(trying, status);
    stage.sent();
    report(200);
    expect(stage.sentLines()).toEqual([]);
  });

  it.each([
    ['<tel:+12025550199>', { user: '+12025550199', host: null, hasReplaces: false, headers: [] }],
    ['<sip:1%302@PBX.example>', { user: '102', host: 'pbx.example', hasReplaces: false, headers: [] }],
    [
      '<sip:2@pbx.example?Subject=x&Route=y>',
      { user: '2', host: 'pbx.example', hasReplaces: false, headers: [] },
    ],
    [
      '<sip:2@pbx.example?X=1&replaces=a%40b%3Bto-tag%3D1%3Bfrom-tag%3D2>',
      {
        user: '2',
        host: 'pbx.example',
        hasReplaces: true,
        headers: [
          { name: 'Replaces', value: 'a@b;to-tag=1;from-tag=2' },
          { name: 'Require', value: 'replaces' },
        ],
      },
    ],
  ])('names %s', (uri, target) => {
    const { refer, targets } = setup();
    refer(`Refer-To: ${uri}`);
    expect(targets()).toEqual([{ ...target, ownHost: '10.0.0.9' }]);
  });

  it.each([
    ['a header in Replaces', '<sip:2@h?Replaces=a%0D%0AX:1%3Bto-tag%3D1%3Bfrom-tag%3D2>', '400 REFER'],
    ['a Replaces without tags', '<sip:2@h?Replaces=a>', '400 REFER'],
    ['two Replaces', '<sip:2@h?Replaces=a&Replaces=b>', '400 REFER'],
    ['another method', '<sip:2@h;method=BYE>', '403 REFER'],
    ['TLS for a target of a call without it', '<sips:2@h>', '416 REFER'],
  ])('is refused with %s', (_what, uri, line) => {
    const { refer, targets } = setup();
    expect(refer(`Refer-To: ${uri}`)).toBe(line);
    expect(targets()).toEqual([]);
  });

  it.each([
    ['"A" <sip:a@b>;cid="2"', [{ name: 'Referred-By', value: '<sip:a@b>' }]],
    ['<sip:', []],
  ])('that was sent by %s hands that on (RFC 3892)', (value, headers) => {
    const { refer, targets } = setup();
    refer(TARGET, `Referred-By: ${value}`);
    expect(targets()).toMatchObject([{ headers }]);
  });
});
