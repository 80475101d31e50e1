import { describe, expect, it } from 'vitest';
import { peerRequest, sdp } from '../../test/scripted-peer.ts';
import { buildResponse } from './build-response.ts';
import type { Destination } from './destination.ts';
import { headerList, headerValue, headerValues, type SipRequest } from './message.ts';
import { SipParseError } from './parse-error.ts';
import { parseMessage } from './parse-message.ts';
import { forwardRequest, hopBehind, returnResponse } from './stateless-proxy.ts';

const OWN = { host: '127.0.0.1', port: 5060 };
const PHONE: Destination = { transport: 'udp', host: '192.0.2.7', port: 41_000, connectionId: null };

function request(method = 'INVITE', more: Partial<Parameters<typeof peerRequest>[0]> = {}): SipRequest {
  const message = parseMessage(peerRequest({ method, body: method === 'INVITE' ? sdp() : '', ...more }));
  if (message.kind !== 'request') throw new Error('A request was expected');
  return message;
}

function forwarded(message: SipRequest, source = PHONE): SipRequest {
  return forwardRequest(message, source, OWN).request;
}

function withHops(value: string): SipRequest {
  const message = request();
  const others = message.headers.filter(({ name }) => name !== 'Max-Forwards');
  return { ...message, headers: [...others, { name: 'Max-Forwards', value }] };
}

const branchOf = (message: SipRequest): string =>
  /branch=([^;,]+)/.exec(headerList(message, 'Via')[0] ?? '')?.[1] ?? '';

describe('a forwarded request', () => {
  it('gains our Via, and its own Via records the real source', () => {
    const [ours = '', theirs = ''] = headerList(forwarded(request()), 'Via');
    expect(ours).toMatch(/^SIP\/2\.0\/UDP 127\.0\.0\.1:5060;branch=z9hG4bK/);
    expect(theirs).toContain('received=192.0.2.7');
  });

  it('keeps everything else, body included', () => {
    const before = request();
    const after = forwarded(before);
    expect(after.uri).toBe(before.uri);
    expect(after.body).toEqual(before.body);
    expect(headerValue(after, 'Contact')).toBe(headerValue(before, 'Contact'));
  });

  it('has Max-Forwards decremented, not below zero, and none added', () => {
    expect(headerValue(forwarded(withHops('5')), 'Max-Forwards')).toBe('4');
    expect(headerValue(forwarded(withHops('0')), 'Max-Forwards')).toBe('0');
    const without = withHops('5').headers.filter(({ name }) => name !== 'Max-Forwards');
    expect(headerValue(forwarded({ ...request(), headers: without }), 'Max-Forwards')).toBeNull();
  });

  it('keeps its Via lines', () => {
    const via = (value: string) => ({ name: 'Via', value });
    const more = [via('SIP/2.0/UDP a.example, SIP/2.0/TCP b.example'), via('SIP/2.0/UDP c.example')];
    const before = request();
    const after = forwarded({ ...before, headers: [...before.headers, ...more] });
    const lines = headerValues(after, 'Via');
    expect(lines).toHaveLength(4);
    expect(lines.slice(2)).toEqual(more.map(({ value }) => value));
  });

  it('gets the same branch when it is retransmitted, and so do its CANCEL and ACK', () => {
    const branch = 'z9hG4bK-of-the-phone';
    const invite = branchOf(forwarded(request('INVITE', { branch })));
    expect(branchOf(forwarded(request('INVITE', { branch })))).toBe(invite);
    expect(branchOf(forwarded(request('CANCEL', { branch })))).toBe(invite);
    expect(branchOf(forwarded(request('ACK', { branch })))).toBe(invite);
    expect(branchOf(forwarded(request('INVITE', { branch: 'z9hG4bK-other' })))).not.toBe(invite);
  });

  it('gets the same branch when it is retransmitted from another port', () => {
    const branch = 'z9hG4bK-of-the-phone';
    const moved = { ...PHONE, port: 41_001 };
    expect(branchOf(forwarded(request('INVITE', { branch }), moved))).toBe(
      branchOf(forwarded(request('INVITE', { branch }))),
    );
  });

  it.each(['1', 'z9hG4bK'])('gets a branch of its own where its branch %s is not unique', (branch) => {
    const first = branchOf(forwarded(request('INVITE', { branch })));
    expect(branchOf(forwarded(request('ACK', { branch, toTag: 'ours' })))).toBe(first);
    expect(branchOf(forwarded(request('INVITE', { branch, sequence: 2 })))).not.toBe(first);
    expect(branchOf(forwarded(request('INVITE', { branch, fromTag: 'other' })))).not.toBe(first);
    expect(branchOf(forwarded(request('INVITE', { branch, uri: 'sip:other@10.0.0.1' })))).not.toBe(first);
  });

  it('is refused when it has no Via', () => {
    const lost = { ...request(), headers: request().headers.filter(({ name }) => name !== 'Via') };
    expect(() => forwardRequest(lost, PHONE, OWN)).toThrow(SipParseError);
  });
});

describe('a returned response', () => {
  it('loses our Via and goes to the source of the request', () => {
    const returned = returnResponse(buildResponse(forwarded(request()), 180), OWN);
    expect(headerList(returned?.response ?? request(), 'Via')).toHaveLength(1);
    expect(returned?.destination).toMatchObject({ transport: 'udp', host: '192.0.2.7' });
  });

  it('is sent over the connection of the request', () => {
    const source: Destination = { transport: 'tcp', host: '192.0.2.7', port: 50_123, connectionId: 9 };
    const returned = returnResponse(buildResponse(forwarded(request(), source), 200), OWN);
    expect(returned?.destination.connectionId).toBe(9);
  });

  it('is dropped when its top Via is not ours', () => {
    const strange = buildResponse(forwarded(request()), 200);
    expect(returnResponse(strange, { host: '127.0.0.1', port: 5099 })).toBeNull();
    expect(returnResponse(buildResponse(request(), 200), OWN)).toBeNull();
  });
});

describe('the source behind our proxy', () => {
  it('is the address that the proxy recorded, regardless of the headers of the caller', () => {
    const claimed = request();
    const lied = {
      ...claimed,
      headers: claimed.headers.map((field) =>
        field.name === 'Via' ? { ...field, value: `${field.value};received=198.51.100.1` } : field,
      ),
    };
    expect(hopBehind(forwarded(lied).headers)?.host).toBe('192.0.2.7');
  });

  it('is null without a proxy', () => {
    expect(hopBehind(request().headers)).toBeNull();
  });
});
