/** Reliable provisional responses (RFC 3262), as caller and as callee. */
import { describe, expect, it } from 'vitest';
import { MAX_RELIABLE_RESPONSES } from '../src/message/limits.ts';
import { bodyText, headerValue, textBody, type SipRequest } from '../src/message/message.ts';
import { branch, lineOf, sdp, Stage, toTag, type PeerRequest } from './scripted-peer.ts';

const TYPE = { name: 'Content-Type', value: 'application/sdp' };
const LOCAL = { host: '10.0.0.1', port: 41_000 };
const T1 = 500;

/** What makes a response reliable. */
const reliable = (number: number, body = '', tag = 'a') => ({
  toTag: tag,
  headers: [
    { name: 'Require', value: '100rel' },
    { name: 'RSeq', value: `${number}` },
    ...(body === '' ? [] : [TYPE]),
  ],
  body: textBody(body),
});

describe('a caller', () => {
  function setup() {
    const stage = new Stage();
    const call = stage.invite();
    const invite = stage.sentRequest();
    return { stage, call, invite };
  }
  const tagOf = (invite: SipRequest) => /tag=(.*)$/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';

  it('supports 100rel, allows PRACK and UPDATE, and does not require them', () => {
    const { invite } = setup();
    expect(headerValue(invite, 'Supported')).toBe('100rel, timer, replaces, norefersub');
    expect(headerValue(invite, 'Allow')).toMatch(/PRACK.*UPDATE/);
    expect(headerValue(invite, 'Require')).toBeNull();
  });

  it('acknowledges each reliable response in order, within its dialog, before it reports it', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 183, reliable(7));
    const first = stage.sentRequest();
    stage.respond(first, 200);
    stage.respond(invite, 180, reliable(8));
    const second = stage.sentRequest();
    expect([first, second].map((prack) => [prack.method, headerValue(prack, 'RAck'), toTag(prack)])).toEqual([
      ['PRACK', '7 1 INVITE', 'a'],
      ['PRACK', '8 1 INVITE', 'a'],
    ]);
    expect([first, second].map((prack) => headerValue(prack, 'CSeq'))).toEqual(['2 PRACK', '3 PRACK']);
    expect(first.uri).toBe('sip:peer@10.0.0.9:5060');
    expect(stage.events.map(({ event }) => event)).toMatchObject([
      { type: 'ringing', status: 183, dialog: { localSequence: 2 } },
      { type: 'ringing', status: 180, dialog: { localSequence: 3 } },
    ]);
  });

  it('ignores a response out of order and a repeated one, whose PRACK is retransmitted until it is answered', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 183, reliable(7));
    const prack = stage.sentRequest();
    stage.respond(invite, 183, reliable(7));
    stage.respond(invite, 180, reliable(9));
    expect(stage.sentLines()).toEqual([]);
    expect(stage.eventTypes()).toEqual(['ringing']);
    stage.advance(T1);
    const [again] = stage.sent();
    expect(again && lineOf(again)).toBe('PRACK');
    expect(again && branch(again)).toBe(branch(prack));
    stage.respond(prack, 200);
    stage.advance(60_000);
    expect(stage.sentLines()).toEqual([]);
  });

  it('sends no PRACK for an unreliable response, one without a tag, and a broken RSeq', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 183, { toTag: 'a', headers: [{ name: 'RSeq', value: '1' }] });
    stage.respond(invite, 183, reliable(Number.NaN));
    stage.respond(invite, 183, { headers: reliable(1).headers });
    expect(stage.sentLines()).toEqual([]);
    expect(stage.eventTypes()).toEqual(['ringing', 'ringing', 'ringing']);
  });

  it('takes the answer of a reliable response when the 200 has none, and reports the media at the answer', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 183, reliable(1, sdp({ port: 31_000 })));
    expect(stage.eventTypes()).toEqual(['ringing']);
    stage.sent();
    stage.respond(invite, 200, { toTag: 'a' });
    const ack = stage.sentRequest();
    expect(headerValue(ack, 'CSeq')).toBe('1 ACK');
    expect(stage.events.slice(1).map(({ event }) => event)).toMatchObject([
      { type: 'media', agreed: { remotePort: 31_000 } },
      { type: 'answered', dialog: { localSequence: 2 } },
    ]);
  });

  it('keeps the answers of two forks apart', () => {
    const { stage, invite } = setup();
    stage.respond(invite, 183, reliable(1, sdp({ port: 31_000 }), 'a'));
    stage.respond(invite, 183, reliable(1, sdp({ port: 32_000 }), 'b'));
    stage.respond(invite, 200, { toTag: 'a' });
    expect(stage.events.at(-2)?.event).toMatchObject({ type: 'media', agreed: { remotePort: 31_000 } });
  });

  it('answers an UPDATE of the early dialog, and ignores a description in the 200 after it', () => {
    const { stage, invite } = setup();
    const within = { method: 'UPDATE', callId: 'ours-1', fromTag: 'a', toTag: tagOf(invite) };
    stage.respond(invite, 183, reliable(1, sdp({ port: 31_000 })));
    stage.sent();
    stage.request({ ...within, sequence: 1, body: sdp({ port: 33_000 }) });
    const [ok] = stage.sent();
    expect(ok && lineOf(ok)).toBe('200 UPDATE');
    expect(ok && bodyText(ok)).toContain('m=audio 40000 RTP/AVP 0 101');
    expect(stage.eventTypes()).toEqual(['ringing']);
    stage.respond(invite, 200, { toTag: 'a', headers: [TYPE], body: textBody(sdp({ port: 31_000 })) });
    expect(stage.events.at(-2)?.event).toMatchObject({ type: 'media', agreed: { remotePort: 33_000 } });
    stage.sent();
    // The CSeq numbers of the early dialog continue.
    stage.request({ ...within, sequence: 1 });
    expect(stage.sentLines()).toEqual(['500 UPDATE']);
  });

  it('refuses an UPDATE with an offer while its own offer has no answer, and takes one without', () => {
    const { stage, invite } = setup();
    const within = { method: 'UPDATE', callId: 'ours-1', fromTag: 'a', toTag: tagOf(invite) };
    stage.respond(invite, 180, { toTag: 'a' });
    stage.request({ ...within, sequence: 1, body: sdp() });
    stage.request({ ...within, sequence: 2 });
    expect(stage.sentLines()).toEqual(['491 UPDATE', '200 UPDATE']);
  });

  it('is unaffected by a PRACK that is refused or lost', () => {
    const { stage, invite, call } = setup();
    stage.respond(invite, 183, reliable(1));
    stage.respond(stage.sentRequest(), 481);
    stage.respond(invite, 180, reliable(2));
    stage.advance(64 * T1);
    expect(stage.ends()).toEqual([]);
    stage.sent();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    expect(stage.sentLines()).toEqual(['CANCEL']);
    stage.respond(invite, 487, { toTag: 'a' });
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('sends no more than a limited number of PRACKs for one fork', () => {
    const { stage, invite } = setup();
    for (let number = 1; number <= MAX_RELIABLE_RESPONSES + 20; number += 1) {
      stage.respond(invite, 183, reliable(number));
    }
    expect(stage.sent()).toHaveLength(MAX_RELIABLE_RESPONSES);
  });
});

