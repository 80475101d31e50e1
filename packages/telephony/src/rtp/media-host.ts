/**
 * The media worker without its thread: the sockets and streams of its calls on one clock wheel. It executes
 * {@link MediaCommand}s and sends {@link MediaReport}s. An exception in a socket or clock callback becomes a report, and
 * the call continues.
 */
import type { Clock } from '@parley/runtime';
import { ClockWheel } from './clock-wheel.ts';
import type { MediaTarget } from '../media-factory.ts';
import { openOpus, type LegRateHz } from './audio-codec.ts';
import type { MediaCommand, MediaReport } from './media-messages.ts';
import { MediaStream } from './media-stream.ts';
import { randomStart } from './rtp-sender.ts';
import { bindRtpSockets, type RtpSockets } from './rtp-sockets.ts';
import { TickBatch } from './tick-batch.ts';

/** What a host uses of its thread. */
export interface MediaHostOptions {
  clock: Clock;
  /** 32 random bits. */
  random: () => number;
  /** Sends a report and transfers the memory in `transfer`. */
  post(report: MediaReport, transfer: ArrayBuffer[]): void;
}

interface HostedCall {
  id: number;
  sockets: RtpSockets;
  stream: MediaStream;
  sampleRateHz: LegRateHz;
  /** Counts the targets, so that a codec that opens late does not replace a newer one. */
  connects: number;
  /** Index of the next tick. */
  index: number;
  /** Removes the call from the clock; `null` before the first `connect`. */
  leaveWheel: (() => void) | null;
}

/** The calls of one worker. */
export class MediaHost {
  readonly #options: MediaHostOptions;
  readonly #wheel: ClockWheel;
  readonly #batch = new TickBatch();
  readonly #calls = new Map<number, HostedCall>();

  constructor(options: MediaHostOptions) {
    this.#options = options;
    this.#wheel = new ClockWheel(options.clock, () => this.#postTicks());
  }

  /** Executes a command and never rejects. A command for a call that has ended is ignored. */
  async execute(command: MediaCommand): Promise<void> {
    try {
      if (command.do === 'open') await this.#open(command);
      else if (command.do === 'connect') await this.#connect(this.#calls.get(command.id), command.target);
      else this.#executeFor(this.#calls.get(command.id), command);
    } catch (error) {
      this.#reportFault(command.id, command.do, error);
    }
  }

  async #open({ id, host, port, sampleRateHz }: MediaCommand & { do: 'open' }): Promise<void> {
    try {
      const sockets = await bindRtpSockets(host, port);
      this.#calls.set(id, this.#host(id, sockets, sampleRateHz));
      this.#report({ type: 'opened', id, port: sockets.port });
    } catch (error) {
      this.#report({ type: 'open-failed', id, code: codeOf(error) });
    }
  }

  #host(id: number, sockets: RtpSockets, sampleRateHz: LegRateHz): HostedCall {
    const { clock, random } = this.#options;
    const stream = new MediaStream({
      sampleRateHz,
      start: randomStart(random),
      send(kind, datagram, to) {
        // Port 0 disables a stream in SDP, and port 65 535 leaves no port for RTCP; Node throws on both.
        if (to.port > 0 && to.port < 65_536) sockets[kind].send(datagram, to.port, to.host);
      },
      onKey: (key) => this.#report({ type: 'key', id, ...key }),
      onSilence: () => this.#report({ type: 'silence', id }),
    });
    sockets.rtp.on('message', (datagram, from) =>
      this.#guard(id, 'receive', () =>
        stream.receive(datagram, { host: from.address, port: from.port }, clock.monotonic()),
      ),
    );
    sockets.rtcp.on('message', (datagram, from) =>
      this.#guard(id, 'receive-rtcp', () =>
        stream.receiveRtcp(datagram, { host: from.address, port: from.port }, clock.monotonic()),
      ),
    );
    return { id, sockets, stream, sampleRateHz, connects: 0, index: 0, leaveWheel: null };
  }

  #executeFor(
    call: HostedCall | undefined,
    command: Exclude<MediaCommand, { do: 'open' | 'connect' }>,
  ): void {
    if (!call) return;
    switch (command.do) {
      case 'play':
        call.stream.playout.push(command.turn, command.samples);
        break;
      case 'pause':
      case 'lower':
      case 'resume':
      case 'clear':
        call.stream.playout[command.do]();
        break;
      case 'ambience':
        call.stream.playout.setAmbience(command.loop);
        break;
      case 'send-keys':
        call.stream.sendKeys(command.digits, command.as);
        break;
      case 'watch-silence':
        call.stream.watchSilence(command.limitMs);
        break;
      case 'close':
        this.#close(call);
        break;
    }
  }

  /** Opus loads its library first; a call that has it goes on with its earlier codec meanwhile. */
  async #connect(call: HostedCall | undefined, target: MediaTarget): Promise<void> {
    if (!call) return;
    const turn = ++call.connects;
    const isOpening = target.codec === 'opus' && !call.stream.hasCodecOf(target);
    const codec = isOpening ? await openOpus(target, call.sampleRateHz) : undefined;
    if (turn !== call.connects || !this.#calls.has(call.id)) return codec?.free();
    call.stream.connect(target, codec);
    call.leaveWheel ??= this.#wheel.join((latenessMs) =>
      this.#guard(call.id, 'tick', () => this.#tick(call, latenessMs)),
    );
  }

  #tick(call: HostedCall, latenessMs: number): void {
    const tick = call.stream.tick(latenessMs, this.#now());
    this.#batch.add({ id: call.id, index: call.index++ }, tick, call.stream.stats());
  }

  #close(call: HostedCall): void {
    const { rejectedPackets: packets } = call.stream.stats();
    if (packets > 0) this.#report({ type: 'rejected', id: call.id, packets });
    this.#calls.delete(call.id);
    call.leaveWheel?.();
    call.stream.end(this.#now());
    // The RTCP BYE may still be queued in the second socket, so that one is closed last.
    call.sockets.rtp.close(() => {
      call.sockets.rtcp.close(() => this.#report({ type: 'closed', id: call.id }));
    });
  }

  #now(): { monotonicMs: number; wallMs: number } {
    return { monotonicMs: this.#options.clock.monotonic(), wallMs: this.#options.clock.now() };
  }

  #postTicks(): void {
    const ticks = this.#batch.take();
    if (ticks) this.#options.post({ type: 'ticks', ticks }, [ticks.facts.buffer, ticks.sound.buffer]);
  }

  /** Sends a report after the frames that precede it. */
  #report(report: MediaReport): void {
    this.#postTicks();
    this.#options.post(report, []);
  }

  #guard(id: number, where: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#reportFault(id, where, error);
    }
  }

  #reportFault(id: number, where: string, error: unknown): void {
    this.#report({
      type: 'fault',
      id,
      where,
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
