/**
 * The answers of one session that the provider has not completed, oldest first. Its messages carry no ids: they belong to the
 * oldest answer until the provider reports that this turn is complete, even if that answer was cancelled.
 *
 * | a message                    | what it means for the oldest answer                                             |
 * | ---------------------------- | ------------------------------------------------------------------------------- |
 * | sound, words                 | are passed to the listener, if there is one                                     |
 * | `toolCall`                   | it ends here; the results begin another one                                     |
 * | `generationComplete`         | no more audio; the turn ends when the provider assumes that it was played       |
 * | `interrupted`                | it was cancelled; `turnComplete` follows                                        |
 * | `turnComplete`               | it is over                                                                      |
 */
import type { RealtimePiece, SpeechError } from '../../ports.ts';
import { PcmStream } from '../../wire/pcm-stream.ts';
import { SoundQueue } from '../../wire/sound-queue.ts';
import { rateOf, type GeminiMessage, type ServerContent } from './gemini-server-messages.ts';

/** One answer, from its request to its end. */
export class Answer {
  readonly pieces = new SoundQueue<RealtimePiece>();
  /** Our id of the item; the provider has none. */
  readonly item: string;
  /** Part of it has arrived. */
  hasBegun = false;
  isUnwanted = false;
  /** All of it has arrived except for the end of its turn. */
  isMade = false;
  readonly #lineRateHz: number;
  #stream: PcmStream | null = null;

  constructor(item: string, lineRateHz: number) {
    this.item = item;
    this.#lineRateHz = lineRateHz;
  }

  words(text: string): void {
    this.pieces.push({ type: 'words', item: this.item, text });
  }

  sound(base64: string, mimeType: string): void {
    this.#stream ??= new PcmStream(rateOf(mimeType), this.#lineRateHz);
    this.#give(this.#stream.push(Buffer.from(base64, 'base64')));
  }

  end(error: SpeechError | null = null): void {
    this.isMade = true;
    if (error === null) this.endSound();
    this.pieces.end(error);
  }

  /** Delivers the rest of the audio. */
  endSound(): void {
    if (this.#stream) this.#give(this.#stream.end());
    this.#stream = null;
  }

  #give(samples: Int16Array): void {
    if (samples.length > 0) this.pieces.push({ type: 'sound', item: this.item, samples });
  }
}

/** Written by the session's socket. */
export class Answers {
  readonly #open: Answer[] = [];
  readonly #lineRateHz: number;
  #count = 0;
  /** A turn without a requested answer was cancelled: its `turnComplete` belongs to no answer. */
  #isStrayEndDue = false;

  /** @param lineRateHz - of the line */
  constructor(lineRateHz: number) {
    this.#lineRateHz = lineRateHz;
  }

  /** Adds the next answer, which was just requested. The ones before it are no longer wanted. */
  begin(): Answer {
    this.leaveAll();
    this.#count += 1;
    const answer = new Answer(`answer-${this.#count}`, this.#lineRateHz);
    this.#open.push(answer);
    return answer;
  }

  /** Whether no listener waits for any of them. */
  leaveAll(): void {
    for (const answer of this.#open) answer.isUnwanted = true;
  }

  /** Whether a listener waits for more of one. */
  get isAwaited(): boolean {
    return this.#open.some(({ isUnwanted, isMade }) => !isUnwanted && !isMade);
  }

  /** Whether the provider has completed all of them. */
  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** @returns whether an answer has begun to arrive with this message */
  received(content: ServerContent): boolean {
    if (content.interrupted) this.#interrupted();
    const answer = this.#open[0];
    const before = answer?.hasBegun ?? true;
    if (answer) take(answer, content);
    if (content.generationComplete) answer?.end();
    if (content.turnComplete) this.#turnCompleted();
    return !before && (answer?.hasBegun ?? false);
  }

  /** The model waits for its tools and sends nothing more before their results. */
  called(calls: NonNullable<GeminiMessage['toolCall']>['functionCalls']): void {
    const answer = this.#open.shift();
    answer?.endSound();
    for (const { id, name, args } of calls)
      answer?.pieces.push({ type: 'tool-call', id, name, arguments: args ?? {} });
    answer?.end();
  }

  /** The session is over. */
  end(error: SpeechError): void {
    for (const answer of this.#open.splice(0)) answer.end(error);
  }

  /** We cancel only unwanted answers. If the oldest is wanted, this message belongs to a turn that waited for tools. */
  #interrupted(): void {
    const [oldest] = this.#open;
    this.#isStrayEndDue = oldest !== undefined && !oldest.isUnwanted && !oldest.hasBegun;
  }

  #turnCompleted(): void {
    if (this.#isStrayEndDue) this.#isStrayEndDue = false;
    else this.#open.shift()?.end();
  }
}

function take(answer: Answer, { modelTurn, outputTranscription }: ServerContent): void {
  if (outputTranscription?.text) {
    answer.hasBegun = true;
    answer.words(outputTranscription.text);
  }
  for (const { inlineData } of modelTurn?.parts ?? []) {
    if (!inlineData) continue;
    answer.hasBegun = true;
    answer.sound(inlineData.data, inlineData.mimeType);
  }
}
