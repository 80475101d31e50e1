/** An agent behind our own proxy, through which the first request of a call arrives. */
import { describe, expect, it } from 'vitest';
import { buildResponse } from '../src/message/build-response.ts';
import type { Destination, TransportName } from '../src/message/destination.ts';
import { headerValue, type SipMessage } from '../src/message/message.ts';
import { parseMessage } from '../src/message/parse-message.ts';
import { serialiseMessage } from '../src/message/serialise-message.ts';
import { forwardRequest } from '../src/message/stateless-proxy.ts';
import { PEER as FRONT, peerRequest, sdp, Stage, toTag, type PeerRequest } from './scripted-peer.ts';

const PHONE: Destination = { transport: 'udp', host: '8.8.8.8', port: 40_123, connectionId: null };
/** The Contact of a phone behind NAT, or of a far end that tries to reach our network. */
const CONTACT = 'Contact: <sip:phone@192.168.0.7:5062>';

function setup(front: Destination | undefined, headers: string[] = [], phone = PHONE, uri?: string) {
  const stage = new Stage({ front, tagSuffix: '.5061' });
  const receive = (request: PeerRequest, from = phone): void => {
    const message = parseMessage(peerRequest({ contact: CONTACT, ...request }));
    if (message.kind !== 'request') throw new Error('A request was expected');
    stage.receive(serialiseMessage(forwardRequest(message, from, FRONT).request));
  };
  receive({ method: 'INVITE', body: sdp(), headers, ...(uri ? { uri } : {}) });
  const [{ call } = { call: 0 }] = stage.incoming;
  stage.run((agent, nowMs) => agent.answer(call, { host: '10.0.0.1', port: 40_000 }, nowMs));
  const answer = stage.sentWithWay().at(-1);
  const localTag = answer ? toTag(answer.message) : '';
  receive({ method: 'ACK', toTag: localTag });
  const hangUp = () => {
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    return stage.sentWithWay().at(-1);
  };
  const answerLast = (status: number, { message }: { message: SipMessage }) => {
    stage.respond(message, status);
    return stage.sentWithWay().at(-1);
  };
  return { answer, localTag, receive, hangUp, answerLast };
}

const valueIn = (sent: { message: SipMessage } | undefined, name: string): string | null =>
  sent ? headerValue(sent.message, name) : null;
const TLS_PHONE: Destination = { ...PHONE, transport: 'tls', connectionId: 12 };
const TCP_PHONE: Destination = { ...TLS_PHONE, transport: 'tcp' };
const flow = (connection: number, over = 'tls'): string =>
  `<sip:${FRONT.host}:${FRONT.port};lr;connection=${connection};over=${over}>`;

describe('a call over TLS through our own proxy', () => {
  it('goes on through the connection of its INVITE, whatever its peer names', () => {
    const { answer, hangUp } = setup(FRONT, [], TLS_PHONE);
    expect(valueIn(answer, 'Contact')).toMatch(/:5061;transport=tls>$/);
    const bye = hangUp();
    expect(bye).toMatchObject({
      message: { method: 'BYE', uri: 'sip:phone@192.168.0.7:5062' },
      destination: { transport: 'udp', host: FRONT.host, port: FRONT.port, namedBy: '8.8.8.8', over: 'tls' },
    });
    expect(valueIn(bye, 'Route')).toBe(flow(12));
  });

  it.each([
    ['the target stays', CONTACT],
    ['the target changes', 'Contact: <sip:phone@192.168.0.8>'],
  ])('follows its peer to another connection: %s', (_how, contact) => {
    const { receive, localTag, hangUp } = setup(FRONT, [], TLS_PHONE);
    receive({ method: 'UPDATE', sequence: 2, toTag: localTag, contact }, { ...TLS_PHONE, connectionId: 13 });
    const bye = hangUp();
    expect(valueIn(bye, 'Route')).toBe(flow(13));
    expect(bye).toMatchObject({ destination: { host: FRONT.host, over: 'tls' } });
  });

  it('accepts a SIPS address, which needs TLS on the last hop to us', () => {
    const uri = 'sips:parley@10.0.0.1';
    expect(setup(FRONT, [], TLS_PHONE, uri).answer).toMatchObject({ message: { status: 200 } });
  });
});

describe('a call over TCP through our own proxy', () => {
  const direct = {
    transport: 'tcp',
    host: '192.168.0.7',
    port: 5062,
    namedBy: '8.8.8.8',
    namedByPort: 40_123,
  };

  it('goes on through the connection of its INVITE, and its peer sends requests to the agent', () => {
    const { answer, hangUp } = setup(FRONT, [], TCP_PHONE);
    expect(valueIn(answer, 'Contact')).toMatch(/:5060;transport=tcp>$/);
    const bye = hangUp();
    expect(bye).toMatchObject({ destination: { transport: 'udp', host: FRONT.host, over: 'tcp' } });
    expect(valueIn(bye, 'Route')).toBe(flow(12, 'tcp'));
  });

  it('goes to the peer directly once that connection is closed', () => {
    const { hangUp, answerLast } = setup(FRONT, [], TCP_PHONE);
    const again = answerLast(430, hangUp() ?? expect.unreachable());
    expect(again).toMatchObject({ message: { method: 'BYE' }, destination: direct });
    expect(valueIn(again, 'Route')).toBeNull();
  });
});

