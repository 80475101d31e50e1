import { describe, expect, it } from 'vitest';
import { bodyText, headerValue, headerValues } from '../src/message/message.ts';
import { answered, answeredWithoutAck, LOCAL, setup, T1 } from './called-agent.ts';
import { lineOf, sdp, toTag } from './scripted-peer.ts';

describe('an inbound call', () => {
  it('is reported with its numbers after 100 Trying', () => {
    const { stage } = setup();
    expect(stage.sentLines()).toEqual(['100 INVITE']);
    expect(stage.incoming[0]?.incoming).toMatchObject({
      callId: 'call-1',
      fromUri: 'sip:+12025550100@10.0.0.9',
      requestUri: 'sip:+12025550101@10.0.0.1',
      source: { host: '10.0.0.9' },
    });
  });

  it('answers a retransmitted INVITE with its last response, and reports the call once', () => {
    const { stage, call, repeat } = setup();
    repeat();
    stage.run((agent, nowMs) => agent.ring(call, nowMs));
    repeat();
    expect(stage.sentLines()).toEqual(['100 INVITE', '100 INVITE', '180 INVITE', '180 INVITE']);
    expect(stage.incoming).toHaveLength(1);
  });

  it('may have the Call-ID of another call, from which its From tag tells it', () => {
    const { stage, tag } = answered();
    const second = { method: 'INVITE', branch: 'z9hG4bK-second', fromTag: 'second', body: sdp() };
    const third = { ...second, branch: 'z9hG4bK-third', fromTag: 'third' };
    stage.request(second);
    stage.request(third);
    stage.request({ ...third, method: 'CANCEL', body: '' });
    expect(stage.incoming.map(({ incoming }) => [incoming.callId, incoming.fromTag])).toEqual([
      ['call-1', 'peer-tag'],
      ['call-1', 'second'],
      ['call-1', 'third'],
    ]);
    expect(stage.sentLines()).toEqual(['100 INVITE', '100 INVITE', '200 CANCEL', '487 INVITE']);
    const call = stage.incoming[1]?.call ?? 0;
    stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
    const [ok] = stage.sent();
    const secondTag = ok ? toTag(ok) : '';
    stage.request({ ...second, method: 'ACK', branch: 'z9hG4bK-ack', toTag: secondTag, body: '' });
    stage.request({ method: 'BYE', sequence: 2, toTag: tag });
    expect(stage.ends()).toEqual(['remote-cancel', 'remote-bye']);
    stage.request({ method: 'BYE', sequence: 2, fromTag: 'second', toTag: secondTag });
    expect(stage.ends()).toEqual(['remote-cancel', 'remote-bye', 'remote-bye']);
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0, faults: 0 });
  });

  it('uses the same To tag in 180 and 200, and answers with exactly one codec', () => {
    const { stage, call } = setup();
    stage.run((agent, nowMs) => agent.ring(call, nowMs));
    stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
    const [, ringing, ok] = stage.sent();
    expect(ringing && ok && toTag(ringing) === toTag(ok)).toBe(true);
    expect(ok && bodyText(ok)).toContain('m=audio 41000 RTP/AVP 0 101');
    expect(ok && headerValue(ok, 'Contact')).toBe('<sip:10.0.0.1:5060>');
  });

  it('retransmits the 200 at 0.5, 1.5, 3.5, 7.5 s and then every 4 s until the ACK arrives', () => {
    const { stage, tag } = answeredWithoutAck();
    stage.advance(12_000);
    expect(stage.sentLines()).toEqual(Array.from({ length: 5 }, () => '200 INVITE'));
    stage.request({ method: 'ACK', toTag: tag });
    stage.advance(60_000);
    expect(stage.sentLines()).toEqual([]);
    expect(stage.eventTypes()).toEqual(['media', 'answered']);
  });

  it('sends BYE and ends when the ACK never arrives', () => {
    const { stage } = answeredWithoutAck();
    stage.advance(64 * T1 - 1);
    expect(stage.ends()).toEqual([]);
    stage.sent();
    stage.advance(1);
    expect(stage.sentLines()).toEqual(['BYE']);
    expect(stage.ends()).toEqual(['no-ack']);
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('absorbs an INVITE that crossed the 200', () => {
    const { stage, repeat } = answeredWithoutAck();
    repeat();
    expect(stage.sentLines()).toEqual([]);
  });

  it('waits for the ACK before it sends BYE', () => {
    const { stage, call, tag } = answeredWithoutAck();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    expect(stage.sentLines()).toEqual([]);
    stage.request({ method: 'ACK', toTag: tag });
    expect(stage.sentLines()).toEqual(['BYE']);
    expect(stage.ends()).toEqual(['local-bye']);
  });

  it('counts as answered when the BYE overtakes the ACK', () => {
    const { stage, tag } = answeredWithoutAck();
    stage.request({ method: 'BYE', sequence: 2, toTag: tag });
    expect(stage.eventTypes()).toEqual(['media', 'answered', 'ended']);
    expect(stage.ends()).toEqual(['remote-bye']);
  });

  it('is refused with retransmissions until the ACK arrives', () => {
    const { stage, call } = setup();
    stage.run((agent, nowMs) => agent.reject(call, 486, nowMs));
    stage.advance(T1);
    const [, first, second] = stage.sent();
    expect([first, second].map((message) => message && lineOf(message))).toEqual([
      '486 INVITE',
      '486 INVITE',
    ]);
    stage.request({ method: 'ACK', branch: 'z9hG4bK-invite', toTag: first ? toTag(first) : '' });
    stage.advance(60_000);
    expect(stage.sentLines()).toEqual([]);
    expect(stage.events).toMatchObject([{ event: { type: 'ended', end: { by: 'refusal', status: 486 } } }]);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('is cancelled: 200 to the CANCEL, 487 to the INVITE', () => {
    const { stage, call } = setup();
    stage.run((agent, nowMs) => agent.ring(call, nowMs));
    stage.sent();
    stage.request({ method: 'CANCEL', branch: 'z9hG4bK-invite' });
    expect(stage.sentLines()).toEqual(['200 CANCEL', '487 INVITE']);
    expect(stage.ends()).toEqual(['remote-cancel']);
  });

  it('ignores a CANCEL after the answer', () => {
    const { stage } = answered();
    stage.request({ method: 'CANCEL', branch: 'z9hG4bK-invite' });
    expect(stage.sentLines()).toEqual(['200 CANCEL']);
    expect(stage.ends()).toEqual([]);
  });

  it('ignores commands that come too late', () => {
    const { stage, call } = answered();
    stage.run((agent, nowMs) => {
      agent.ring(call, nowMs);
      agent.answer(call, LOCAL, nowMs);
      agent.reject(call, 486, nowMs);
      agent.hangUp(call + 1, nowMs);
    });
    expect(stage.sentLines()).toEqual([]);
  });

  it('copies Record-Route into its responses and sends the BYE along that route', () => {
    const { stage, call } = answered({
      headers: ['Record-Route: <sip:10.0.0.7;lr>', 'Record-Route: <sip:10.0.0.8;lr>'],
    });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    const [bye] = stage.sentWithWay();
    expect(bye?.destination.host).toBe('10.0.0.7');
    expect(bye && headerValues(bye.message, 'Route')).toEqual(['<sip:10.0.0.7;lr>', '<sip:10.0.0.8;lr>']);
  });
});

describe('an INVITE without an offer', () => {
  it('gets our offer, and the ACK brings the answer', () => {
    const { stage, ok, tag } = answeredWithoutAck({ body: '' });
    expect(bodyText(ok)).toContain('m=audio 41000 RTP/AVP 0 8 101');
    expect(stage.eventTypes()).toEqual([]);
    stage.request({ method: 'ACK', toTag: tag, body: sdp({ port: 33_000 }) });
    expect(stage.events.map(({ event }) => event)).toMatchObject([
      { type: 'media', agreed: { remotePort: 33_000 } },
      { type: 'answered' },
    ]);
  });

  it('ends when the ACK contains no usable answer', () => {
    const { stage, tag } = answeredWithoutAck({ body: '' });
    stage.request({ method: 'ACK', toTag: tag });
    expect(stage.sentLines()).toEqual(['BYE']);
    expect(stage.ends()).toEqual(['unusable-answer']);
  });
});

describe('requests within a call', () => {
  it('moves the media on a re-INVITE and keeps the version of an unchanged description', () => {
    const { stage, tag, ok } = answered();
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, body: sdp({ port: 35_000 }) });
    const [again] = stage.sent();
    expect(again && lineOf(again)).toBe('200 INVITE');
    expect(again && bodyText(again)).toBe(bodyText(ok));
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'media', agreed: { remotePort: 35_000 } });
    stage.request({ method: 'ACK', sequence: 2, toTag: tag });
    stage.advance(60_000);
    expect(stage.sentLines()).toEqual([]);
  });

  it('is put on hold and answers with the matching direction under a new version', () => {
    const { stage, tag, ok } = answered();
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, body: sdp({ direction: 'sendonly' }) });
    const [held] = stage.sent();
    expect(held && bodyText(held)).toContain('a=recvonly');
    const version = (text: string) => Number(/^o=- \d+ (\d+)/m.exec(text)?.[1]);
    expect(held && version(bodyText(held))).toBe(version(bodyText(ok)) + 1);
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'media', agreed: { direction: 'recvonly' } });
  });

  it('refuses a re-INVITE without a supported codec and keeps the call', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, body: sdp({ payloads: '18' }) });
    expect(stage.sentLines()).toEqual(['488 INVITE']);
    expect(stage.ends()).toEqual([]);
  });

  it('refuses a second re-INVITE while the first is not acknowledged', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, body: sdp() });
    stage.request({ method: 'INVITE', sequence: 3, toTag: tag, body: sdp() });
    const [, refused] = stage.sent();
    expect(refused && lineOf(refused)).toBe('500 INVITE');
    expect(refused && headerValue(refused, 'Retry-After')).not.toBeNull();
  });

  it('ends when the answer to a re-INVITE is never acknowledged', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, body: sdp() });
    stage.advance(64 * T1);
    expect(stage.sentLines().at(-1)).toBe('BYE');
    expect(stage.ends()).toEqual(['no-ack']);
  });

  it('offers in the 200 to a re-INVITE without an offer, and takes the answer from the ACK', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag });
    const [ok] = stage.sent();
    expect(ok && bodyText(ok)).toContain('RTP/AVP 0 8 101');
    stage.request({ method: 'ACK', sequence: 2, toTag: tag, body: sdp({ port: 36_000 }) });
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'media', agreed: { remotePort: 36_000 } });
  });

  it('keeps the streams that it has rejected in its own offer, and takes the answer for the right one', () => {
    const { stage, tag } = answered();
    const video = 'm=video 5000 RTP/AVP 31\r\n';
    const withVideo = (body: string): string => body.replace('m=audio', `${video}m=audio`);
    stage.request({ method: 'INVITE', sequence: 2, toTag: tag, body: withVideo(sdp()) });
    stage.request({ method: 'ACK', sequence: 2, toTag: tag });
    stage.sent();
    stage.request({ method: 'INVITE', sequence: 3, toTag: tag });
    const [ok] = stage.sent();
    expect(ok && bodyText(ok).match(/^m=.*$/gm)).toEqual([
      'm=video 0 RTP/AVP 31',
      'm=audio 41000 RTP/AVP 0 8 101',
    ]);
    stage.request({ method: 'ACK', sequence: 3, toTag: tag, body: withVideo(sdp({ port: 36_000 })) });
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'media', agreed: { remotePort: 36_000 } });
  });

  it('answers a re-INVITE whose offer is part of a multipart body', () => {
    const { stage, tag } = answered();
    const parts = ['--b', 'Content-Type: application/sdp', '', sdp({ port: 37_000 }), '--b--', ''];
    stage.request({
      method: 'INVITE',
      sequence: 2,
      toTag: tag,
      headers: ['Content-Type: multipart/mixed;boundary=b'],
      body: parts.join('\r\n'),
    });
    expect(stage.sentLines()).toEqual(['200 INVITE']);
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'media', agreed: { remotePort: 37_000 } });
  });

  it('follows a new Contact and reports that the dialog has changed', () => {
    const { stage, call, tag } = answered();
    const contact = 'Contact: <sip:moved@10.0.0.77:5080>';
    stage.request({ method: 'UPDATE', sequence: 2, toTag: tag, contact });
    expect(stage.events.at(-1)?.event).toMatchObject({
      type: 'dialog-changed',
      dialog: { remoteTarget: 'sip:moved@10.0.0.77:5080', destination: { host: '10.0.0.77', port: 5080 } },
    });
    stage.sent();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    expect(stage.sentWithWay()[0]?.destination).toMatchObject({ host: '10.0.0.77', port: 5080 });
  });

  it('answers an UPDATE that changes the media', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'UPDATE', sequence: 2, toTag: tag, body: sdp({ direction: 'inactive' }) });
    const [ok] = stage.sent();
    expect(ok && lineOf(ok)).toBe('200 UPDATE');
    expect(ok && bodyText(ok)).toContain('a=inactive');
  });

  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=250\r\n', { digit: '5', durationMs: 250 }],
    ['application/dtmf', '#', { digit: '#', durationMs: 160 }],
  ])('reports a key sent as %s', (type, body, key) => {
    const { stage, tag } = answered();
    stage.request({ method: 'INFO', sequence: 2, toTag: tag, headers: [`Content-Type: ${type}`], body });
    expect(stage.sentLines()).toEqual(['200 INFO']);
    expect(stage.events.at(-1)?.event).toEqual({ type: 'key', ...key });
  });

  it.each([
    [{ method: 'OPTIONS' }, '200 OPTIONS'],
    [{ method: 'INFO' }, '200 INFO'],
    [{ method: 'INFO', headers: ['Content-Type: text/plain'], body: 'x' }, '415 INFO'],
    [{ method: 'REFER' }, '405 REFER'],
    [{ method: 'NOTIFY' }, '481 NOTIFY'],
    [{ method: 'REFER' }, '405 REFER'],
  ])('answers %o with %s', (request, line) => {
    const { stage, tag } = answered();
    stage.request({ sequence: 2, toTag: tag, ...request });
    expect(stage.sentLines()).toEqual([line]);
    expect(stage.ends()).toEqual([]);
  });

  it('refuses a request with an old CSeq number', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'INFO', sequence: 1, toTag: tag });
    expect(stage.sentLines()).toEqual(['500 INFO']);
  });

  it('ends on BYE and answers a later one with 481', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'BYE', sequence: 2, toTag: tag });
    stage.request({ method: 'BYE', sequence: 3, toTag: tag });
    expect(stage.sentLines()).toEqual(['200 BYE', '481 BYE']);
    expect(stage.ends()).toEqual(['remote-bye']);
  });

  it('answers a BYE that crosses its own', () => {
    const { stage, call, tag } = answered();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.request({ method: 'BYE', sequence: 2, toTag: tag });
    expect(stage.sentLines()).toEqual(['BYE', '200 BYE']);
    expect(stage.ends()).toEqual(['local-bye']);
  });

  /** An inbound call that rings. */
  function ringing() {
    const { stage, call } = setup();
    stage.run((agent, nowMs) => agent.ring(call, nowMs));
    const [, response] = stage.sent();
    if (!response) throw new Error('Nothing was sent');
    return { stage, call, tag: toTag(response) };
  }

  it('accepts a BYE before the answer', () => {
    const { stage, tag } = ringing();
    stage.request({ method: 'BYE', sequence: 2, toTag: tag });
    expect(stage.sentLines()).toEqual(['200 BYE', '487 INVITE']);
    expect(stage.ends()).toEqual(['remote-bye']);
  });

  // RFC 6086 section 4.2.2; 491 is for offers (RFC 3261 section 14.2).
  it.each([
    [{ method: 'INFO' }, '200 INFO'],
    [{ method: 'INFO', headers: ['Content-Type: text/plain'], body: 'x' }, '415 INFO'],
    [{ method: 'INFO', headers: ['Info-Package: nobody'] }, '469 INFO'],
    [{ method: 'NOTIFY', headers: ['Event: refer'] }, '481 NOTIFY'],
    [{ method: 'OPTIONS' }, '200 OPTIONS'],
  ])('answers %o before the answer with %s', (request, line) => {
    const { stage, tag } = ringing();
    stage.request({ sequence: 2, toTag: tag, ...request });
    expect(stage.sentLines()).toEqual([line]);
    expect(stage.ends()).toEqual([]);
  });

  it('reports the keys that came before the answer, at most 32, once it is answered', () => {
    const { stage, call, tag } = ringing();
    const key = { method: 'INFO', toTag: tag, headers: ['Content-Type: application/dtmf'] };
    for (let at = 0; at < 40; at += 1) stage.request({ ...key, sequence: 2 + at, body: String(at % 10) });
    expect(stage.eventTypes()).toEqual([]);
    stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
    stage.request({ method: 'ACK', toTag: tag });
    expect(stage.eventTypes()).toEqual(['media', 'answered', ...Array.from({ length: 32 }, () => 'key')]);
    expect(stage.events.slice(2, 4).map(({ event }) => event)).toMatchObject([
      { digit: '0' },
      { digit: '1' },
    ]);
  });
});
