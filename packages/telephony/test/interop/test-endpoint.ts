/**
 * The fixture of an interop test: our endpoint with real RTP, a temporary folder, and the programs that the test started. All
 * of them are removed at the end.
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
import type { IncomingInfo, SipEndpoint } from '../../src/sip/sip-endpoint-port.ts';
import { LegEvents } from '../leg-events.ts';

/** The fixture of one test. */
export class TestEndpoint {
  readonly folder: string;
  readonly endpoint: SipEndpoint;
  readonly media: RtpMediaFactory;
  /** Inbound calls, in order. */
  readonly received: { leg: CallLeg; info: IncomingInfo; events: LegEvents }[] = [];
  /** How to end each program. */
  readonly #programs: (() => Promise<void>)[] = [];
  #calls = 0;

  private constructor(folder: string, endpoint: SipEndpoint, media: RtpMediaFactory) {
    this.folder = folder;
    this.endpoint = endpoint;
    this.media = media;
  }

  /** Every inbound call is passed to `answerWith`, every raw message to `onDatagram`. */
  static async open(
    answerWith: (leg: CallLeg) => void = () => {},
    onDatagram: DatagramTap = () => {},
    { tls, sessionTimer }: { tls?: TlsOptions; sessionTimer?: SessionTimerSetting } = {},
  ): Promise<TestEndpoint> {
    const media = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
    const endpoint = createSipEndpoint({
      clock: systemClock,
      log: silentLog,
      listen: { host: '127.0.0.1', port: 0 },
      userAgent: 'Parley-test',
      media,
      onDatagram,
      ...(tls ? { tls } : {}),
      ...(sessionTimer ? { sessionTimer } : {}),
    });
    await endpoint.start();
    const testEndpoint = new TestEndpoint(
      await mkdtemp(path.join(tmpdir(), 'parley-interop-')),
      endpoint,
      media,
    );
    endpoint.onIncoming((leg, info) => {
      testEndpoint.received.push({ leg, info, events: new LegEvents(leg) });
      answerWith(leg);
    });
    return testEndpoint;
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
    const leg = this.endpoint.dial({ from: '+12025550100', to, sipCallId, trunk, ringTimeoutMs });
    return { leg, events: new LegEvents(leg) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((end) => end()));
    await this.endpoint.stop();
    await this.media.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
