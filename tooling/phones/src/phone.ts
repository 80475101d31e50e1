/**
 * A telephone: a SIP line with pretend people behind it. It takes calls as its owner says and can make calls, and it
 * writes down all that crosses its socket. It shares nothing with the product but SIP and RTP.
 */
import { randomUUID } from 'node:crypto';
import type { Clock, Log, Service } from '@parley/runtime';
import { createFliteSynthesiser } from '@parley/speech';
import { createRtpMediaFactory, createSipLine, type CallLeg, type PortRange } from '@parley/telephony';
import { openPhoneLog, type PhoneLog } from './phone-log.ts';
import { Person } from './person.ts';
import type { Person as PersonAtHome, Script } from './script.ts';
import { scanWire } from './wire-scan.ts';

/** How a phone is set up. */
export interface PhoneOptions {
  clock: Clock;
  log: Log;
  /** Port 0 lets the system choose. */
  listen: { host: string; port: number };
  /** `null` lets the system choose. */
  rtpPorts: PortRange | null;
  /** Where the raw messages are written down; `null`: nowhere. */
  logFile: string | null;
  /** Who takes a call to that number. Default: nobody (404). */
  findPerson?: (number: string) => PersonAtHome;
  /** Keeps all that its people hear, for tests. */
  keepsSound?: boolean;
}

/** A call to be made. */
export interface PhoneCall {
  to: string;
  from: string;
  /** Where the call goes. */
  host: string;
  port: number;
  transport?: 'udp' | 'tcp';
  script: Script;
  /** A voice of Flite. Default `rms`. */
  voice?: string;
}

/** See the head of the file. */
export interface Phone extends Service {
  address(): { host: string; port: number };
  /** Calls; the person's promises tell how it went. */
  call(call: PhoneCall): Person;
  /** People who are on the phone now. */
  activeCalls(): number;
}

/** Phones that nobody answers ring longer than any caller waits, milliseconds. */
const RING_LIMIT_MS = 300_000;
/** A whole campaign comes from one address. */
const RATE_LIMIT = { perSecond: 10_000, burst: 20_000 };
const NOT_FOUND = 404;

/** Makes a phone; nothing is bound before `start`. */
export function createPhone(options: PhoneOptions): Phone {
  const { clock, log } = options;
  const flite = createFliteSynthesiser({ clock });
  const media = createRtpMediaFactory({ clock, log, ports: options.rtpPorts });
  const people = new Set<Person>();
  let phoneLog: PhoneLog | null = null;

  const line = createSipLine({
    clock,
    log,
    listen: options.listen,
    userAgent: 'Parley-Phones',
    media,
    inboundRingLimitMs: RING_LIMIT_MS,
    rateLimit: RATE_LIMIT,
    onDatagram(direction, bytes, peer) {
      const facts = phoneLog && scanWire(bytes);
      if (facts) phoneLog?.write({ direction, peer: `${peer.transport}:${peer.host}:${peer.port}`, ...facts });
    },
  });

  function connect(leg: CallLeg, script: Script, voice: string): Person {
    const keepsSound = options.keepsSound ?? false;
    const person = new Person(leg, { script, voice, synthesiser: flite, log, keepsSound });
    people.add(person);
    leg.onEvent((event) => {
      if (event.type !== 'ended') return;
      people.delete(person);
      if (person.wasAnswered) phoneLog?.write(person.summary());
    });
    return person;
  }

  line.onIncoming((leg) => {
    const person = options.findPerson?.(leg.to) ?? { takes: 'refuses', status: NOT_FOUND };
    if (person.takes === 'refuses') return leg.reject(person.status);
    leg.ring();
    if (person.takes === 'ignores') return;
    connect(leg, person.script, person.voice);
    const ringing = clock.after(person.ringMs, () => void leg.answer().catch(() => undefined));
    leg.onEvent((event) => event.type === 'ended' && ringing.cancel());
  });

  return {
    async start() {
      phoneLog ??= options.logFile === null ? null : openPhoneLog(options.logFile, clock);
      media.start();
      await flite.start();
      await line.start();
    },
    async stop() {
      await line.stop();
      await Promise.all([media.stop(), flite.stop()]);
      phoneLog?.close();
    },
    address: () => line.address(),
    activeCalls: () => people.size,
    call({ to, from, host, port, transport = 'udp', script, voice = 'rms' }) {
      const sipCallId = `${randomUUID()}@phones`;
      const trunk = { host, port, transport };
      return connect(line.dial({ from, to, sipCallId, trunk, ringTimeoutMs: RING_LIMIT_MS }), script, voice);
    },
  };
}
