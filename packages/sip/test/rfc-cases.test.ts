/** Cases of the RFCs that few peers use and conformance suites ask for: what the far end may send, and what we answer. */
import { describe, expect, it } from 'vitest';
import { bodyText, headerList, headerValue, textBody, type SipMessage } from '../src/message/message.ts';
import { parseMessage } from '../src/message/parse-message.ts';
import { lineOf, peerRequest, sdp, Stage, toTag, type PeerRequest } from './scripted-peer.ts';

const LOCAL = { host: '10.0.0.1', port: 41_000 };
const TYPE = { name: 'Content-Type', value: 'application/sdp' };
const INVITE = { method: 'INVITE', branch: 'z9hG4bK-invite', body: sdp() };

function arrived(change: Partial<PeerRequest> = {}) {
  const stage = new Stage();
  stage.request({ ...INVITE, ...change });
  return { stage, call: stage.incoming[0]?.call ?? 0 };
}

function ringing(change: Partial<PeerRequest> = {}) {
  const { stage, call } = arrived(change);
  stage.sent();
  stage.run((agent, nowMs) => agent.ring(call, nowMs));
  const tag = toTag(only(stage.sent()));
  const within = (request: PeerRequest): SipMessage => {
    stage.request({ toTag: tag, ...request });
    return only(stage.sent());
  };
  return { stage, call, within };
}

function answered(change: Partial<PeerRequest> = {}) {
  const { stage, call } = arrived(change);
  stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
  const ok = stage.sent().at(-1);
  if (!ok) throw new Error('Nothing was sent');
  const tag = toTag(ok);
  stage.request({ method: 'ACK', toTag: tag });
  let sequence = 1;
  const within = (request: PeerRequest): SipMessage => {
    stage.request({ sequence: (sequence += 1), toTag: tag, ...request });
    return only(stage.sent());
  };
  return { stage, call, within, ok };
}

function only(messages: readonly SipMessage[]): SipMessage {
  const [message, ...others] = messages;
  if (!message || others.length > 0) throw new Error(`${messages.length} messages were sent, not one`);
  return message;
}

const CAPABILITIES = {
  Accept: 'application/sdp, multipart/mixed, multipart/alternative',
  'Accept-Encoding': 'identity',
  'Accept-Language': 'en',
  Supported: '100rel, timer, replaces, norefersub',
};

// RFC 3261 section 11.2.
describe('a 200 to OPTIONS says what we support', () => {
  const expectCapabilities = (response: SipMessage): void => {
    expect(lineOf(response)).toBe('200 OPTIONS');
    expect(headerValue(response, 'Allow')).toContain('UPDATE');
    const found = Object.keys(CAPABILITIES).map((name) => [name, headerValue(response, name)]);
    expect(Object.fromEntries(found)).toEqual(CAPABILITIES);
  };

  it('outside a dialog', () => {
    const stage = new Stage();
    stage.request({ method: 'OPTIONS' });
    expectCapabilities(only(stage.sent()));
  });

  it('in a call that rings', () => expectCapabilities(ringing().within({ method: 'OPTIONS', sequence: 2 })));

  it('in a call', () => expectCapabilities(answered().within({ method: 'OPTIONS' })));
});

describe('the responses to an INVITE', () => {
  it('repeat Timestamp in 100, and not in later ones', () => {
    const { stage, call } = arrived({ headers: ['Timestamp: 54.5'] });
    stage.run((agent, nowMs) => agent.ring(call, nowMs));
    expect(stage.sent().map((message) => [lineOf(message), headerValue(message, 'Timestamp')])).toEqual([
      ['100 INVITE', '54.5'],
      ['180 INVITE', null],
    ]);
  });

  // RFC 3261 section 9.2.
  it('have the tag of the response to its CANCEL', () => {
    const { stage } = arrived();
    stage.sent();
    stage.request({ method: 'CANCEL', branch: INVITE.branch });
    const [cancelled, terminated] = stage.sent();
    expect([cancelled, terminated].map((message) => message && lineOf(message))).toEqual([
      '200 CANCEL',
      '487 INVITE',
    ]);
    expect(cancelled && terminated && toTag(cancelled) === toTag(terminated)).toBe(true);
  });

  // RFC 3261 section 13.3.1.
  it('end with 487 when its time has passed', () => {
    const { stage } = ringing({ headers: ['Expires: 30'] });
    stage.advance(29_999);
    expect(stage.sent()).toEqual([]);
    stage.advance(1);
    expect(stage.sentLines()).toEqual(['487 INVITE']);
    expect(stage.ends()).toEqual(['remote-cancel']);
  });

  it.each(['', 'soon', '4294967295'])('do not end for the time "%s"', (value) => {
    const { stage } = ringing({ headers: [`Expires: ${value}`] });
    stage.advance(170_000);
    expect(stage.ends()).toEqual([]);
  });

  it('do not end a call that was answered in time', () => {
    const { stage } = answered({ headers: ['Expires: 30'] });
    stage.advance(60_000);
    expect(stage.ends()).toEqual([]);
    expect(stage.sent()).toEqual([]);
  });
});