describe('a callee', () => {
  /** An INVITE that requires reliable responses. */
  function setup(invite: Partial<PeerRequest> = {}) {
    const stage = new Stage();
    const headers = ['Require: 100rel'];
    stage.request({ method: 'INVITE', branch: 'z9hG4bK-invite', body: sdp(), headers, ...invite });
    const { call = 0, incoming } = stage.incoming[0] ?? {};
    stage.sent();
    const ring = () => {
      stage.run((agent, nowMs) => agent.ring(call, nowMs, LOCAL));
      const [ringing] = stage.sent();
      if (!ringing) throw new Error('No 180 was sent');
      return { ringing, tag: toTag(ringing), rseq: headerValue(ringing, 'RSeq') ?? '' };
    };
    const answer = () => stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
    return { stage, call, incoming, ring, answer };
  }
  const prack = (rseq: string, tag: string, change: Partial<PeerRequest> = {}): PeerRequest => ({
    method: 'PRACK',
    sequence: 2,
    toTag: tag,
    headers: [`RAck: ${rseq} 1 INVITE`],
    ...change,
  });

  it('rings reliably at doubling intervals until the PRACK arrives', () => {
    const { stage, ring } = setup();
    const { ringing, tag, rseq } = ring();
    expect(headerValue(ringing, 'Require')).toBe('100rel');
    expect(Number(rseq)).toBeGreaterThan(0);
    expect(headerValue(ringing, 'Contact')).not.toBeNull();
    stage.advance(T1 * 15);
    expect(stage.sentLines()).toEqual(['180 INVITE', '180 INVITE', '180 INVITE', '180 INVITE']);
    stage.request(prack(rseq, tag));
    stage.advance(200_000);
    expect(stage.sentLines()).toEqual(['200 PRACK']);
    expect(stage.ends()).toEqual([]);
  });

  it('rings unreliably for a caller that only supports 100rel', () => {
    const { ring } = setup({ headers: ['Supported: 100rel'] });
    expect(headerValue(ring().ringing, 'RSeq')).toBeNull();
  });

  it('ends with 504 when the PRACK never arrives', () => {
    const { stage, ring } = setup();
    const { tag } = ring();
    stage.advance(64 * T1);
    expect(stage.sentLines().at(-1)).toBe('504 INVITE');
    expect(stage.ends()).toEqual(['refusal']);
    stage.request({ method: 'ACK', branch: 'z9hG4bK-invite', toTag: tag });
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it.each([
    ['without a match with 481', ['RAck: 999 1 INVITE'], '481 PRACK'],
    ['without a RAck with 400', [], '400 PRACK'],
    ['with an empty RAck with 400', ['RAck: '], '400 PRACK'],
    ['with a RAck of one number with 400', ['RAck: 1'], '400 PRACK'],
    ['with a RAck that is no number with 400', ['RAck: x 1 INVITE'], '400 PRACK'],
  ])('answers a PRACK %s', (_sentence, headers, answer) => {
    const { stage, ring } = setup();
    const { tag } = ring();
    stage.request(prack('', tag, { headers }));
    expect(stage.sentLines()).toEqual([answer]);
  });

  it('answers a second PRACK for the same response with 481', () => {
    const { stage, ring } = setup();
    const { tag, rseq } = ring();
    stage.request(prack(rseq, tag));
    stage.request(prack(rseq, tag, { sequence: 3 }));
    expect(stage.sentLines()).toEqual(['200 PRACK', '481 PRACK']);
  });

  it('may answer before the PRACK of a response without a description, and stops repeating it', () => {
    const { stage, ring, answer } = setup();
    const { tag, rseq } = ring();
    answer();
    expect(stage.sentLines()).toEqual(['200 INVITE']);
    stage.request({ method: 'ACK', toTag: tag });
    stage.request(prack(rseq, tag));
    stage.advance(20_000);
    expect(stage.sentLines()).toEqual(['200 PRACK']);
    expect(stage.eventTypes()).toEqual(['media', 'answered']);
  });

  it('stops repeating when the caller cancels', () => {
    const { stage, ring } = setup();
    ring();
    stage.request({ method: 'CANCEL', branch: 'z9hG4bK-invite' });
    stage.advance(T1);
    expect(stage.sentLines()).toEqual(['200 CANCEL', '487 INVITE', '487 INVITE']);
  });

  describe('of an INVITE without an offer', () => {
    it('offers in 180, takes the answer from the PRACK, and answers without a description', () => {
      const { stage, ring, answer, incoming } = setup({ body: '' });
      expect(incoming?.mustOfferInRinging).toBe(true);
      const { ringing, tag, rseq } = ring();
      expect(bodyText(ringing)).toContain('m=audio 41000 RTP/AVP 0 8 101');
      stage.request(prack(rseq, tag, { body: sdp({ port: 34_000 }) }));
      answer();
      const [, ok] = stage.sent();
      expect(ok && lineOf(ok)).toBe('200 INVITE');
      expect(ok?.body).toHaveLength(0);
      stage.request({ method: 'ACK', toTag: tag });
      expect(stage.events.map(({ event }) => event)).toMatchObject([
        { type: 'media', agreed: { remotePort: 34_000 } },
        { type: 'answered' },
      ]);
    });

    it('waits with the answer for the PRACK', () => {
      const { stage, ring, answer } = setup({ body: '' });
      const { tag, rseq } = ring();
      answer();
      expect(stage.sentLines()).toEqual([]);
      stage.request(prack(rseq, tag, { body: sdp() }));
      expect(stage.sentLines()).toEqual(['200 PRACK', '200 INVITE']);
    });

    it('ends with 488 when the PRACK has no usable answer', () => {
      const { stage, ring, answer } = setup({ body: '' });
      const { tag, rseq } = ring();
      stage.request(prack(rseq, tag));
      answer();
      expect(stage.sentLines()).toEqual(['200 PRACK', '488 INVITE']);
      expect(stage.ends()).toEqual(['refusal']);
    });

    it('sends no 180 without media, and answers with its offer', () => {
      const { stage, call, answer } = setup({ body: '' });
      stage.run((agent, nowMs) => agent.ring(call, nowMs));
      expect(stage.sentLines()).toEqual([]);
      answer();
      const [ok] = stage.sent();
      expect(ok && bodyText(ok)).toContain('m=audio 41000');
    });

    it('answers an UPDATE with an offer only after the PRACK', () => {
      const { stage, ring } = setup({ body: '' });
      const { tag, rseq } = ring();
      const update = { method: 'UPDATE', toTag: tag, body: sdp({ direction: 'sendonly' }) };
      stage.request({ ...update, sequence: 2 });
      stage.request(prack(rseq, tag, { sequence: 3, body: sdp() }));
      stage.request({ ...update, sequence: 4 });
      const [refused, , ok] = stage.sent();
      expect(refused && lineOf(refused)).toBe('491 UPDATE');
      expect(ok && lineOf(ok)).toBe('200 UPDATE');
      expect(ok && bodyText(ok)).toContain('a=recvonly');
    });
  });

  it('takes an UPDATE without an offer before the answer, and refuses one with an offer for a while', () => {
    const { stage, ring } = setup();
    const { tag, rseq } = ring();
    stage.request(prack(rseq, tag));
    stage.request({ method: 'UPDATE', sequence: 3, toTag: tag, contact: 'Contact: <sip:moved@10.0.0.77>' });
    stage.request({ method: 'UPDATE', sequence: 4, toTag: tag, body: sdp() });
    const [, ok, refused] = stage.sent();
    expect(ok && lineOf(ok)).toBe('200 UPDATE');
    expect(refused && lineOf(refused)).toBe('500 UPDATE');
    expect(refused && headerValue(refused, 'Retry-After')).not.toBeNull();
  });
});
