/**
 * A simulated person on one leg: detects speech by loudness, speaks with a synthetic voice, and follows a script.
 */
import { resample, rmsDbfs, tone } from '@parley/audio';
import { BackgroundWork, type Log } from '@parley/runtime';
import type { Synthesiser } from '@parley/speech';
import type { CallLeg, LegEnd, MediaTick } from '@parley/telephony';
import { RUNNER_START, runScript, type Effect } from './script-runner.rules.ts';
import type { Script } from './script.ts';
import { MURMUR_DBFS, SoundMeter } from './sound-meter.ts';
import type { SoundLine } from './phone-log.ts';

/** The parameters of a person. */
export interface PersonOptions {
  script: Script;
  /** A voice of `synthesiser`. */
  voice: string;
  synthesiser: Synthesiser;
  log: Log;
  /** Keeps all received and sent audio, for tests. */
  keepsSound?: boolean;
}

const FRAME_MS = 20;
/** Maximum length of a call in frames; ends a call between two machines that never hang up. */
const LONGEST_CALL_TICKS = 30 * 60 * 50;

/** One call of one person. */
export class Person {
  readonly leg: CallLeg;
  /** Resolves to true when the leg is answered, and to false when it ends before. */
  readonly answered: Promise<boolean>;
  readonly ended: Promise<LegEnd>;
  readonly #options: PersonOptions;
  readonly #stop = new AbortController();
  readonly #meter: SoundMeter;
  readonly #background: BackgroundWork;
  readonly #kept: { heard: Int16Array[]; said: Int16Array[] } = { heard: [], said: [] };
  #wasAnswered = false;
  #runner = RUNNER_START;
  #keys = '';
  #turn = 0;
  #isEchoing = false;
  /** Number of lines in synthesis. */
  #linesInWork = 0;
  #samplesPlayed = 0;
  #samplesSent = 0;
  #bytesReceived = 0;
  #gapFrames = 0;
  #longestGapFrames = 0;
  #hasReceived = false;

  constructor(leg: CallLeg, options: PersonOptions) {
    this.leg = leg;
    this.#options = options;
    this.#background = new BackgroundWork(options.log);
    this.#meter = new SoundMeter(leg.media.sampleRateHz);
    const answered = Promise.withResolvers<boolean>();
    const ended = Promise.withResolvers<LegEnd>();
    this.answered = answered.promise;
    this.ended = ended.promise;
    leg.media.onTick((tick) => this.#live(tick));
    leg.onEvent((event) => {
      if (event.type === 'answered') {
        this.#wasAnswered = true;
        answered.resolve(true);
      }
      if (event.type === 'dtmf') this.#keys += event.digit;
      if (event.type !== 'ended') return;
      this.#stop.abort();
      answered.resolve(false);
      ended.resolve(event.end);
    });
  }

  get wasAnswered(): boolean {
    return this.#wasAnswered;
  }

  /** The keys that the other side has pressed. */
  get keys(): string {
    return this.#keys;
  }

  /** All received audio, if it is kept; mono at the sample rate of the leg. */
  heard(): Int16Array {
    return joined(this.#kept.heard);
  }

  /** All sent audio including silence, aligned with {@link heard}. */
  said(): Int16Array {
    return joined(this.#kept.said);
  }

  /** The time since the last packet, milliseconds; 0 before the first. */
  get gapMs(): number {
    return this.#gapFrames * FRAME_MS;
  }

  /** The longest time after the first packet in which none arrived, milliseconds. */
  get longestGapMs(): number {
    return this.#longestGapFrames * FRAME_MS;
  }

  /** The summary for the log, at the end of the call. */
  summary(): SoundLine {
    const { packetsReceived, packetsSent, packetsLost } = this.leg.media.stats();
    return {
      event: 'sound',
      callId: this.leg.id,
      packetsReceived,
      packetsSent,
      packetsLost,
      bytesReceived: this.#bytesReceived,
      longestGapMs: this.longestGapMs,
      ...this.#meter.summary(),
      keys: this.#keys,
    };
  }

  #live(tick: MediaTick): void {
    this.#hear(tick);
    const heard = {
      isLoud: !tick.isConcealed && rmsDbfs(tick.received) > MURMUR_DBFS,
      isSpeaking: this.#linesInWork > 0 || this.#samplesSent < this.#samplesPlayed,
    };
    const { state, effect } = runScript(this.#options.script, this.#runner, heard);
    this.#runner = state;
    this.#perform(tick.index < LONGEST_CALL_TICKS ? effect : { do: 'hang-up' });
    if (this.#isEchoing && !tick.isConcealed) this.#play(tick.received.slice());
  }

  #hear(tick: MediaTick): void {
    this.#samplesSent += tick.sentSamples;
    if (!tick.isConcealed) this.#bytesReceived += tick.received.length;
    this.#measureGap(tick);
    this.#meter.hear(tick.received);
    if (!this.#options.keepsSound) return;
    this.#kept.heard.push(tick.received.slice());
    this.#kept.said.push(tick.sent.slice());
  }

  #measureGap({ isConcealed }: MediaTick): void {
    this.#hasReceived ||= !isConcealed;
    this.#gapFrames = isConcealed && this.#hasReceived ? this.#gapFrames + 1 : 0;
    this.#longestGapFrames = Math.max(this.#longestGapFrames, this.#gapFrames);
  }

  #perform(effect: Effect): void {
    const { sampleRateHz } = this.leg.media;
    if (effect) this.#isEchoing = effect.do === 'echo';
    switch (effect?.do) {
      case 'say':
        this.#background.start('say a line', () => this.#say(effect.line));
        break;
      case 'beep':
        this.#turn++;
        this.#play(tone({ hz: effect.hz, sampleRateHz, samples: (effect.ms * sampleRateHz) / 1000 }));
        break;
      case 'play':
        this.#turn++;
        this.#play(resample(effect.samples, effect.sampleRateHz, sampleRateHz));
        break;
      case 'press':
        this.#background.start('press keys', () => this.leg.sendDtmf(effect.keys));
        break;
      case 'echo':
        this.#turn++;
        break;
      case 'hang-up':
        this.#background.start('hang up', () => this.leg.hangUp());
        break;
      case undefined:
        break;
    }
  }

  async #say(line: string): Promise<void> {
    this.#turn++;
    this.#linesInWork++;
    const { voice, synthesiser } = this.#options;
    const manner = { speed: 1, stability: 0, similarity: 0, language: 'en' };
    const options = { voice, sampleRateHz: this.leg.media.sampleRateHz, ...manner };
    try {
      for await (const samples of synthesiser.speak(line, options, this.#stop.signal)) this.#play(samples);
    } catch (error) {
      // The end of the call aborts the synthesis.
      if (!this.#stop.signal.aborted) throw error;
    } finally {
      this.#linesInWork--;
    }
  }

  #play(samples: Int16Array): void {
    this.#samplesPlayed += samples.length;
    this.leg.media.play(this.#turn, samples);
  }
}

function joined(frames: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(frames.reduce((length, frame) => length + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    all.set(frame, at);
    at += frame.length;
  }
  return all;
}
