/**
 * A person on the telephone in virtual time: carries out a plan of `people-plan.rules.ts` over the line of a scenario, and
 * keeps what they said and heard.
 */
import {
  actNow,
  answerTurn,
  ASSISTANT_PAUSE_MS,
  needsAnswer,
  PEOPLE_TEXTS,
  TEXTS_AFTER_PAUSE,
  type Act,
  type PersonView,
  type PlannedAct,
} from '@parley/testkit';
import type { PersonHearing } from './person-hearing.ts';
import type { Scenario } from './scenario.ts';

const FRAME_MS = 20;
/** The sample rate of the call. */
export const PERSON_RATE_HZ = 16_000;
const FRAME_SAMPLES = 320;
const MS_PER_LETTER = 65;
const SHORTEST_WORD_MS = 220;
/** Pauses after a comma and between sentences. */
const COMMA_MS = 220;
const BACKGROUND_DB = -30;
/** Without an answer to the last act, the person hangs up after this time. */
const LEAVES_AFTER_MS = 15_000;

/** One act as it was carried out; milliseconds of call audio. */
export interface Said {
  act: Act;
  onsetMs: number;
  endMs: number;
  /** A voice in the background was to be heard. */
  hasBackground: boolean;
}

/** A stretch of sound or silence, and the word that it is. */
interface Sound {
  word: string | null;
  lengthMs: number;
}

/** See the head of the file. */
export class VirtualPerson {
  readonly said: Said[] = [];
  readonly #plan: PlannedAct[];
  readonly #options: VirtualPersonOptions;
  #view: PersonView;
  #saying: { act: Act; onsetMs: number } | null = null;
  readonly #person = new Speaker();
  readonly #background = new Speaker();
  /** Since when the person says nothing on purpose; null: they do not. */
  #silentSinceMs: number | null = null;
  #heardFrames = 0;

  constructor(options: VirtualPersonOptions) {
    this.#options = options;
    this.#plan = [...options.plan];
    const { expectedMs } = options;
    this.#view = { answeredMs: 0, assistant: null, expectedMs, doneMs: 0, wasAside: true };
  }

  /** Lives until the plan is carried out and answered. */
  async live(): Promise<void> {
    const { call } = this.#options;
    const isOver = (): boolean => call.events.some(({ type }) => type === 'hang-up');
    for (let isOn = true; isOn;) {
      this.#listen();
      isOn = this.#decide(call.line.nowMs()) && !isOver();
      await call.sound(this.#frame());
    }
  }

  /** A frame of both voices. */
  #frame(): Int16Array {
    const own = this.#speak(this.#person, false);
    const other = this.#speak(this.#background, true);
    if (this.#saying && this.#person.isDone)
      this.#did(this.#saying.act, this.#saying.onsetMs, this.#nextMs());
    return voice(own, other);
  }

  #speak(speaker: Speaker, isBackground: boolean): boolean {
    const { isLoud, ended } = speaker.frame();
    if (ended?.word)
      this.#options.hearing?.hear({ text: ended.word, lengthMs: ended.lengthMs, isBackground });
    return isLoud;
  }

