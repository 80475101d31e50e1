/**
 * What was said in a call, by both sides, in order. Of the assistant it keeps what was made and how much of it was
 * sent, and reads the words that were heard from that each time it is asked: transcript and the model's memory can
 * therefore never hold a word the caller did not hear.
 */
import type { DialogueEntry } from '@parley/speech';
import { FRAME_MS } from './audio-line.ts';
import type { CallerUtterance } from './hearing/caller-input.rules.ts';
import { heardText, paceOf, type SpokenChunk } from './speaking/heard-text.rules.ts';
import type { ToolUse } from './tools/tool-executor.ts';
import type { AssistantTurn } from './turn/turn-state.ts';

/** When each step of an answer happened; milliseconds since the answer of the call. */
export interface TurnLatency {
  /** End of the caller's speech, or their last key. */
  speechEndMs: number;
  /** The recogniser's final; null without one. */
  finalMs: number | null;
  /** The model's first text. */
  firstTokenMs: number | null;
  /** The first sound made. */
  firstAudioMs: number | null;
  /** When the turn was known to be over. With speculation, the model may have been quicker. */
  turnEndMs: number;
  /** When the first frame with words left. */
  firstPacketMs: number;
  /** When the first frame with any sound left, a filler too: the silence the caller heard ends here. */
  firstSoundMs: number;
}

/** One line of the transcript. */
export interface Turn {
  sender: 'bot' | 'human';
  /** What was heard. `[not recognised]` and `[pressed 1]` stand for speech without words and for keys. */
  text: string;
  /** Milliseconds since the answer, on the time line of the recording. */
  startedAtMs: number;
  endedAtMs: number;
  /** Only where true: the assistant had more to say. */
  wasInterrupted?: true;
  /** Only where the assistant answered the caller. */
  latency?: TurnLatency;
}

/** A turn of the assistant, while it is made and sent. Written by the assistant's voice. */
export interface SpokenTurn {
  turn: AssistantTurn;
  readonly chunks: SpokenChunk[];
  /** What it used of tools, and how many chunks were made before that. */
  readonly steps: { chunkCount: number; uses: readonly ToolUse[] }[];
  /** Of all chunks together. */
  givenSamples: number;
  /** As counted by the line, also what still left after the turn was broken off. */
  sentSamples: number;
  endedAtMs: number;
  wasCut: boolean;
  firstTokenMs: number | null;
  firstAudioMs: number | null;
  /** When the frame with its first word left; in the recording that word begins a frame earlier. */
  firstPacketMs: number | null;
  /** The same of its first sound, a filler too. */
  firstSoundMs: number | null;
}

interface CallerEntry {
  by: 'caller';
  utterance: CallerUtterance;
  isAside: boolean;
}
type Entry = CallerEntry | { by: 'assistant'; spoken: SpokenTurn } | { by: 'nobody' };

/** Grows with the call; one per conversation. */
export class CallRecord {
  readonly #sampleRateHz: number;
  readonly #before: readonly DialogueEntry[];
  readonly #entries: Entry[] = [];
  readonly #spoken = new Map<number, SpokenTurn>();

  /**
   * @param sampleRateHz - of the line, on which samples are counted
   * @param before - what was said in the call before; for the model only, the transcript has it already
   */
  constructor(sampleRateHz: number, before: readonly DialogueEntry[] = []) {
    this.#sampleRateHz = sampleRateHz;
    this.#before = before;
  }

  /** @param isAside - said while the assistant kept the floor; nobody answers it */
  addCaller(utterance: CallerUtterance, isAside: boolean): Turn {
    this.#entries.push({ by: 'caller', utterance, isAside });
    return callerTurn(utterance);
  }

  /** The caller's last turn reads differently; null if there was none. */
  amendCaller(text: string): Turn | null {
    const entry = this.#entries.findLast(
      (other): other is CallerEntry =>
        other.by === 'caller' && !other.isAside && other.utterance.kind !== 'dtmf',
    );
    if (!entry) return null;
    entry.utterance = { ...entry.utterance, kind: 'speech', text };
    return callerTurn(entry.utterance);
  }

  /** Nobody spoke, and the assistant takes the word. */
  addSilence(): void {
    this.#entries.push({ by: 'nobody' });
  }

  /** A turn takes its place. What is made ahead of its time does so only when its time has come. */
  addAssistant(spoken: SpokenTurn): void {
    this.#spoken.set(spoken.turn.number, spoken);
    this.#entries.push({ by: 'assistant', spoken });
  }

  /** The turn with that number, also an old one. */
  spokenTurn(number: number): SpokenTurn | undefined {
    return this.#spoken.get(number);
  }

  /** Samples the voice needs for a character, as far as is known by now. */
  pace(): number {
    const chunks = [...this.#spoken.values()].flatMap((spoken) => spoken.chunks);
    return paceOf(chunks, this.#sampleRateHz);
  }

  /** As the transcript has it; null while nothing of it was heard. */
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

  /** Everything heard so far, in the order of its beginning. */
  turns(): Turn[] {
    const turns = this.#entries.map((entry) => {
      if (entry.by === 'caller') return callerTurn(entry.utterance);
      return entry.by === 'assistant' ? this.assistantTurn(entry.spoken) : null;
    });
    return turns.filter((turn) => turn !== null).toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  }

  /** @param from - the first chunk that counts; `to`: the first that does not */
  #heard({ chunks, sentSamples }: SpokenTurn, from = 0, to = chunks.length): string {
    const before = chunks.slice(0, from).reduce((sum, chunk) => sum + chunk.givenSamples, 0);
    return heardText(chunks.slice(from, to), sentSamples - before, this.pace());
  }

  /** Tools stand between the words that were said before and after they were used. */
  #assistantEntries(spoken: SpokenTurn): DialogueEntry[] {
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

  /** What was said, without what was done: for an assistant that has other tools. */
  spokenDialogue(): DialogueEntry[] {
    return this.dialogue([]).flatMap((entry): DialogueEntry[] => {
      if (entry.role === 'customer') return [entry];
      return entry.role === 'assistant' && entry.text !== '' ? [{ role: 'assistant', text: entry.text }] : [];
    });
  }

  /** Every use of a tool so far, in the order of turns. */
  toolUses(): ToolUse[] {
    return this.#entries.flatMap((entry) =>
      entry.by === 'assistant' ? entry.spoken.steps.flatMap(({ uses }) => uses) : [],
    );
  }

  /**
   * The same for a model. Asides without words are left out: there is nothing to answer.
   *
   * @param coming - what the caller will have said, for a reply that is made ahead
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

/** A step of a turn as a model reads it: what was said, what was called, what came of it. */
export function toolEntries(text: string, uses: readonly ToolUse[]): DialogueEntry[] {
  const toolCalls = uses.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }));
  const results = uses.flatMap(({ id, name, result }): DialogueEntry[] =>
    result === null ? [] : [{ role: 'tool', toolCallId: id, name, result }],
  );
  return [{ role: 'assistant', text, toolCalls }, ...results];
}

/** A turn of which nothing was made yet. */
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
  const words = { speech: text, unrecognised: '[not recognised]', dtmf: `[pressed ${text}]` };
  return { sender: 'human', text: words[kind], startedAtMs: startedMs, endedAtMs: endedMs };
}