// RFC 3261 section 14.2.
describe('an INVITE before the answer to the first one', () => {
  it('gets 500 with a Retry-After of 0 to 10 seconds, chosen at random', () => {
    const { within } = ringing();
    const seconds = Array.from({ length: 40 }, (_, at) => {
      const refused = within({ method: 'INVITE', sequence: 2 + at, body: sdp() });
      expect(lineOf(refused)).toBe('500 INVITE');
      return Number(headerValue(refused, 'Retry-After') ?? -1);
    });
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(10);
    expect(new Set(seconds).size).toBeGreaterThan(5);
  });
});

// RFC 6086, RFC 3261 section 21.4.13.
describe('an INFO', () => {
  it.each([
    ['without a body', {}, '200 INFO'],
    [
      'with a key',
      { headers: ['Content-Type: application/dtmf-relay'], body: 'Signal=5\r\nDuration=160\r\n' },
      '200 INFO',
    ],
    [
      'with a body that is optional',
      { headers: ['Content-Type: text/plain', 'Content-Disposition: render;handling=optional'], body: 'x' },
      '200 INFO',
    ],
    ['with another body', { headers: ['Content-Type: text/plain'], body: 'x' }, '415 INFO'],
    [
      'of a package',
      { headers: ['Info-Package: nobody', 'Content-Type: text/plain'], body: 'x' },
      '469 INFO',
    ],
  ])('%s', (_what, request, line) => {
    expect(lineOf(answered().within({ method: 'INFO', ...request }))).toBe(line);
  });

  it('that is refused learns what would be accepted', () => {
    const { within } = answered();
    const body = { headers: ['Content-Type: text/plain'], body: 'x' };
    const refused = within({ method: 'INFO', ...body });
    expect(headerValue(refused, 'Accept')).toBe('application/dtmf-relay, application/dtmf');
    const other = within({ method: 'INFO', headers: ['Info-Package: nobody'] });
    expect(headerValue(other, 'Recv-Info')).toBe('');
  });
});

