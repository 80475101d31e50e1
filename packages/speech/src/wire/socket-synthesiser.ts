/**
 * A voice behind a WebSocket that several texts share: connected once in a call, with each text in a separate context, so
 * that one can be cancelled without the others. A {@link SynthesiserProtocol} contains what differs between providers.
 */
import type { Clock } from '@parley/runtime';
import type { SpeakOptions, SpeechError, Synthesiser, TimedWord } from '../ports.ts';
import { Patience, type PatienceLimits } from './patience.ts';
import { PcmStream } from './pcm-stream.ts';
import { toSpeechError } from './provider-error.ts';
import { ProviderSocket } from './provider-socket.ts';
import { SoundQueue } from './sound-queue.ts';
import { TimedWords } from './timed-words.ts';

/** The first limit includes the connection. */
const LIMITS: PatienceLimits = { firstMs: 5000, betweenMs: 4000 };

/** The meaning of a message for one context. An error without `context` concerns all of them. */
export interface ContextNews {
  context: string | undefined;
  sound?: Uint8Array;
  /** Characters or words of the text in order, as {@link SynthesiserProtocol.timesFrom} counts their times. Spaces separate words. */
  times?: readonly TimedWord[];
  isDone?: boolean;
  error?: SpeechError;
}

/** The protocol of one provider. */
export interface SynthesiserProtocol {
  capabilities: Synthesiser['capabilities'];
  /** Texts of equal addresses share a socket. `rateHz` is one of the capabilities' rates. */
  url(options: SpeakOptions, rateHz: number): string;
  headers: Record<string, string>;
  apiKey: string | null;
  /** Contexts that one socket takes at once. */
  maxContexts: number;
  /** Where the times of a message begin: with the sound of the same message, or with that of the context. */
  timesFrom: 'message' | 'context';
  /** What is sent to have a text spoken. */
  speak(context: string, text: string, options: SpeakOptions, rateHz: number): Record<string, unknown>[];
  /** Cancels a context; null if the protocol has no such message, and further audio is then dropped. */
  cancel(context: string): Record<string, unknown> | null;
  read(message: unknown): ContextNews | null;
}

/** @param limits - set by tests only */
export function createSocketSynthesiser(
  protocol: SynthesiserProtocol,
  clock: Clock,
  limits: PatienceLimits = LIMITS,
): Synthesiser {
  const lines = new Map<string, SharedLine>();
  const lineFor = (url: string): SharedLine => {
    const existing = lines.get(url);
    if (existing?.hasFreeContext) return existing;
    existing?.retire();
    const line = new SharedLine(protocol, url, clock);
    lines.set(url, line);
    return line;
  };
  return {
    capabilities: protocol.capabilities,
    async *speak(text, options, signal) {
      if (signal.aborted || text.trim() === '') return;
      const rateHz = nearestRate(protocol.capabilities.sampleRatesHz, options.sampleRateHz);
      const patience = new Patience(clock, limits, signal);
      const line = lineFor(protocol.url(options, rateHz));
      const context = line.open((name) => protocol.speak(name, text, options, rateHz), patience.signal);
      try {
        const samples = new PcmStream(rateHz, options.sampleRateHz);
        yield* listen(withTimes(context.news, protocol, options, rateHz), samples, patience);
      } catch (error) {
        const failure = patience.explain(error, (cause) => toSpeechError(cause, protocol.apiKey));
        if (failure) throw failure;
      } finally {
        patience.end();
        context.leave();
      }
    },
    release() {
      for (const line of lines.values()) line.retire();
      lines.clear();
    },
  };
}

async function* listen(
  sound: AsyncIterable<Uint8Array>,
  samples: PcmStream,
  patience: Patience,
): AsyncGenerator<Int16Array> {
  for await (const bytes of sound) {
    const piece = samples.push(bytes);
    patience.rest();
    if (piece.length > 0) yield piece;
    patience.heard();
    if (patience.signal.aborted) throw patience.signal.reason;
  }
  if (patience.signal.aborted) throw patience.signal.reason;
  const rest = samples.end();
  if (rest.length > 0) yield rest;
}

/** The sound alone; reports its words. The times count the provider's sound, which has the same length after resampling. */
async function* withTimes(
  news: AsyncIterable<ContextNews>,
  { timesFrom }: SynthesiserProtocol,
  { onWord }: SpeakOptions,
  rateHz: number,
): AsyncGenerator<Uint8Array> {
  const words = new TimedWords((word) => onWord?.(word));
  let bytes = 0;
  for await (const { times, sound } of news) {
    words.add(times ?? [], timesFrom === 'message' ? (bytes / 2 / rateHz) * 1000 : 0);
    if (!sound) continue;
    bytes += sound.length;
    yield sound;
  }
  words.end();
}

/** The rate itself, else the next higher one, else the highest. */
function nearestRate(rates: readonly number[], wantedHz: number): number {
  const rising = rates.toSorted((a, b) => a - b);
  return rising.find((rate) => rate >= wantedHz) ?? rising.at(-1) ?? wantedHz;
}

/** One socket and the contexts on it. */
class SharedLine {
  readonly #protocol: SynthesiserProtocol;
  readonly #socket: ProviderSocket;
  /** Until the provider has said that they are done; null for those whose listener has left. */
  readonly #contexts = new Map<string, SoundQueue<ContextNews> | null>();
  #opened = 0;
  #isRetired = false;

  constructor(protocol: SynthesiserProtocol, url: string, clock: Clock) {
    this.#protocol = protocol;
    this.#socket = new ProviderSocket({
      url,
      headers: protocol.headers,
      apiKey: protocol.apiKey,
      clock,
      onMessage: (message) => this.#received(message),
      onEnd: (error) => this.#lost(error),
    });
  }

  get hasFreeContext(): boolean {
    return this.#socket.isUsable && this.#contexts.size < this.#protocol.maxContexts;
  }

  /** Closes the socket when the last context is done; none is opened any more. */
  retire(): void {
    this.#isRetired = true;
    if (!this.#isInUse()) this.#socket.close();
  }

  /** @param signal - ends the sound, so that a listener who waits wakes up */
  open(
    messages: (context: string) => Record<string, unknown>[],
    signal: AbortSignal,
  ): { news: SoundQueue<ContextNews>; leave: () => void } {
    const name = `text-${++this.#opened}`;
    const news = new SoundQueue<ContextNews>();
    this.#contexts.set(name, news);
    signal.addEventListener('abort', () => news.end(), { once: true });
    for (const message of messages(name)) this.#socket.send(message);
    return { news, leave: () => this.#leave(name) };
  }

  /** A context that is not done counts until the provider says that it is. */
  #leave(name: string): void {
    if (this.#contexts.has(name)) {
      this.#contexts.set(name, null);
      const farewell = this.#protocol.cancel(name);
      if (farewell) this.#socket.send(farewell);
    }
    if (this.#isRetired && !this.#isInUse()) this.#socket.close();
  }

  #isInUse(): boolean {
    return [...this.#contexts.values()].some((queue) => queue !== null);
  }

  #received(message: unknown): void {
    const news = this.#protocol.read(message);
    if (!news) return;
    if (news.context === undefined) {
      if (news.error) this.#lost(news.error);
      return;
    }
    const queue = this.#contexts.get(news.context);
    if (news.sound ?? news.times) queue?.push(news);
    if (!news.isDone && !news.error) return;
    this.#contexts.delete(news.context);
    queue?.end(news.error ?? null);
  }

  #lost(error: SpeechError): void {
    this.#socket.close();
    for (const queue of this.#contexts.values()) queue?.end(error);
    this.#contexts.clear();
  }
}
