/**
 * What both sides said in a call, in order. For the assistant it stores the generated audio and how much of it was sent,
 * and derives the words that were heard from that whenever they are needed. Transcript and dialogue history therefore
 * never contain a word that the caller did not hear.
 */
import { UNRECOGNISED_SPEECH } from '@parley/contracts';
import type { DialogueEntry } from '@parley/speech';
import { FRAME_MS } from '../audio-line.ts';
import type { CallerUtterance } from '../recognition/caller-input.rules.ts';
import { heardText, paceOf, type SpokenChunk } from './heard-text.rules.ts';
import type { ToolUse } from '../tools/tool-executor.ts';
import type { AssistantTurn } from '../turn/turn-state.ts';

/** When each step of a reply happened; milliseconds since the call was answered. */
export interface TurnLatency {
  /** End of the caller's speech, or their last key. */
  speechEndMs: number;
  /** The recogniser's final; null without one. */
  finalMs: number | null;
  /** The model's first text. */
  firstTokenMs: number | null;
  /** The first audio that was synthesised. */
  firstAudioMs: number | null;
  /** When the turn was known to be over. A draft may have got its first token earlier. */
  turnEndMs: number;
  /** When the first frame with speech was sent. */
  firstPacketMs: number;
  /** When the first frame with any audio was sent, including a filler: the end of the silence that the caller heard. */
  firstSoundMs: number;
}

/** One entry of the transcript. */
export interface Turn {
  sender: 'bot' | 'human';
  /** What was heard. `[not recognised]` stands for speech that was not recognised, `[pressed 1]` for keys. */
  text: string;
  /** Milliseconds since the answer, on the timeline of the recording. */
  startedAtMs: number;
  endedAtMs: number;
  /** Present only if the assistant had more to say. */
  wasInterrupted?: true;
  /** Present only if the turn answered the caller. */
  latency?: TurnLatency;
}

/** A turn of the assistant while it is generated and sent. `AssistantVoice` updates it. */
export interface SpokenTurn {
  turn: AssistantTurn;
  readonly chunks: SpokenChunk[];
  /** Tools that it used, and how many chunks had been generated before. */
  readonly steps: { chunkCount: number; uses: readonly ToolUse[] }[];
  /** Samples of all chunks together that were passed to the line. */
  givenSamples: number;
  /** Samples that the line has sent, including those sent after the turn was cancelled. */
  sentSamples: number;
  endedAtMs: number;
  wasCut: boolean;
  firstTokenMs: number | null;
  firstAudioMs: number | null;
  /** When the frame with its first word was sent; in the recording that word begins one frame earlier. */
  firstPacketMs: number | null;
  /** The same for its first audio, including a filler. */
  firstSoundMs: number | null;
}

interface CallerEntry {
  by: 'caller';
  utterance: CallerUtterance;
  isAside: boolean;
}
type Entry = CallerEntry | { by: 'assistant'; spoken: SpokenTurn } | { by: 'nobody' };

/** The record of one conversation. */
export class CallRecord {
  readonly #sampleRateHz: number;
  readonly #before: readonly DialogueEntry[];
  readonly #entries: Entry[] = [];
  readonly #spoken = new Map<number, SpokenTurn>();

  /**
   * @param sampleRateHz - of the line, which counts the samples
   * @param before - what was said earlier in the call; for the model only, because the transcript already has it
   */
  constructor(sampleRateHz: number, before: readonly DialogueEntry[] = []) {
    this.#sampleRateHz = sampleRateHz;
    this.#before = before;
  }

  /**
   * Words of an aside that was added without words take its place.
   *
   * @param isAside - said while the assistant kept speaking; it gets no reply
   */
  addCaller(utterance: CallerUtterance, isAside: boolean): Turn {
    const wordless = isAside ? this.#findUnrecognised(utterance.startedMs) : undefined;
    if (wordless) wordless.utterance = utterance;
    else this.#entries.push({ by: 'caller', utterance, isAside });
    return callerTurn(utterance);
  }