/** RFC 3264: each later offer, and what stands in the answer. */
describe('a later offer', () => {
  const second = 'm=video 5000 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n';
  it.each([
    ['sendonly', sdp({ direction: 'sendonly' }), 'a=recvonly'],
    ['recvonly', sdp({ direction: 'recvonly' }), 'a=sendonly'],
    ['inactive', sdp({ direction: 'inactive' }), 'a=inactive'],
    ['the address 0.0.0.0', sdp({ host: '0.0.0.0' }), 'a=recvonly'],
    ['another codec', sdp({ payloads: '8' }), 'm=audio 41000 RTP/AVP 8'],
    ['comfort noise', sdp({ payloads: '0 13 101' }), 'm=audio 41000 RTP/AVP 0 101'],
    ['a video stream', sdp() + second, 'm=video 0 RTP/AVP 96'],
    ['a second sound stream', `${sdp()}m=audio 31000 RTP/AVP 8\r\n`, 'm=audio 0 RTP/AVP 8'],
    ['a fax stream beside', `${sdp()}m=image 31000 udptl t38\r\n`, 'm=image 0 udptl t38'],
    ['RTCP on the same port', `${sdp()}a=rtcp-mux\r\na=rtcp:30000\r\n`, 'm=audio 41000 RTP/AVP 0 101'],
    ['ICE', `${sdp()}a=ice-ufrag:abcd\r\na=candidate:1 1 UDP 1 10.0.0.9 30000 typ host\r\n`, 'a=sendrecv'],
    ['another packet time', `${sdp()}a=ptime:30\r\na=maxptime:60\r\n`, 'a=ptime:20'],
    ['port 0', sdp({ port: 0 }), 'm=audio 0 RTP/AVP 0'],
  ])('with %s', (_what, offer, line) => {
    const { within } = answered();
    const ok = within({ method: 'INVITE', body: offer });
    expect(lineOf(ok)).toBe('200 INVITE');
    expect(
      bodyText(ok)
        .split('\r\n')
        .some((found) => found.startsWith(line)),
    ).toBe(true);
    expect(bodyText(ok)).not.toMatch(/rtcp-mux|ice-|candidate/);
  });

  it('that disables every stream holds the call until the next one', () => {
    const { stage, within } = answered();
    for (const [at, port] of [0, 30_002].entries()) {
      const ok = within({ method: 'INVITE', body: sdp({ port }) });
      stage.request({ method: 'ACK', sequence: 2 + at, toTag: toTag(ok) });
    }
    const changes = stage.events.flatMap(({ event }) => (event.type === 'media' ? [event.agreed] : []));
    expect(changes.map(({ direction, remotePort }) => [direction, remotePort])).toEqual([
      ['sendrecv', 30_000],
      ['inactive', 30_000],
      ['sendrecv', 30_002],
    ]);
    expect(stage.ends()).toEqual([]);
  });

  it('that we make while every stream is disabled takes the place of the old sound', () => {
    const { stage, within } = answered();
    const held = within({ method: 'INVITE', body: sdp({ port: 0 }) + second.replace('5000', '0') });
    stage.request({ method: 'ACK', sequence: 2, toTag: toTag(held) });
    const ok = within({ method: 'INVITE' });
    const streams = bodyText(ok)
      .split('\r\n')
      .filter((line) => line.startsWith('m='));
    expect(streams).toEqual(['m=audio 41000 RTP/AVP 0 8 101', 'm=video 0 RTP/AVP 96']);
  });

  it.each([
    ['no codec of ours', sdp({ payloads: '18' })],
    ['fax in place of sound', sdp({ port: 0 }) + 'm=image 31000 udptl t38\r\n'],
    ['nothing that can be read', 'garbage'],
  ])('with %s gets 488, and the call goes on', (_what, offer) => {
    const { stage, within } = answered();
    expect(lineOf(within({ method: 'INVITE', body: offer }))).toBe('488 INVITE');
    expect(stage.ends()).toEqual([]);
    expect(lineOf(within({ method: 'OPTIONS' }))).toBe('200 OPTIONS');
  });
});

describe('requests within a call', () => {
  it.each([
    ['MESSAGE', {}, '405 MESSAGE'],
    ['SUBSCRIBE', { headers: ['Event: refer'] }, '405 SUBSCRIBE'],
    ['NOTIFY', { headers: ['Event: refer', 'Subscription-State: active'] }, '481 NOTIFY'],
    ['PRACK', { headers: ['RAck: 1 1 INVITE'] }, '481 PRACK'],
    ['REFER', { headers: ['Refer-To: <sip:1@10.0.0.9>'] }, '405 REFER'],
    ['UNHEARD', {}, '405 UNHEARD'],
    ['UPDATE', {}, '200 UPDATE'],
    ['UPDATE', { headers: ['Session-Expires: 30', 'Supported: timer'] }, '422 UPDATE'],
    ['INVITE', { headers: ['Require: unheard'], body: sdp() }, '420 INVITE'],
    ['INVITE', { headers: ['Content-Type: text/plain'], body: 'x' }, '415 INVITE'],
    ['OPTIONS', { toTag: 'another' }, '481 OPTIONS'],
    ['BYE', { fromTag: 'another' }, '481 BYE'],
    ['OPTIONS', { sequence: 1000 }, '200 OPTIONS'],
  ])('%s %j gets %s', (method, request, line) => {
    expect(lineOf(answered().within({ method, ...request }))).toBe(line);
  });

  it.each(['OPTIONS', 'BYE', 'INVITE'])('%s with a lower CSeq number gets 500', (method) => {
    const { within, stage } = answered();
    within({ method: 'OPTIONS', sequence: 9 });
    expect(lineOf(within({ method, sequence: 3 }))).toBe(`500 ${method}`);
    expect(stage.ends()).toEqual([]);
  });
});