describe('a call through our own proxy', () => {
  it('is answered through it, with a tag that names the agent', () => {
    const { answer, localTag } = setup(FRONT);
    expect(answer).toMatchObject({ message: { status: 200 }, destination: { host: FRONT.host } });
    expect(localTag).toMatch(/^[\da-f]{16}\.5061$/);
  });

  it('has the target that its peer has named, not the proxy, so that it cannot lead into our network', () => {
    const destination = { host: '192.168.0.7', port: 5062, namedBy: '8.8.8.8', namedByPort: 40_123 };
    expect(setup(FRONT).hangUp()).toMatchObject({ message: { method: 'BYE' }, destination });
  });

  it('keeps that peer when it changes its target', () => {
    const { receive, localTag, hangUp } = setup(FRONT);
    const contact = 'Contact: <sip:phone@192.168.0.8>';
    receive({ method: 'UPDATE', sequence: 2, toTag: localTag, contact });
    const destination = { host: '192.168.0.8', namedBy: '8.8.8.8', namedByPort: 40_123 };
    expect(hangUp()).toMatchObject({ message: { method: 'BYE' }, destination });
  });

  it('has the next hop that our proxy has named, when it stays in the way', () => {
    const route = `Record-Route: <sip:${FRONT.host};lr>`;
    const destination = { host: FRONT.host, namedBy: FRONT.host };
    expect(setup(FRONT, [route]).hangUp()).toMatchObject({ destination });
  });

  it('is of the sender when that is another proxy', () => {
    expect(setup(undefined).hangUp()).toMatchObject({ destination: { namedBy: FRONT.host } });
  });
});

/** A far end that we have called directly, and that sends its requests to our own proxy. */
function setupCalled(transport: TransportName) {
  const carrier = { transport, host: '203.0.113.5', port: 5080, connectionId: null };
  const stage = new Stage({ front: FRONT, tagSuffix: '.5061' });
  const call = stage.invite({ destination: carrier, toUri: 'sip:+12025550101@203.0.113.5' });
  const invite = stage.sentRequest();
  const localTag = /;tag=([^;]+)/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
  const headers = [
    { name: 'Record-Route', value: `<sip:203.0.113.5:5080;transport=${transport};lr>` },
    { name: 'Contact', value: '<sip:a@203.0.113.6>' },
    { name: 'Content-Type', value: 'application/sdp' },
  ];
  const answer = buildResponse(invite, 200, { toTag: 'far', headers, body: Buffer.from(sdp()) });
  stage.receive(serialiseMessage(answer), carrier);
  const update = (sequence: number, host: string): void => {
    const contact = `Contact: <sip:a@${host}>`;
    const about = { callId: 'ours-1', fromTag: 'far', toTag: localTag, sequence, contact };
    const message = parseMessage(peerRequest({ method: 'UPDATE', ...about }));
    if (message.kind !== 'request') throw new Error('A request was expected');
    const from = { ...carrier, port: 40_123, connectionId: transport === 'udp' ? null : 12 };
    stage.receive(serialiseMessage(forwardRequest(message, from, FRONT).request));
    expect(stage.sent()).toMatchObject([{ status: 200 }]);
  };
  const hangUp = () => {
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    return stage.sentWithWay().at(-1);
  };
  stage.sent();
  return { update, hangUp };
}

// RFC 3261 section 12.2.1.1: "If the route set is not empty, and the first URI in the route set contains the lr parameter (see
// Section 19.1.1), the UAC MUST place the remote target URI into the Request-URI and MUST include a Route header field
// containing the route set values in order, including all parameters."
it.each<[TransportName]>([['udp'], ['tcp'], ['tls']])(
  'a call that we have placed over %s keeps its way when its callee changes the target through our proxy',
  (transport) => {
    const { update, hangUp } = setupCalled(transport);
    update(1, '203.0.113.7');
    update(2, '203.0.113.8');
    const bye = hangUp();
    expect(bye).toMatchObject({
      message: { method: 'BYE', uri: 'sip:a@203.0.113.8' },
      destination: { transport, host: '203.0.113.5', port: 5080 },
    });
    expect(bye?.destination).not.toHaveProperty('over');
    expect(valueIn(bye, 'Route')).toBe(`<sip:203.0.113.5:5080;transport=${transport};lr>`);
  },
);
