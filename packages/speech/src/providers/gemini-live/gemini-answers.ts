/**
 * The answers of one session that the provider is not done with, oldest first. It numbers nothing: what it sends belongs
 * to the oldest answer until it says that this turn is complete, also when nobody listens to it any more.
 *
 * | a message                    | what it means for the oldest answer                                             |
 * | ---------------------------- | ------------------------------------------------------------------------------- |
 * | sound, words                 | go to whoever listens                                                           |
 * | `toolCall`                   | it ends here; the results begin another one                                     |
 * | `generationComplete`         | nothing more to hear; the turn itself ends when the provider thinks it was heard |
 * | `interrupted`                | it was broken off; `turnComplete` follows                                       |
 * | `turnComplete`               | it is over                                                                      |
 */
import type { RealtimePiece, SpeechError } from '../../ports.ts';
import { PcmStream } from '../../wire/pcm-stream.ts';
import { SoundQueue } from '../../wire/sound-queue.ts';
import { rateOf, type GeminiMessage, type ServerContent } from './gemini-server-messages.ts';

/** One answer, from its order to its end. */
export class Answer {
  readonly pieces = new SoundQueue<RealtimePiece>();
  /** How we call it; the provider has no name for it. */
  readonly item: string;
  /** Something of it has come. */
  hasBegun = false;
  isUnwanted = false;
  /** All of it has come; only the end of its turn has not. */
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

  /** Gives the rest of the sound. */
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
  /** A turn without an answer of ours was broken off: its end is nobody's. */
  #isStrayEndDue = false;

  /** @param lineRateHz - of the line */
  constructor(lineRateHz: number) {
    this.#lineRateHz = lineRateHz;
  }

  /** The next one, which the caller of this has ordered. Nobody wants those before it any more. */
  begin(): Answer {
    this.leaveAll();
    this.#count += 1;
    const answer = new Answer(`answer-${this.#count}`, this.#lineRateHz);
    this.#open.push(answer);
    return answer;
  }

  /** Nobody waits for any of them. */
  leaveAll(): void {
    for (const answer of this.#open) answer.isUnwanted = true;
  }

  /** Somebody waits for more of one. */
  get isAwaited(): boolean {
    return this.#open.some(({ isUnwanted, isMade }) => !isUnwanted && !isMade);
  }

  /** The provider is done with all of them. */
  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** @returns whether something of an answer has begun to come with this */
  received(content: ServerContent): boolean {
    if (content.interrupted) this.#interrupted();
    const answer = this.#open[0];
    const before = answer?.hasBegun ?? true;
    if (answer) take(answer, content);
    if (content.generationComplete) answer?.end();
    if (content.turnComplete) this.#turnCompleted();
    return !before && (answer?.hasBegun ?? false);
  }

  /** The model waits for its tools; nothing more comes before their results. */
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

  /** We break off only what nobody wants: where the oldest is wanted, this is about a turn that waited for tools. */
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
