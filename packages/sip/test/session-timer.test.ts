/** Session timers (RFC 4028), as caller and as callee, and glare between refreshes and changes of the session. */
import { describe, expect, it } from 'vitest';
import type { CallNumber } from '../src/call/agent-actions.ts';
import {
  bodyText,
  headerValue,
  textBody,
  type HeaderField,
  type SipMessage,
} from '../src/message/message.ts';
import { lineOf, sdp, Stage, toTag } from './scripted-peer.ts';

const TYPE = { name: 'Content-Type', value: 'application/sdp' };
const LOCAL = { host: '10.0.0.1', port: 41_000 };
const expires = (value: string): HeaderField => ({ name: 'Session-Expires', value });
const ALLOW_UPDATE = { name: 'Allow', value: 'INVITE, ACK, BYE, UPDATE' };
const OK = { headers: [TYPE], body: textBody(sdp()) };

/** A call of ours, answered with these header fields. */
function calling(...headers: HeaderField[]) {
  const stage = new Stage();
  const call = stage.invite();
  const invite = stage.sentRequest();
  stage.respond(invite, 200, { toTag: 'a', headers: [TYPE, ...headers], body: textBody(sdp()) });
  stage.sent();
  const ourTag = /tag=(.*)$/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
  const within = { callId: 'ours-1', fromTag: 'a', toTag: ourTag };
  return { stage, call, invite, within };
}

/** A call to us with these header lines, answered and acknowledged. */
function called(...headers: string[]) {
  const stage = new Stage();
  stage.request({ method: 'INVITE', body: sdp(), headers });
  const call: CallNumber = stage.incoming[0]?.call ?? 0;
  stage.sent();
  stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
  const [ok] = stage.sent();
  if (!ok) throw new Error('No answer was sent');
  const tag = toTag(ok);
  stage.request({ method: 'ACK', toTag: tag });
  return { stage, call, ok, tag };
}

function timerOf(message: SipMessage | undefined) {
  const value = (name: string) => message && headerValue(message, name);
  return [value('Session-Expires'), value('Require')];
}

