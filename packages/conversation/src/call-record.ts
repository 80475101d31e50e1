/**
 * What was said in a call, by both sides, in order. Of the assistant it keeps what was made and how much of it was
 * sent, and reads the words that were heard from that each time it is asked: transcript and the model's memory can
 * therefore never hold a word the caller did not hear.
 */
import type { DialogueEntry } from '@parley/speech';
import type { CallerUtterance } from './caller-input.rules.ts';
import { heardText, paceOf, type SpokenChunk } from './heard-text.rules.ts';
import type { AssistantTurn } from './turn-state.ts';

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
  /** The first frame with sound sent. */
  firstPacketMs: number;
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
  readonly turn: AssistantTurn;
  readonly chunks: SpokenChunk[];
  /** Of all chunks together. */
  givenSamples: number;
  /** As counted by the line, also what still left after the turn was broken off. */
  sentSamples: number;
  startedAtMs: number;
  endedAtMs: number;
  wasCut: boolean;
  firstTokenMs: number | null;
  firstAudioMs: number | null;
  firstPacketMs: number | null;
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
  readonly #entries: Entry[] = [];
  readonly #spoken = new Map<number, SpokenTurn>();

  /** @param sampleRateHz - of the line, on which samples are counted */
  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
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

  addAssistant(turn: AssistantTurn): SpokenTurn {
    const spoken: SpokenTurn = {
      turn,
      chunks: [],
      givenSamples: 0,
      sentSamples: 0,
      startedAtMs: 0,
      endedAtMs: 0,
      wasCut: false,
      firstTokenMs: null,
      firstAudioMs: null,
      firstPacketMs: null,
    };
    this.#spoken.set(turn.number, spoken);
    this.#entries.push({ by: 'assistant', spoken });
    return spoken;
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
      startedAtMs: spoken.startedAtMs,
      endedAtMs: spoken.endedAtMs,
    };
    if (spoken.wasCut) turn.wasInterrupted = true;
    if (spoken.turn.cause) {
      const { firstTokenMs, firstAudioMs, firstPacketMs } = spoken;
      turn.latency = { ...spoken.turn.cause, firstTokenMs, firstAudioMs, firstPacketMs };
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

  #heard(spoken: SpokenTurn): string {
    return heardText(spoken.chunks, spoken.sentSamples, this.pace());
  }

  /** The same for a model. Asides without words are left out: there is nothing to answer. */
  dialogue(): DialogueEntry[] {
    return this.#entries.flatMap((entry): DialogueEntry[] => {
      if (entry.by === 'nobody') return [{ role: 'customer', kind: 'silence', text: '' }];
      if (entry.by === 'assistant') {
        const text = this.#heard(entry.spoken);
        return text === '' ? [] : [{ role: 'assistant', text }];
      }
      const { kind, text } = entry.utterance;
      return entry.isAside && kind !== 'speech' ? [] : [{ role: 'customer', kind, text }];
    });
  }
}

function callerTurn({ kind, text, startedMs, endedMs }: CallerUtterance): Turn {
  const words = { speech: text, unrecognised: '[not recognised]', dtmf: `[pressed ${text}]` };
  return { sender: 'human', text: words[kind], startedAtMs: startedMs, endedAtMs: endedMs };
}
