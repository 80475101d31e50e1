/**
 * Bare calls over UDP for `bench:campaign`: the seven datagrams of a call that is answered and ended, each cut at its
 * Call-ID and nothing else, one call after the other. Argument: the number. Prints the processor time of one end of one
 * call, microseconds: both ends run in this process and do the same.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const WARM_UP = 500;
const HEADERS =
  'Via: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK776asdhds;rport\r\nMax-Forwards: 70\r\n' +
  'From: <sip:+12025550100@127.0.0.1>;tag=1928301774\r\nTo: <sip:+12025550101@127.0.0.1>;tag=a6c85cf\r\n' +
  'CSeq: 1 INVITE\r\nContact: <sip:127.0.0.1:5060>\r\nContent-Type: application/sdp\r\n';
const SDP =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0 8 101\r\n' +
  'a=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000\r\na=sendrecv\r\n';

/** The responses by request method. */
const ANSWERS: Record<string, readonly string[]> = {
  INVITE: ['SIP/2.0 100', 'SIP/2.0 180', 'SIP/2.0 200'],
  'SIP/2.0 200': ['ACK', 'BYE'],
  BYE: ['SIP/2.0 299'],
};
let hangUp = (): void => {};

function message(start: string, callId: string): string {
  return `${start} sip:+12025550101@127.0.0.1\r\n${HEADERS}Call-ID: ${callId}\r\n\r\n${SDP}`;
}

async function openEnd(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (datagram, from) => {
    const text = datagram.toString();
    const start = /^(?:SIP\/2\.0 \d+|[A-Z]+)/.exec(text)?.[0] ?? '';
    const callId = /\r\nCall-ID: ([^\r]+)/.exec(text)?.[1] ?? '';
    for (const answer of ANSWERS[start] ?? []) socket.send(message(answer, callId), from.port, from.address);
    // The answer to the BYE: the call is over.
    if (start === 'SIP/2.0 299') hangUp();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

const [caller, callee] = await Promise.all([openEnd(), openEnd()]);
const { port } = callee.address();

async function callMany(calls: number): Promise<void> {
  for (let made = 0; made < calls; made++) {
    const over = new Promise<void>((resolve) => (hangUp = resolve));
    caller.send(message('INVITE', `call-${made}`), port, '127.0.0.1');
    await over;
  }
}

const count = Number(process.argv[2]);
await callMany(WARM_UP);
const before = process.cpuUsage();
await callMany(count);
const { user, system } = process.cpuUsage(before);
caller.close();
callee.close();
process.stdout.write(String((user + system) / count / 2));
