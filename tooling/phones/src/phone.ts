/**
 * A telephone: a SIP line with simulated people. It answers calls as configured, places calls, and logs every message on
 * its socket. It shares only SIP and RTP with the product.
 */
import { randomUUID } from 'node:crypto';
import { BackgroundWork, type Clock, type Log, type Service } from '@parley/runtime';
import { createFliteSynthesiser, type FliteSynthesiser } from '@parley/speech';
import {
  createRtpMediaFactory,
  createSipEndpoint,
  type CallLeg,
  type PortRange,
  type RtpMediaFactory,
  type SipEndpoint,
} from '@parley/telephony';
import { behindNetwork, type BadNetwork } from './bad-network.ts';
import { openPhoneLog, type PhoneLog } from './phone-log.ts';
import { Person } from './person.ts';
import type { Character, Script } from './script.ts';
import { scanWire } from './wire-scan.ts';

/** The configuration of a phone. */
export interface PhoneOptions {
  clock: Clock;
  log: Log;
  /** With port 0 the system chooses. */
  listen: { host: string; port: number };
  /** `null` lets the system choose. */
  rtpPorts: PortRange | null;
  /** The file for the log of raw messages; `null` for none. */
  logFile: string | null;
  /** The behaviour of a number. Default: 404 for every number. */
  findCharacter?: (number: string) => Character;
  /** Keeps all audio of its calls, for tests. */
  keepsSound?: boolean;
  /** What happens to the packets that it sends; absent: nothing. */
  network?: BadNetwork;
  /** Receives the people who are called, by their number. */
  onPerson?: (number: string, person: Person) => void;
}

/** An outbound call. */
export interface PhoneCall {
  to: string;
  from: string;
  /** The destination of the call. */
  host: string;
  port: number;
  /** Over TLS any certificate is accepted. */
  transport?: 'udp' | 'tcp' | 'tls';
  /** Default: a new one. */
  sipCallId?: string;
  script: Script;
  /** A voice of Flite. Default `rms`. */
  voice?: string;
}

/** See the head of the file. */
export interface Phone extends Service {
  address(): { host: string; port: number };
  /** Places a call; the promises of the person report its progress. */
  call(call: PhoneCall): Person;
  /** The number of current calls. */
  activeCalls(): number;
}

/** Unanswered phones ring longer than any caller waits, milliseconds. */
const RING_LIMIT_MS = 300_000;
/** All calls of a campaign come from one address. */
const RATE_LIMIT = { perSecond: 10_000, burst: 20_000 };
const NOT_FOUND = 404;

/** Creates a phone; nothing is bound before `start`. */
export function createPhone(options: PhoneOptions): Phone {
  return new SocketPhone(options);
}

class SocketPhone implements Phone {
  readonly #options: PhoneOptions;
  readonly #voice: FliteSynthesiser;
  readonly #media: RtpMediaFactory;
  readonly #line: SipEndpoint;
  readonly #people = new Set<Person>();
  readonly #background: BackgroundWork;
  #phoneLog: PhoneLog | null = null;

  constructor(options: PhoneOptions) {
    const { clock, log, listen, rtpPorts, network } = options;
    this.#options = options;
    this.#background = new BackgroundWork(log);
    this.#voice = createFliteSynthesiser({ clock });
    const media = createRtpMediaFactory({ clock, log, ports: rtpPorts });
    this.#media = network ? behindNetwork(media, network, clock) : media;
    this.#line = createSipEndpoint({
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
    // Calls are answered even if the voice is slow to warm up, for example on a busy machine.
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

  call({ to, from, host, port, transport = 'udp', script, voice = 'rms', ...call }: PhoneCall): Person {
    const trunk = { host, port, transport, isTlsVerified: false };
    const { sipCallId = `${randomUUID()}@phones` } = call;
    const leg = this.#line.dial({ from, to, sipCallId, trunk, ringTimeoutMs: RING_LIMIT_MS });
    return this.#connect(leg, script, voice);
  }

  #takeCall(leg: CallLeg): void {
    const character = this.#options.findCharacter?.(leg.to) ?? { takes: 'refuses', status: NOT_FOUND };
    if (character.takes === 'refuses') return leg.reject(character.status);
    leg.ring();
    if (character.takes === 'ignores') return;
    const person = this.#connect(leg, character.script, character.voice);
    this.#options.onPerson?.(leg.to, person);
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
