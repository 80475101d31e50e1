/**
 * A telephone: a SIP line with pretend people behind it. It takes calls as its owner says and can make calls, and it
 * writes down all that crosses its socket. It shares nothing with the product but SIP and RTP.
 */
import { randomUUID } from 'node:crypto';
import { BackgroundWork, type Clock, type Log, type Service } from '@parley/runtime';
import { createFliteSynthesiser, type FliteSynthesiser } from '@parley/speech';
import {
  createRtpMediaFactory,
  createSipLine,
  type CallLeg,
  type PortRange,
  type RtpMediaFactory,
  type SipLine,
} from '@parley/telephony';
import { openPhoneLog, type PhoneLog } from './phone-log.ts';
import { Person } from './person.ts';
import type { Character, Script } from './script.ts';
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
  findCharacter?: (number: string) => Character;
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
  return new SocketPhone(options);
}

class SocketPhone implements Phone {
  readonly #options: PhoneOptions;
  readonly #voice: FliteSynthesiser;
  readonly #media: RtpMediaFactory;
  readonly #line: SipLine;
  readonly #people = new Set<Person>();
  readonly #background: BackgroundWork;
  #phoneLog: PhoneLog | null = null;

  constructor(options: PhoneOptions) {
    const { clock, log, listen, rtpPorts } = options;
    this.#options = options;
    this.#background = new BackgroundWork(log);
    this.#voice = createFliteSynthesiser({ clock });
    this.#media = createRtpMediaFactory({ clock, log, ports: rtpPorts });
    this.#line = createSipLine({
      clock,
      log,
      listen,
      userAgent: 'Parley-Phones',
      media: this.#media,
      inboundRingLimitMs: RING_LIMIT_MS,
      rateLimit: RATE_LIMIT,
      onDatagram: (direction, bytes, { transport, host, port }) => {
        const facts = scanWire(bytes);
        if (facts) this.#phoneLog?.write({ direction, peer: `${transport}:${host}:${port}`, ...facts });
      },
    });
    this.#line.onIncoming((leg) => this.#takeCall(leg));
  }

  async start(): Promise<void> {
    const { logFile, clock, log } = this.#options;
    this.#phoneLog ??= logFile === null ? null : openPhoneLog(logFile, clock);
    this.#media.start();
    // A voice that is slow to warm up (a busy machine) is no reason not to take calls.
    await this.#voice
      .start()
      .catch((error: unknown) => log.warn({ err: error }, 'The voice did not warm up'));
    await this.#line.start();
  }

  async stop(): Promise<void> {
    await this.#line.stop();
    await Promise.all([this.#media.stop(), this.#voice.stop()]);
    this.#phoneLog?.close();
  }

  address(): { host: string; port: number } {
    return this.#line.address();
  }

  activeCalls(): number {
    return this.#people.size;
  }

  call({ to, from, host, port, transport = 'udp', script, voice = 'rms' }: PhoneCall): Person {
    const trunk = { host, port, transport };
    const sipCallId = `${randomUUID()}@phones`;
    const leg = this.#line.dial({ from, to, sipCallId, trunk, ringTimeoutMs: RING_LIMIT_MS });
    return this.#connect(leg, script, voice);
  }

  #takeCall(leg: CallLeg): void {
    const character = this.#options.findCharacter?.(leg.to) ?? { takes: 'refuses', status: NOT_FOUND };
    if (character.takes === 'refuses') return leg.reject(character.status);
    leg.ring();
    if (character.takes === 'ignores') return;
    this.#connect(leg, character.script, character.voice);
    const ringing = this.#options.clock.after(character.ringMs, () =>
      this.#background.start('answer a call', () => leg.answer()),
    );
    leg.onEvent((event) => event.type === 'ended' && ringing.cancel());
  }

  #connect(leg: CallLeg, script: Script, voice: string): Person {
    const { log, keepsSound = false } = this.#options;
    const person = new Person(leg, { script, voice, synthesiser: this.#voice, log, keepsSound });
    this.#people.add(person);
    leg.onEvent((event) => {
      if (event.type !== 'ended') return;
      this.#people.delete(person);
      if (person.wasAnswered) this.#phoneLog?.write(person.summary());
    });
    return person;
  }
}
