/** Requests that are refused, and where responses go: by address, by connection, over TLS. */
import { describe, expect, it } from 'vitest';
import { headerValue } from '../src/message/message.ts';
import { answered, LOCAL, setup, T1 } from './called-agent.ts';
import { PEER, peerRequest, sdp, Stage, toTag, type PeerRequest } from './scripted-peer.ts';

describe('requests that are refused', () => {
  it.each<[string, PeerRequest, string]>([
    ['an unknown method', { method: 'PUBLISH' }, '405 PUBLISH'],
    [
      'an unknown extension',
      { method: 'INVITE', headers: ['Require: 100rel, precondition, x'], body: sdp() },
      '420 INVITE',
    ],
    ['an encrypted address', { method: 'INVITE', uri: 'sips:a@10.0.0.1', body: sdp() }, '416 INVITE'],
    ['an unknown scheme', { method: 'OPTIONS', uri: 'unknown:address' }, '416 OPTIONS'],
    [
      'headers in the Request-URI',
      { method: 'INVITE', uri: 'sip:a@10.0.0.1?Route=x', body: sdp() },
      '400 INVITE',
    ],
    [
      'an unknown body',
      { method: 'INVITE', headers: ['Content-Type: text/html'], body: '<p>' },
      '415 INVITE',
    ],
    [
      'a packed body',
      { method: 'INVITE', headers: ['Content-Type: application/sdp', 'Content-Encoding: gzip'], body: 'x' },
      '415 INVITE',
    ],
    ['an offer without sound', { method: 'INVITE', body: sdp({ payloads: '96' }) }, '488 INVITE'],
    ['an INVITE without Contact', { method: 'INVITE', contact: null, body: sdp() }, '400 INVITE'],
    ['a BYE of an unknown dialog', { method: 'BYE', toTag: 'x' }, '481 BYE'],
    ['a BYE outside a dialog', { method: 'BYE' }, '481 BYE'],
    ['a CANCEL of nothing', { method: 'CANCEL' }, '481 CANCEL'],
    ['an INVITE into an unknown dialog', { method: 'INVITE', toTag: 'x', body: sdp() }, '481 INVITE'],
  ])('%s', (_, request, line) => {
    const stage = new Stage();
    stage.request(request);
    expect(stage.sentLines()).toEqual([line]);
    expect(stage.incoming).toEqual([]);
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0, faults: 0 });
  });

  it('lists unsupported extensions and supported methods', () => {
    const stage = new Stage();
    stage.request({ method: 'INVITE', headers: ['Require: 100rel, precondition, x'], body: sdp() });
    stage.request({ method: 'PUBLISH' });
    const [bad, unknown] = stage.sent();
    expect(bad && headerValue(bad, 'Unsupported')).toBe('precondition, x');
    expect(unknown && headerValue(unknown, 'Allow')).toContain('INVITE');
  });

  it('the second copy of an INVITE that arrives over two paths', () => {
    const { stage } = setup();
    stage.request({ method: 'INVITE', branch: 'z9hG4bK-other-path', body: sdp() });
    expect(stage.sentLines()).toEqual(['100 INVITE', '482 INVITE']);
    expect(stage.incoming).toHaveLength(1);
  });

  it('a third copy, after the exchange of the second one is over', () => {
    const { stage } = setup();
    const copy = { method: 'INVITE', branch: 'z9hG4bK-other-path', body: sdp() };
    stage.request(copy);
    stage.request({ ...copy, method: 'ACK' });
    stage.advance(10_000);
    stage.request({ ...copy, branch: 'z9hG4bK-third-path' });
    expect(stage.sentLines()).toEqual(['100 INVITE', '482 INVITE', '482 INVITE']);
    expect(stage.incoming).toHaveLength(1);
  });

  it('a request with one wrong tag', () => {
    const { stage, tag } = answered();
    stage.request({ method: 'BYE', sequence: 2, toTag: tag, fromTag: 'another-tag' });
    stage.request({ method: 'BYE', sequence: 2, toTag: `${tag}x` });
    expect(stage.sentLines()).toEqual(['481 BYE', '481 BYE']);
    expect(stage.ends()).toEqual([]);
  });

  it('never an ACK, with any content', () => {
    const stage = new Stage();
    stage.request({ method: 'ACK', toTag: 'x' });
    stage.receive(peerRequest({ method: 'ACK' }).replace('CSeq: 1 ACK', 'CSeq: x'));
    expect(stage.sentLines()).toEqual([]);
  });

  it('new ones with 503 beyond the limit of transactions, without keeping state', () => {
    const stage = new Stage({ maxServerTransactions: 1 });
    stage.request({ method: 'OPTIONS', callId: 'a' });
    stage.request({ method: 'OPTIONS', callId: 'b' });
    expect(stage.sentLines()).toEqual(['200 OPTIONS', '503 OPTIONS']);
    expect(stage.agent.load().transactions).toBe(1);
  });
});

