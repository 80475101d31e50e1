/**
 * The fixture of an interop test: our line with real RTP, a temporary folder, and the programs that the test started. All
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
import { createSipLine } from '../../src/sip/sip-line.ts';
import type { IncomingInfo, SipLine } from '../../src/sip/sip-line-port.ts';
import { LegEvents } from '../leg-events.ts';

/** The fixture of one test. */
export class TestLine {
  readonly folder: string;
  readonly line: SipLine;
  readonly media: RtpMediaFactory;
  /** Inbound calls, in order. */
  readonly received: { leg: CallLeg; info: IncomingInfo; events: LegEvents }[] = [];
  /** How to end each program. */
  readonly #programs: (() => Promise<void>)[] = [];
  #calls = 0;

  private constructor(folder: string, line: SipLine, media: RtpMediaFactory) {
    this.folder = folder;
    this.line = line;
    this.media = media;
  }

  /** Every inbound call is passed to `answerWith`, every raw message to `onDatagram`. */
  static async open(
    answerWith: (leg: CallLeg) => void = () => {},
    onDatagram: DatagramTap = () => {},
    { tls, sessionTimer }: { tls?: TlsOptions; sessionTimer?: SessionTimerSetting } = {},
  ): Promise<TestLine> {
    const media = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
    const line = createSipLine({
      clock: systemClock,
      log: silentLog,
      listen: { host: '127.0.0.1', port: 0 },
      userAgent: 'Parley-test',
      media,
      onDatagram,
      ...(tls ? { tls } : {}),
      ...(sessionTimer ? { sessionTimer } : {}),
    });
    await line.start();
    const testLine = new TestLine(await mkdtemp(path.join(tmpdir(), 'parley-interop-')), line, media);
    line.onIncoming((leg, info) => {
      testLine.received.push({ leg, info, events: new LegEvents(leg) });
      answerWith(leg);
    });
    return testLine;
  }

  run(program: string, args: readonly string[]): ForeignProgram {
    const run = new ForeignProgram(program, args, this.folder);
    this.atEnd(() => run.stop());
    return run;
  }

  /** @param stop - ends a program that uses the folder or the line */
  atEnd(stop: () => Promise<void>): void {
    this.#programs.push(stop);
  }

  dial(trunk: TrunkAddress, options: { to?: string; ringTimeoutMs?: number } = {}) {
    const { to = '+12025550101', ringTimeoutMs = 10_000 } = options;
    const sipCallId = `interop-${process.pid}-${(this.#calls += 1)}@parley.test`;
    const leg = this.line.dial({ from: '+12025550100', to, sipCallId, trunk, ringTimeoutMs });
    return { leg, events: new LegEvents(leg) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((end) => end()));
    await this.line.stop();
    await this.media.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
