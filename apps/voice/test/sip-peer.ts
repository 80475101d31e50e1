/** A SIP server of a carrier with planted faults: one socket that answers OPTIONS and REGISTER as a test wants. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the peer reads it. */
interface PeerRequest {
  method: string;
  /** The whole text of the message. */
  text: string;
}

/** What the peer answers. */
export interface PeerAnswer {
  /** `200 OK` */
  status: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The address that the peer claims to see; default: 127.0.0.1. */
  seen?: string;
}

/** Null: no answer. */
export type AnswerRequest = (request: PeerRequest) => PeerAnswer | null;

/** Answers over UDP until the end of the test. @returns its port */
export async function openUdpPeer(answer: AnswerRequest): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { address, port }) => {
    const response = respond(bytes.toString(), port, answer);
    if (response !== null) socket.send(response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return socket.address().port;
}

/** Answers over TCP until the end of the test; every segment is one message. @returns its port */
export async function openTcpPeer(answer: AnswerRequest): Promise<number> {
  const server = createServer((connection) => {
    connection.on('error', () => connection.destroy());
    connection.on('data', (bytes) => {
      const response = respond(bytes.toString(), connection.remotePort ?? 0, answer);
      if (response !== null) connection.write(response);
    });
    onTestFinished(() => void connection.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A UDP port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

function respond(text: string, sourcePort: number, answer: AnswerRequest): string | null {
  const method = /^([A-Z]+) /.exec(text)?.[1];
  const found = method === undefined ? null : answer({ method, text });
  if (!found) return null;
  const { status, headers = {}, body = '', seen = '127.0.0.1' } = found;
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';
  const via = header('Via').replace(/;rport(?!=)/, `;rport=${sourcePort};received=${seen}`);
  const lines = [
    `SIP/2.0 ${status}`,
    `Via: ${via}`,
    `From: ${header('From')}`,
    `To: ${header('To')};tag=peer`,
    `Call-ID: ${header('Call-ID')}`,
    `CSeq: ${header('CSeq')}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