  #findUnrecognised(startedMs: number): CallerEntry | undefined {
    return this.#entries.findLast(
      (entry): entry is CallerEntry =>
        entry.by === 'caller' &&
        entry.isAside &&
        entry.utterance.kind === 'unrecognised' &&
        entry.utterance.startedMs === startedMs,
    );
  }

  /** Corrects the text of the caller's last turn; null if there was none. */
  amendCaller(text: string): Turn | null {
    const entry = this.#entries.findLast(
      (other): other is CallerEntry =>
        other.by === 'caller' && !other.isAside && other.utterance.kind !== 'dtmf',
    );
    if (!entry) return null;
    entry.utterance = { ...entry.utterance, kind: 'speech', text };
    return callerTurn(entry.utterance);
  }

  /** Adds a silence, after which the assistant speaks unprompted. */
  addSilence(): void {
    this.#entries.push({ by: 'nobody' });
  }

  /** Adds a turn of the assistant. A draft is added only when it is used. */
  addAssistant(spoken: SpokenTurn): void {
    this.#spoken.set(spoken.turn.number, spoken);
    this.#entries.push({ by: 'assistant', spoken });
  }

  /** The turn with that number, even if it is over. */
  spokenTurn(number: number): SpokenTurn | undefined {
    return this.#spoken.get(number);
  }

  /** The texts of the assistant's turns that have sounded since then, including words that were not heard. */
  saidSince(sinceMs: number): string {
    const spoken = [...this.#spoken.values()].filter(({ endedAtMs }) => endedAtMs >= sinceMs);
    return spoken.flatMap(({ chunks }) => chunks.map(({ text }) => text)).join(' ');
  }

  /** Samples of speech per character, estimated from the turns so far. */
  pace(): number {
    const chunks = [...this.#spoken.values()].flatMap((spoken) => spoken.chunks);
    return paceOf(chunks, this.#sampleRateHz);
  }

  /** The turn's entry in the transcript; null until some of it was heard. */
  assistantTurn(spoken: SpokenTurn): Turn | null {
    const text = this.#heard(spoken);
    if (text === '' || spoken.firstPacketMs === null) return null;
    const turn: Turn = {
      sender: 'bot',
      text,
      startedAtMs: spoken.firstPacketMs - FRAME_MS,
      endedAtMs: spoken.endedAtMs,
    };
    if (spoken.wasCut) turn.wasInterrupted = true;
    if (spoken.turn.cause) {
      const { firstTokenMs, firstAudioMs, firstPacketMs } = spoken;
      const firstSoundMs = spoken.firstSoundMs ?? firstPacketMs;
      turn.latency = { ...spoken.turn.cause, firstTokenMs, firstAudioMs, firstPacketMs, firstSoundMs };
    }
    return turn;
  }

  /** Everything that was heard so far, in the order in which it began. */
  turns(): Turn[] {
    const turns = this.#entries.map((entry) => {
      if (entry.by === 'caller') return callerTurn(entry.utterance);
      return entry.by === 'assistant' ? this.assistantTurn(entry.spoken) : null;
    });
    return turns.filter((turn) => turn !== null).toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  }

  /** The words that were heard of the chunks `from` (inclusive) to `to` (exclusive). */
  #heard({ chunks, sentSamples }: SpokenTurn, from = 0, to = chunks.length): string {
    const before = chunks.slice(0, from).reduce((sum, chunk) => sum + chunk.givenSamples, 0);
    return heardText(chunks.slice(from, to), sentSamples - before, this.pace());
  }

  /** Tool calls come between the words that were spoken before and after them. */
  #assistantEntries(spoken: SpokenTurn): DialogueEntry[] {
    // The model did not say it: the prompt contains it (`owner-texts.ts`, `prompt-notes.rules.ts`).
    if (spoken.turn.kind === 'disclosure' || spoken.turn.kind === 'announcement') return [];
    const entries: DialogueEntry[] = [];
    let from = 0;
    for (const { chunkCount, uses } of spoken.steps) {
      const done = uses.filter(({ wasRefused }) => !wasRefused);
      if (done.length === 0) continue;
      entries.push(...toolEntries(this.#heard(spoken, from, chunkCount), done));
      from = chunkCount;
    }
    const text = this.#heard(spoken, from);
    if (text !== '') entries.push({ role: 'assistant', text });
    return entries;
  }

  /** The dialogue without tool calls: for an assistant that has other tools. */
  spokenDialogue(): DialogueEntry[] {
    return this.dialogue([]).flatMap((entry): DialogueEntry[] => {
      if (entry.role === 'customer') return [entry];
      return entry.role === 'assistant' && entry.text !== '' ? [{ role: 'assistant', text: entry.text }] : [];
    });
  }

  /** All tool calls so far, in the order of turns. */
  toolUses(): ToolUse[] {
    return this.#entries.flatMap((entry) =>
      entry.by === 'assistant' ? entry.spoken.steps.flatMap(({ uses }) => uses) : [],
    );
  }

  /**
   * The dialogue for a model, without asides that contain no words.
   *
   * @param coming - what the caller has said in the turn that is not over yet, for a draft
   */
  dialogue(coming: readonly CallerUtterance[]): DialogueEntry[] {
    const said = this.#entries.flatMap((entry): DialogueEntry[] => {
      if (entry.by === 'nobody') return [{ role: 'customer', kind: 'silence', text: '' }];
      if (entry.by === 'assistant') return this.#assistantEntries(entry.spoken);
      const { kind, text } = entry.utterance;
      return entry.isAside && kind !== 'speech' ? [] : [{ role: 'customer', kind, text }];
    });
    return [
      ...this.#before,
      ...said,
      ...coming.map(({ kind, text }): DialogueEntry => ({ role: 'customer', kind, text })),
    ];
  }
}

/** A step of a turn in the format for models: the words, the tool calls and their results. */
export function toolEntries(text: string, uses: readonly ToolUse[]): DialogueEntry[] {
  const toolCalls = uses.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }));
  const results = uses.flatMap(({ id, name, result }): DialogueEntry[] =>
    result === null ? [] : [{ role: 'tool', toolCallId: id, name, result }],
  );
  return [{ role: 'assistant', text, toolCalls }, ...results];
}

/** A turn for which nothing has been generated yet. */
export function newSpokenTurn(turn: AssistantTurn): SpokenTurn {
  return {
    turn,
    chunks: [],
    steps: [],
    givenSamples: 0,
    sentSamples: 0,
    endedAtMs: 0,
    wasCut: false,
    firstTokenMs: null,
    firstAudioMs: null,
    firstPacketMs: null,
    firstSoundMs: null,
  };
}

function callerTurn({ kind, text, startedMs, endedMs }: CallerUtterance): Turn {
  const words = { speech: text, unrecognised: UNRECOGNISED_SPEECH, dtmf: `[pressed ${text}]` };
  return { sender: 'human', text: words[kind], startedAtMs: startedMs, endedAtMs: endedMs };
}