  /** End of the frame that is being made. */
  #nextMs(): number {
    return this.#options.call.line.nowMs() + FRAME_MS;
  }

  #listen(): void {
    const { sent } = this.#options.call.line;
    for (; this.#heardFrames < sent.length; this.#heardFrames++) {
      const fromMs = (sent[this.#heardFrames]?.index ?? 0) * FRAME_MS;
      const { assistant } = this.#view;
      if (assistant && fromMs - assistant.toMs < ASSISTANT_PAUSE_MS) assistant.toMs = fromMs + FRAME_MS;
      else this.#view.assistant = { fromMs, toMs: fromMs + FRAME_MS };
    }
    const { assistant } = this.#view;
    if (this.#silentSinceMs === null || !assistant || assistant.fromMs <= this.#silentSinceMs) return;
    this.#did('silence', this.#silentSinceMs, assistant.fromMs);
    this.#silentSinceMs = null;
  }

  /** @returns false once the person hangs up */
  #decide(nowMs: number): boolean {
    if (this.#saying || this.#silentSinceMs !== null) return true;
    const [planned] = this.#plan;
    if (!planned) return !this.#isAnswered(nowMs) && nowMs - this.#view.doneMs < LEAVES_AFTER_MS;
    const act = actNow(planned, this.#view, nowMs);
    if (act === null) return true;
    this.#plan.shift();
    if (act === 'silence') this.#silentSinceMs = nowMs;
    else if (act === 'key') this.#press(planned.atMs, nowMs);
    else this.#begin(act, planned, nowMs);
    return true;
  }

  #isAnswered(nowMs: number): boolean {
    const turn = answerTurn(this.#view);
    return turn !== null && nowMs - turn.toMs >= ASSISTANT_PAUSE_MS;
  }

  #press(digit: number, nowMs: number): void {
    this.#options.call.press(String(digit));
    this.#did('key', nowMs, nowMs + FRAME_MS);
  }

  #begin(act: Exclude<Act, 'silence' | 'key'>, { chance, atMs }: PlannedAct, nowMs: number): void {
    const { pace } = this.#options;
    const first = soundsOf(one(PEOPLE_TEXTS[act], chance), pace);
    const rest = act === 'pause' ? soundsOf(one(TEXTS_AFTER_PAUSE, chance), pace) : [];
    this.#person.say(rest.length > 0 ? [...first, { word: null, lengthMs: atMs }, ...rest] : first);
    if (act === 'background') this.#background.say(soundsOf(PEOPLE_TEXTS.long.join(' '), pace));
    this.#saying = { act, onsetMs: nowMs };
  }

  #did(act: Act, onsetMs: number, endMs: number): void {
    this.said.push({ act, onsetMs, endMs, hasBackground: !this.#background.isDone });
    this.#view.doneMs = endMs;
    this.#view.wasAside = !needsAnswer(act);
    this.#saying = null;
  }
}

interface VirtualPersonOptions {
  call: Scenario;
  plan: readonly PlannedAct[];
  hearing: PersonHearing | null;
  /** How long the assistant's turns take, milliseconds. */
  expectedMs: number;
  /** 1 for the usual length of words. */
  pace: number;
}

/** Says sounds, one frame at a time. */
class Speaker {
  #sounds: Sound[] = [];
  #leftMs = 0;

  get isDone(): boolean {
    return this.#sounds.length === 0;
  }

  say(sounds: readonly Sound[]): void {
    this.#sounds = [...sounds];
    this.#leftMs = sounds[0]?.lengthMs ?? 0;
  }

  frame(): { isLoud: boolean; ended: Sound | null } {
    const [current] = this.#sounds;
    if (!current) return { isLoud: false, ended: null };
    this.#leftMs -= FRAME_MS;
    if (this.#leftMs > 0) return { isLoud: current.word !== null, ended: null };
    this.#sounds.shift();
    this.#leftMs += this.#sounds[0]?.lengthMs ?? 0;
    return { isLoud: current.word !== null, ended: current };
  }
}

function soundsOf(text: string, pace: number): Sound[] {
  return text.split(' ').flatMap((word, index, words): Sound[] => {
    const letters = word.replaceAll(/[^\p{L}]/gu, '').length;
    const sound = { word, lengthMs: Math.max(SHORTEST_WORD_MS, letters * MS_PER_LETTER) * pace };
    const isPause = /[,.?]$/u.test(word) && index + 1 < words.length;
    return isPause ? [sound, { word: null, lengthMs: COMMA_MS * pace }] : [sound];
  });
}

const NOTHING = new Int16Array(FRAME_SAMPLES);
const OWN = twoTones(5000);
const OTHER = twoTones(5000 * 10 ** (BACKGROUND_DB / 20));

function voice(isOwn: boolean, isOther: boolean): Int16Array {
  return isOwn ? OWN : isOther ? OTHER : NOTHING;
}

/** One alone would be a beep. */
function twoTones(peak: number): Int16Array {
  const sine = (hz: number, n: number): number =>
    (peak / 2) * Math.sin((2 * Math.PI * hz * n) / PERSON_RATE_HZ);
  return Int16Array.from(NOTHING, (_none, n) => Math.round(sine(500, n) + sine(800, n)));
}

function one<Item>(items: readonly Item[], chance: number): Item {
  const item = items[Math.floor(chance * items.length)];
  if (item === undefined) throw new Error('There are no words for this act');
  return item;
}