describe('a caller', () => {
  it('asks for 1800 seconds, of at least 90', () => {
    const { invite } = calling();
    expect(headerValue(invite, 'Session-Expires')).toBe('1800');
    expect(headerValue(invite, 'Min-SE')).toBe('90');
  });

  it('has no timer when the answer names none', () => {
    const { stage } = calling();
    stage.advance(10_000_000);
    expect(stage.sentLines()).toEqual([]);
    expect(stage.ends()).toEqual([]);
  });

  it('refreshes with UPDATE at half of the interval where the peer allows it', () => {
    const { stage } = calling(expires('600;refresher=uac'), ALLOW_UPDATE);
    stage.advance(299_999);
    expect(stage.sentLines()).toEqual([]);
    stage.advance(1);
    const update = stage.sentRequest();
    expect(update.method).toBe('UPDATE');
    expect(headerValue(update, 'Session-Expires')).toBe('600;refresher=uac');
    expect(headerValue(update, 'Supported')).toContain('timer');
    expect(headerValue(update, 'Contact')).not.toBeNull();
    expect(update.body).toHaveLength(0);
    expect(stage.events.at(-1)?.event).toMatchObject({
      type: 'dialog-changed',
      dialog: { localSequence: 2 },
    });
    stage.respond(update, 200, { headers: [expires('600;refresher=uac')] });
    stage.advance(300_000);
    expect(stage.sentLines()).toEqual(['UPDATE']);
    expect(stage.ends()).toEqual([]);
  });

  it('refreshes with a re-INVITE that repeats its description otherwise, and acknowledges every 200', () => {
    const { stage, invite } = calling(expires('600;refresher=uac'));
    stage.advance(300_000);
    const refresh = stage.sentRequest();
    expect(lineOf(refresh)).toBe('INVITE');
    expect(bodyText(refresh)).toBe(bodyText(invite));
    expect(toTag(refresh)).toBe('a');
    stage.respond(refresh, 200, { ...OK, headers: [TYPE, expires('600;refresher=uac')] });
    stage.respond(refresh, 200, OK);
    expect(stage.sentLines()).toEqual(['ACK', 'ACK']);
    stage.advance(300_000);
    expect(stage.sentLines()).toEqual(['INVITE']);
  });

  it('follows media that the answer to its re-INVITE has moved', () => {
    const { stage } = calling(expires('600;refresher=uac'));
    stage.advance(300_000);
    stage.respond(stage.sentRequest(), 200, { headers: [TYPE], body: textBody(sdp({ port: 38_000 })) });
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'media', agreed: { remotePort: 38_000 } });
  });

  it('changes to a re-INVITE when UPDATE gets 405', () => {
    const { stage } = calling(expires('600;refresher=uac'), ALLOW_UPDATE);
    stage.advance(300_000);
    stage.respond(stage.sentRequest(), 405);
    stage.advance(0);
    expect(stage.sentLines()).toEqual(['INVITE']);
  });

  it.each([408, 481])('ends the call when a refresh gets %d', (status) => {
    const { stage } = calling(expires('600;refresher=uac'), ALLOW_UPDATE);
    stage.advance(300_000);
    stage.respond(stage.sentRequest(), status);
    expect(stage.sentLines()).toEqual(['BYE']);
    expect(stage.ends()).toEqual(['session-expired']);
  });

  it('ends the call when a refresh gets no response', () => {
    const { stage } = calling(expires('600;refresher=uac'), ALLOW_UPDATE);
    stage.advance(300_000 + 32_000);
    expect(stage.sentLines().at(-1)).toBe('BYE');
    expect(stage.ends()).toEqual(['session-expired']);
    stage.advance(40_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('tries again 2.1 to 4 seconds after 491', () => {
    const { stage } = calling(expires('600;refresher=uac'), ALLOW_UPDATE);
    stage.advance(300_000);
    stage.respond(stage.sentRequest(), 491);
    stage.advance(2099);
    expect(stage.sentLines()).toEqual([]);
    stage.advance(1901);
    expect(new Set(stage.sentLines())).toEqual(new Set(['UPDATE']));
  });

  it('tries again after any other refusal, until the session expires', () => {
    const { stage } = calling(expires('90;refresher=uac'), ALLOW_UPDATE);
    stage.advance(45_000);
    stage.respond(stage.sentRequest(), 500, { headers: [{ name: 'Retry-After', value: '3' }] });
    stage.advance(10_000);
    stage.respond(stage.sentRequest(), 500);
    stage.advance(4999);
    expect(stage.ends()).toEqual([]);
    stage.advance(1);
    expect(stage.sentLines()).toEqual(['BYE']);
    expect(stage.ends()).toEqual(['session-expired']);
  });

  it('raises the interval of a refresh after 422', () => {
    const { stage } = calling(expires('600;refresher=uac'), ALLOW_UPDATE);
    stage.advance(300_000);
    stage.respond(stage.sentRequest(), 422, { headers: [{ name: 'Min-SE', value: '900' }] });
    stage.advance(0);
    const again = stage.sentRequest();
    expect(headerValue(again, 'Session-Expires')).toBe('900;refresher=uac');
    expect(headerValue(again, 'Min-SE')).toBe('900');
  });

  it('sends the INVITE again after 422, and not after a second one that asks for no more', () => {
    const stage = new Stage();
    stage.invite();
    const first = stage.sentRequest();
    const tooSmall = { toTag: 'a', headers: [{ name: 'Min-SE', value: '3600' }] };
    stage.respond(first, 422, tooSmall);
    const [, second] = stage.sent();
    expect(second && lineOf(second)).toBe('INVITE');
    expect(second && headerValue(second, 'CSeq')).toBe('2 INVITE');
    expect(second && headerValue(second, 'Session-Expires')).toBe('3600');
    expect(second && headerValue(second, 'Min-SE')).toBe('3600');
    expect(second && toTag(second)).toBe('');
    if (second) stage.respond(second, 422, tooSmall);
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.events).toMatchObject([{ event: { type: 'ended', end: { by: 'response', status: 422 } } }]);
  });

  it.each([[], [{ name: 'Min-SE', value: '60' }], [{ name: 'Min-SE', value: '9999999999' }]])(
    'does not repeat the INVITE after 422 with %j',
    (...headers: HeaderField[]) => {
      const stage = new Stage();
      stage.invite();
      stage.respond(stage.sentRequest(), 422, { toTag: 'a', headers });
      expect(stage.sentLines()).toEqual(['ACK']);
      expect(stage.ends()).toEqual(['response']);
    },
  );

  it('leaves refreshes to the peer, and ends the call before the interval when none comes', () => {
    const { stage } = calling(expires('600;refresher=uas'), ALLOW_UPDATE);
    stage.advance(567_999);
    expect(stage.sentLines()).toEqual([]);
    stage.advance(1);
    expect(stage.sentLines()).toEqual(['BYE']);
    expect(stage.ends()).toEqual(['session-expired']);
  });

  it('answers the refreshes of the peer, which start the interval anew', () => {
    const { stage, within } = calling(expires('600;refresher=uas'), ALLOW_UPDATE);
    const headers = ['Supported: timer', 'Session-Expires: 600;refresher=uac'];
    for (let sequence = 1; sequence <= 4; sequence += 1) {
      stage.advance(300_000);
      stage.request({ method: 'UPDATE', ...within, sequence, headers });
      const [ok] = stage.sent();
      expect(ok && lineOf(ok)).toBe('200 UPDATE');
      expect(timerOf(ok)).toEqual(['600;refresher=uac', 'timer']);
    }
    expect(stage.ends()).toEqual([]);
  });

  it('stops with the call', () => {
    const { stage, call } = calling(expires('600;refresher=uac'), ALLOW_UPDATE);
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.respond(stage.sentRequest(), 200);
    stage.advance(40_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('acknowledges the answer to a re-INVITE that arrives after its BYE', () => {
    const { stage, call } = calling(expires('600;refresher=uac'));
    stage.advance(300_000);
    const refresh = stage.sentRequest();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.respond(stage.sentRequest(), 200);
    stage.respond(refresh, 200, OK);
    expect(stage.sentLines()).toEqual(['ACK']);
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('refuses a re-INVITE and an offer in UPDATE while its own re-INVITE is in progress', () => {
    const { stage, within } = calling(expires('600;refresher=uac'));
    stage.advance(300_000);
    const refresh = stage.sentRequest();
    stage.request({ method: 'INVITE', ...within, sequence: 1, body: sdp() });
    stage.request({ method: 'UPDATE', ...within, sequence: 2, body: sdp() });
    expect(stage.sentLines()).toEqual(['491 INVITE', '491 UPDATE']);
    stage.respond(refresh, 491);
    stage.sent();
    stage.request({ method: 'UPDATE', ...within, sequence: 3, body: sdp() });
    expect(stage.sentLines()).toEqual(['200 UPDATE']);
  });
});

describe('a callee', () => {
  it.each([
    [
      'a caller that refreshes',
      ['Supported: timer', 'Session-Expires: 600;refresher=uac'],
      '600;refresher=uac',
      'timer',
    ],
    [
      'a caller that leaves it open',
      ['Supported: timer', 'Session-Expires: 600'],
      '600;refresher=uac',
      'timer',
    ],
    ['a caller that wants us to refresh', ['k: timer', 'x: 600;refresher=uas'], '600;refresher=uas', null],
    [
      'a longer interval than ours',
      ['Supported: timer', 'Session-Expires: 7200'],
      '1800;refresher=uac',
      'timer',
    ],
    [
      'a longer minimum than ours',
      ['Supported: timer', 'Session-Expires: 7200', 'Min-SE: 3600'],
      '3600;refresher=uac',
      'timer',
    ],
    ['a proxy that asks for a caller without timers', ['Session-Expires: 60'], '90;refresher=uas', null],
    ['a caller without timers', [], null, null],
    ['a malformed interval', ['Supported: timer', 'Session-Expires: soon'], null, null],
  ])('answers %s', (_what, headers, value, require) => {
    expect(timerOf(called(...headers).ok)).toEqual([value, require]);
  });

  it('refuses an interval below its minimum with 422 before the call is reported', () => {
    const stage = new Stage();
    const headers = ['Supported: timer', 'Session-Expires: 60'];
    stage.request({ method: 'INVITE', body: sdp(), headers });
    const [refused] = stage.sent();
    expect(refused && lineOf(refused)).toBe('422 INVITE');
    expect(refused && headerValue(refused, 'Min-SE')).toBe('90');
    expect(stage.incoming).toEqual([]);
  });

  it('refuses a refresh below its minimum with 422 and keeps the session', () => {
    const { stage, tag } = called('Supported: timer', 'Session-Expires: 600;refresher=uac');
    const headers = ['Supported: timer', 'Session-Expires: 60;refresher=uac'];
    stage.request({ method: 'UPDATE', sequence: 2, toTag: tag, headers });
    stage.request({ method: 'INVITE', sequence: 3, toTag: tag, headers, body: sdp() });
    expect(stage.sentLines()).toEqual(['422 UPDATE', '422 INVITE']);
    expect(stage.ends()).toEqual([]);
  });

  it('ends the call when the caller does not refresh', () => {
    const { stage } = called('Supported: timer', 'Session-Expires: 90;refresher=uac');
    stage.advance(59_999);
    expect(stage.ends()).toEqual([]);
    stage.advance(1);
    expect(stage.sentLines()).toEqual(['BYE']);
    expect(stage.ends()).toEqual(['session-expired']);
  });

  it('is refreshed by a re-INVITE', () => {
    const { stage, tag } = called('Supported: timer', 'Session-Expires: 90;refresher=uac');
    stage.advance(45_000);
    const headers = ['Supported: timer', 'Session-Expires: 90;refresher=uac'];
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, headers, body: sdp() });
    stage.request({ method: 'ACK', sequence: 2, toTag: tag });
    stage.advance(45_000);
    expect(stage.ends()).toEqual([]);
  });

  it('refreshes for a caller without timers, by UPDATE if its INVITE allows it', () => {
    const { stage, tag } = called('Session-Expires: 600', 'Allow: INVITE, UPDATE');
    stage.advance(300_000);
    const update = stage.sentRequest();
    expect(update.method).toBe('UPDATE');
    expect(headerValue(update, 'Session-Expires')).toBe('600;refresher=uac');
    stage.request({ method: 'BYE', sequence: 2, toTag: tag });
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('offers its answer again in a re-INVITE, so that a hold stays a hold', () => {
    const { stage, tag } = called('Session-Expires: 600');
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, body: sdp({ direction: 'sendonly' }) });
    stage.request({ method: 'ACK', sequence: 2, toTag: tag });
    const [held] = stage.sent();
    stage.advance(300_000);
    const refresh = stage.sentRequest();
    expect(bodyText(refresh)).toBe(held && bodyText(held));
  });

  it('refuses an offer in UPDATE with 491 while the ACK has to bring the answer to its own', () => {
    const { stage, tag } = called();
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag });
    stage.request({ method: 'UPDATE', sequence: 3, toTag: tag, body: sdp() });
    expect(stage.sentLines()).toEqual(['200 INVITE', '491 UPDATE']);
  });
});