describe('draining', () => {
  it('refuses new calls and OPTIONS with 503 and continues calls in progress', () => {
    const { stage, tag } = answered();
    stage.agent.setDraining(true);
    stage.request({ method: 'INVITE', callId: 'new', body: sdp() });
    stage.request({ method: 'OPTIONS', callId: 'probe' });
    stage.request({ method: 'OPTIONS', sequence: 2, toTag: tag });
    expect(stage.sentLines()).toEqual(['503 INVITE', '503 OPTIONS', '200 OPTIONS']);
  });
});

describe('the destination of a response', () => {
  it('is the source of the request when the sender asks for rport, and Via records it', () => {
    const stage = new Stage();
    stage.receive(peerRequest({ method: 'OPTIONS' }), { ...PEER, host: '192.0.2.7', port: 40_404 });
    const [sent] = stage.sentWithWay();
    expect(sent?.destination).toMatchObject({ host: '192.0.2.7', port: 40_404 });
    expect(sent && headerValue(sent.message, 'Via')).toMatch(
      /;rport=40404;received=192\.0\.2\.7|;received=192\.0\.2\.7;rport=40404/,
    );
  });

  it('is otherwise the port of Via at the source address', () => {
    const stage = new Stage();
    const text = peerRequest({ method: 'OPTIONS' })
      .replace(';rport', '')
      .replace('10.0.0.9:5060;branch', '10.0.0.9:5099;branch');
    stage.receive(text, { ...PEER, host: '192.0.2.7', port: 40_404 });
    expect(stage.sentWithWay()[0]?.destination).toMatchObject({ host: '192.0.2.7', port: 5099 });
  });

  it('is the connection of the request', () => {
    const stage = new Stage();
    const source = { transport: 'tcp', host: '10.0.0.9', port: 50_000, connectionId: 7 } as const;
    stage.receive(peerRequest({ method: 'OPTIONS' }), source);
    expect(stage.sentWithWay()[0]?.destination).toEqual({ ...source, viaPort: 5060 });
  });
});

describe('a call over TCP', () => {
  const source = { transport: 'tcp', host: '10.0.0.9', port: 50_000, connectionId: 7 } as const;

  it('retransmits only the 200, and sends the BYE over the connection of the call', () => {
    const stage = new Stage();
    const contact = 'Contact: <sip:peer@10.0.0.9:5060;transport=tcp>';
    stage.receive(peerRequest({ method: 'INVITE', body: sdp(), contact }), source);
    stage.run((agent, nowMs) => agent.answer(stage.incoming[0]?.call ?? 0, LOCAL, nowMs));
    const [, ok] = stage.sent();
    stage.advance(T1);
    expect(stage.sentLines()).toEqual(['200 INVITE']);
    stage.receive(peerRequest({ method: 'ACK', toTag: ok ? toTag(ok) : '' }), source);
    stage.run((agent, nowMs) => agent.hangUp(stage.incoming[0]?.call ?? 0, nowMs));
    expect(stage.sentWithWay()[0]?.destination).toMatchObject({
      transport: 'tcp',
      connectionId: 7,
      port: 5060,
    });
  });
});

