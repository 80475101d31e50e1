/**
 * The fixture of an interop test: our endpoint with real RTP, or two behind a front, a temporary folder, and the programs that the test
 * started. All of them are removed at the end.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog, systemClock } from '@parley/runtime';
import type { SessionTimerSetting } from '@parley/sip';
import { ForeignProgram } from '@parley/testkit';
import type { CallLeg } from '../../src/call-leg.ts';
import { createRtpMediaFactory, type RtpMediaFactory } from '../../src/rtp/rtp-media-factory.ts';
import type { TlsOptions } from '../../src/sip/open-transports.ts';
import type { DatagramTap } from '../../src/sip/agent-driver.ts';
import type { TrunkAddress } from '../../src/sip/dial-request.ts';
import { createSipEndpoint } from '../../src/sip/sip-endpoint.ts';
import { createSipFront, type SipFront } from '../../src/sip/sip-front.ts';
import type { IncomingInfo, SipEndpoint } from '../../src/sip/sip-endpoint-port.ts';
import { LegEvents } from '../leg-events.ts';

const COMMON = { clock: systemClock, log: silentLog, listen: { host: '127.0.0.1', port: 0 } };

/** A front that sends new calls to the endpoints in turn. */
async function startFront(endpoints: readonly SipEndpoint[]): Promise<SipFront> {
  const at = (port: number) =>
    endpoints.map((endpoint) => endpoint.address()).find((address) => address.port === port) ?? null;
  let calls = 0;
  const next = () => endpoints[(calls += 1) % endpoints.length]?.address() ?? null;
  const front = createSipFront({
    ...COMMON,
    endpoints: { choose: next, any: next, refused: () => undefined, isAlive: () => true, at },
  });
  await front.start();
  return front;
}

/** How a {@link TestEndpoint} differs from a single endpoint over UDP and TCP. */
export interface TestEndpointOptions {
  tls?: TlsOptions;
  sessionTimer?: SessionTimerSetting;
  /** Two endpoints behind a front, as with `VOICE_PROCESSES=2`. Calls are placed and taken by both in turn. */
  isFleet?: boolean;
}

/** The fixture of one test. */
export class TestEndpoint {
  readonly folder: string;
  /** The only endpoint, or the first of the fleet. */
  readonly endpoint: SipEndpoint;
  readonly media: RtpMediaFactory;
  /** Inbound calls, in order. */
  readonly received: { leg: CallLeg; info: IncomingInfo; events: LegEvents }[] = [];
  /** How to end each program. */
  readonly #programs: (() => Promise<void>)[] = [];
  readonly #endpoints: readonly SipEndpoint[];
  readonly #front: SipFront | null;
  #calls = 0;

  private constructor(
    folder: string,
    media: RtpMediaFactory,
    { endpoints, front }: { endpoints: readonly [SipEndpoint, ...SipEndpoint[]]; front: SipFront | null },
  ) {
    this.folder = folder;
    [this.endpoint] = endpoints;
    this.#endpoints = endpoints;
    this.#front = front;
    this.media = media;
  }

  /** Every inbound call is passed to `answerWith`, every raw message to `onDatagram`. */
  static async open(
    answerWith: (leg: CallLeg) => void = () => {},
    onDatagram: DatagramTap = () => {},
    { tls, sessionTimer, isFleet = false }: TestEndpointOptions = {},
  ): Promise<TestEndpoint> {
    const media = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
    const opened: SipEndpoint[] = [];
    const front = isFleet ? await startFront(opened) : null;
    const open = async (): Promise<SipEndpoint> => {
      const endpoint = createSipEndpoint({
        ...COMMON,
        userAgent: 'Parley-test',
        media,
        onDatagram,
        ...(front ? { front: front.address() } : {}),
        ...(tls ? { tls } : {}),
        ...(sessionTimer ? { sessionTimer } : {}),
      });
      await endpoint.start();
      opened.push(endpoint);
      return endpoint;
    };
    const endpoints = [await open(), ...(isFleet ? [await open()] : [])] as const;
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-interop-'));
    const testEndpoint = new TestEndpoint(folder, media, { endpoints, front });
    for (const endpoint of endpoints)
      endpoint.onIncoming((leg, info) => {
        testEndpoint.received.push({ leg, info, events: new LegEvents(leg) });
        answerWith(leg);
      });
    return testEndpoint;
  }

  /** Where others reach us. */
  address(): { host: string; port: number } {
    return (this.#front ?? this.endpoint).address();
  }

  activeLegs(): number {
    return this.#endpoints.reduce((sum, endpoint) => sum + endpoint.activeLegs(), 0);
  }

  run(program: string, args: readonly string[]): ForeignProgram {
    const run = new ForeignProgram(program, args, this.folder);
    this.atEnd(() => run.stop());
    return run;
  }

  /** @param stop - ends a program that uses the folder or the endpoint */
  atEnd(stop: () => Promise<void>): void {
    this.#programs.push(stop);
  }

  dial(trunk: TrunkAddress, options: { to?: string; ringTimeoutMs?: number } = {}) {
    const { to = '+12025550101', ringTimeoutMs = 10_000 } = options;
    const sipCallId = `interop-${process.pid}-${(this.#calls += 1)}@parley.test`;
    const endpoint = this.#endpoints[this.#calls % this.#endpoints.length] ?? this.endpoint;
    const leg = endpoint.dial({ from: '+12025550100', to, sipCallId, trunk, ringTimeoutMs });
    return { leg, events: new LegEvents(leg) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((end) => end()));
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.stop()));
    await this.#front?.stop();
    await this.media.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
