/** A name server on the loopback address with records as a test wants them (RFC 1035, RFC 2782, RFC 3403). */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A record of a name. */
export type DnsRecord =
  | { type: 'A'; address: string }
  | { type: 'SRV'; priority: number; weight: number; port: number; target: string }
  | { type: 'NAPTR'; order: number; preference: number; flags: string; service: string; replacement: string };

const TYPES = { A: 1, SRV: 33, NAPTR: 35 } as const;
const HEADER_BYTES = 12;
const NXDOMAIN = 3;
const TTL_SECONDS = 60;
/** An answer names the name of its question by the pointer to it. */
const NAME_OF_QUESTION = Buffer.from([0xc0, HEADER_BYTES]);

/** Runs from {@link DnsServer.open} to {@link DnsServer.close}. */
export class DnsServer {
  /** The records by name. A name without records does not exist. */
  readonly records = new Map<string, DnsRecord[]>();
  /** Names about which nothing is answered. */
  readonly silent = new Set<string>();
  /** `SRV _sip._udp.example` for each question, in order. */
  readonly asked: string[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (query, { address, port }) => {
      const answer = this.#answer(query);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async open(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** `127.0.0.1:5353` */
  get address(): string {
    const { address, port } = this.#socket.address();
    return `${address}:${port}`;
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(query: Buffer): Buffer | null {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    this.asked.push(`${nameOfType(type)} ${name}`);
    if (this.silent.has(name)) return null;
    const all = this.records.get(name);
    const found = (all ?? []).filter((record) => TYPES[record.type] === type);
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180 | (all ? 0 : NXDOMAIN), 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...found.map(encodeRecord)]);
  }
}

function nameOfType(type: number): string {
  return Object.entries(TYPES).find(([, value]) => value === type)?.[0] ?? String(type);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function encodeRecord(record: DnsRecord): Buffer {
  const data = encodeData(record);
  const about = Buffer.alloc(10);
  about.writeUInt16BE(TYPES[record.type], 0);
  about.writeUInt16BE(1, 2);
  about.writeUInt32BE(TTL_SECONDS, 4);
  about.writeUInt16BE(data.length, 8);
  return Buffer.concat([NAME_OF_QUESTION, about, data]);
}

function encodeData(record: DnsRecord): Buffer {
  if (record.type === 'A') return Buffer.from(record.address.split('.').map(Number));
  if (record.type === 'SRV')
    return Buffer.concat([
      encodeNumbers(record.priority, record.weight, record.port),
      encodeName(record.target),
    ]);
  return Buffer.concat([
    encodeNumbers(record.order, record.preference),
    ...[record.flags, record.service, ''].map(encodeText),
    encodeName(record.replacement),
  ]);
}

function encodeNumbers(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, index * 2);
  return bytes;
}

function encodeText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([...labels.map(encodeText), Buffer.from([0])]);
}