describe('a call over TLS', () => {
  const source = { transport: 'tls', host: '10.0.0.9', port: 50_000, connectionId: 7 } as const;

  function answered(contact: string) {
    const stage = new Stage();
    stage.receive(peerRequest({ method: 'INVITE', body: sdp(), contact }), source);
    stage.run((agent, nowMs) => agent.answer(stage.incoming[0]?.call ?? 0, LOCAL, nowMs));
    const [, ok] = stage.sent();
    stage.receive(peerRequest({ method: 'ACK', toTag: ok ? toTag(ok) : '' }), source);
    stage.run((agent, nowMs) => agent.hangUp(stage.incoming[0]?.call ?? 0, nowMs));
    return { ok, bye: stage.sentWithWay()[0] };
  }

  it.each([
    ['Contact: <sip:peer@10.0.0.9:5070;transport=tls>', '<sip:10.0.0.1:5061;transport=tls>', 5070],
    ['Contact: <sips:peer@10.0.0.9>', '<sips:10.0.0.1:5061>', 5061],
    ['Contact: <sip:peer@10.0.0.9:5070;transport=udp>', '<sip:10.0.0.1:5061;transport=tls>', 5070],
  ])('with %s stays on TLS', (contact, ours, port) => {
    const { ok, bye } = answered(contact);
    expect(ok && headerValue(ok, 'Contact')).toBe(ours);
    expect(bye?.destination).toMatchObject({ transport: 'tls', connectionId: 7, port });
    expect(bye && headerValue(bye.message, 'Via')).toMatch(/^SIP\/2\.0\/TLS 10\.0\.0\.1:5061;/);
  });
});

describe('malformed requests', () => {
  it.each([
    ['a From that cannot be read', '400', (text: string) => text.replace(/From: .*/, 'From: "x <sip:a@b>')],
    ['a CSeq of another method', '400', (text: string) => text.replace(/CSeq: .*/, 'CSeq: 1 BYE')],
    ['less body than announced', '400', (text: string) => text.replace('Length: 0', 'Length: 9')],
    ['another version of SIP', '505', (text: string) => text.replace(/ SIP\/2\.0\r/, ' SIP/7.0\r')],
    ['two From headers', '400', (text: string) => text.replace('Max-Forwards: 70', 'From: <sip:a@b>;tag=1')],
    ['no Call-ID', '400', (text: string) => text.replace(/Call-ID: .*\r\n/, '')],
    ['no From, To or Call-ID', '400', (text: string) => text.replaceAll(/(?:From|To|Call-ID): .*\r\n/g, '')],
  ])('with %s are answered with %s', (_, status, breakIt) => {
    const stage = new Stage();
    stage.receive(breakIt(peerRequest({ method: 'OPTIONS' })));
    const statuses = stage.sent().map((message) => message.kind === 'response' && String(message.status));
    expect(statuses).toEqual([status]);
    expect(stage.agent.load()).toMatchObject({ transactions: 0, dropped: 1, faults: 0 });
  });

  it.each([
    ['without a Via', (text: string) => text.replace(/Via: .*\r\n/, '')],
    ['that are not SIP', () => 'GET / HTTP/1.1\r\n\r\n'],
    ['that are empty', () => ''],
    ['that are keep-alives', () => '\r\n\r\n'],
  ])('%s are dropped without a response', (_, breakIt) => {
    const stage = new Stage();
    stage.receive(breakIt(peerRequest({ method: 'OPTIONS' })));
    expect(stage.sentLines()).toEqual([]);
    expect(stage.agent.load()).toMatchObject({ dropped: 1, faults: 0 });
  });
});