describe('a response of the far end', () => {
  // RFC 3261 section 8.1.3.3.
  it('with a second Via is discarded', () => {
    const stage = new Stage();
    stage.invite();
    const invite = stage.sentRequest();
    const misrouted = { name: 'Via', value: 'SIP/2.0/UDP 10.0.0.7;branch=z9hG4bK-7' };
    stage.respond(invite, 486, { headers: [misrouted] });
    expect(stage.ends()).toEqual([]);
    stage.respond(invite, 486);
    expect(stage.ends()).toEqual(['response']);
  });

  it.each([
    [181, '180'],
    [182, '180'],
    [183, '180'],
    [199, '180'],
  ])('%i rings, and a 180 may follow', (status) => {
    const stage = new Stage();
    stage.invite();
    const invite = stage.sentRequest();
    stage.respond(invite, status, { toTag: 'a' });
    stage.respond(invite, 180, { toTag: 'a' });
    stage.respond(invite, 200, { toTag: 'a', headers: [TYPE], body: textBody(sdp()) });
    expect(stage.eventTypes()).toEqual(['ringing', 'ringing', 'media', 'answered']);
  });

  it.each([
    400, 403, 404, 408, 410, 414, 416, 420, 421, 480, 483, 484, 486, 488, 491, 500, 501, 504, 513, 600, 603,
    604, 606,
  ])('%i ends the call with its ACK', (status) => {
    const stage = new Stage();
    stage.invite();
    stage.respond(stage.sentRequest(), status, { toTag: 'a' });
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.events.at(-1)?.event).toMatchObject({ type: 'ended', end: { by: 'response', status } });
  });
});

describe('the addresses of a request', () => {
  it.each([
    'sip:+12025550101@10.0.0.1;user=phone',
    'sip:%2B12025550101@10.0.0.1',
    'sip:+12025550101;npdi;rn=+12025550000@10.0.0.1',
    'sip:+12025550101:secret@10.0.0.1:5060;transport=udp;lr',
    'tel:+12025550101',
    'tel:+1-202-555-0101;phone-context=+1',
  ])('may be %s', (uri) => {
    expect(arrived({ uri }).stage.incoming).toHaveLength(1);
  });

  it('repeat every Via, Record-Route and their order in the answer', () => {
    const { ok } = answered({
      headers: [
        'Via: SIP/2.0/TCP b.example:5070;branch=z9hG4bKb, SIP/2.0/UDP [2001:db8::9]:5060;branch=z9hG4bKc',
        'v: SIP/2.0/TLS d.example;branch=z9hG4bKd',
        'Record-Route: <sip:10.0.0.2;lr>, <sip:10.0.0.3;lr>',
        'Record-Route: <sip:10.0.0.4;lr;x="y">',
      ],
    });
    expect(headerList(ok, 'Via').map((via) => /\/(\w+) ([^;]*)/.exec(via)?.slice(1).join(' '))).toEqual([
      'UDP 10.0.0.9:5060',
      'TCP b.example:5070',
      'UDP [2001:db8::9]:5060',
      'TLS d.example',
    ]);
    expect(headerList(ok, 'Record-Route')).toEqual([
      '<sip:10.0.0.2;lr>',
      '<sip:10.0.0.3;lr>',
      '<sip:10.0.0.4;lr;x="y">',
    ]);
  });

  it('make two calls when only the tag in From differs', () => {
    const { stage } = arrived();
    stage.request({ ...INVITE, branch: 'z9hG4bK-second', fromTag: 'another' });
    expect(stage.incoming.map(({ incoming }) => incoming.callId)).toEqual(['call-1', 'call-1']);
  });
});

it('header names may have any case, be compact and be folded', () => {
  const stage = new Stage();
  const text = peerRequest(INVITE)
    .replace('From:', 'fROM :')
    .replace('Call-ID:', 'I:')
    .replace('CSeq: 1 ', 'cseq:\r\n 1\r\n\t')
    .replace('Contact:', 'm:')
    .replace('Content-Type: application/sdp', 'c: Application/SDP')
    .replace('Content-Length:', 'l  :');
  stage.receive(text);
  expect(stage.incoming).toHaveLength(1);
  expect(parseMessage(text).headers.map(({ name }) => name)).toContain('Call-ID');
});
