/**
 * Generates and plays the assistant's turns: text from the model or a fixed text, audio from the synthesiser, samples to
 * the line. Counts what was sent. It does not decide about turns: it executes the effects of the turn-taking rules and
 * reports the results as events.
 */
import { BackgroundWork, type Clock, type Log } from '@parley/runtime';
import type { LanguageModel, LanguageModelRequest } from '@parley/speech';
import { FRAME_MS, type AudioLine, type AudioTick } from '../audio-line.ts';
import { newSpokenTurn, type CallRecord, type SpokenTurn } from '../record/call-record.ts';
import type { CallerUtterance } from '../recognition/caller-input.rules.ts';
import { countWords } from '../language.rules.ts';
import type { ProviderChain } from '../provider-chain.ts';
import { ToolExecutor, type ToolExecutorOptions } from '../tools/tool-executor.ts';
import { closingTool, type ToolWords } from '../tools/tool-definitions.rules.ts';
import type { AssistantTurn, Awaits, FillerKind, SpeechKind, TurnEvent } from '../turn/turn-state.ts';
import { FillerClips, type FillerWords } from './filler-clips.ts';
import { isFiller } from '../record/heard-text.rules.ts';
import { beep } from './beep.ts';
import { replyText, type ReplyOrder, type ToolCall } from './reply-text.ts';
import { retriedModel } from './retried-model.ts';
import { sentencesOf } from './sentence-chunks.rules.ts';
import { SpeechPreparation } from './speech-preparation.ts';
import { spokenReply, type SpeakingModel, type SpokenPiece } from './spoken-reply.ts';
import { TurnGeneration, type BegunTools } from './turn-generation.ts';
import type { VoiceChain } from './voice-chain.ts';
import { WordEndStop } from './word-end-stop.ts';

/** Texts that are known before the call is answered. */
interface FixedTexts {
  disclosure: string;
  greeting: string;
  goodbye: string;
  apology: string;
  acknowledgement: string;
  announcement: string;
  fillers: FillerWords;
  toolWords: ToolWords;
}

type FixedKind = Exclude<keyof FixedTexts, 'fillers' | 'toolWords'>;

/** The context of a reply. */
export interface ReplyContext {
  mustWrapUp: boolean;
  /** What the caller has said in the turn that is not over yet, for a draft. */
  coming: readonly CallerUtterance[];
}

/** `isUsual`: the prompt is that with which a speech-to-speech session was opened. */
export type ReplyRequest = LanguageModelRequest & { isUsual: boolean };

/** What the voice needs. */
export interface AssistantVoiceOptions {
  line: AudioLine;
  models: ProviderChain<LanguageModel>;
  /** If set, it replaces model and voice for replies. Fixed texts are still spoken by the voices. */
  speakingModel: SpeakingModel | null;
  voices: VoiceChain;
  /** The voices of the disclosure message and the announcement: `voices`, or others where a speech-to-speech model might change the words. */
  disclosureVoices: VoiceChain;
  texts: FixedTexts;
  record: CallRecord;
  /** The assistant's tools and what runs them. */
  tools: Pick<ToolExecutorOptions, 'tools' | 'definitions' | 'runner' | 'keys'>;
  clock: Clock;
  /** Creates the request for a turn that begins now. */
  requestFor: (context: ReplyContext) => ReplyRequest;
  /** Now on the call's time line, milliseconds. */
  nowMs: () => number;
  onEvent: (event: TurnEvent) => void;
  /** A task failed in a way that no rule provides for. */
  onFailure: (error: unknown) => void;
  /** A turn was played to its end or cancelled. */
  onHeard: (spoken: SpokenTurn) => void;
  /** The voice in use failed in the middle of a turn, and another one continues. */
  onVoiceReplaced: () => void;
  /** The voice in use delivers more slowly than it is played. */
  onUnderrun: () => void;
  /** The model failed before its first word and is asked again, or was replaced during a draft. */
  onModelRetried: () => void;
  log: Log;
}

/** What the line has sent in one frame. */
interface Sent {
  /** 0 for silence. */
  turn: number;
  isFiller: boolean;
}

const TRANSFERRED = { by: 'transfer', reason: 'call_transfer' } as const;
/** Not an item of the provider, so there is nothing to truncate. */
const READ_OUT = '';

const SILENCE: Sent = { turn: 0, isFiller: false };

/** One per conversation. A new turn may begin when the previous one was played or cancelled. */
export class AssistantVoice {
  readonly #options: AssistantVoiceOptions;
  readonly #call = new AbortController();
  readonly #fillerClips: FillerClips;
  readonly #preparation: SpeechPreparation;
  readonly #toolExecutor: ToolExecutor;
  readonly #background: BackgroundWork;
  #current: TurnGeneration | null = null;
  #draft: TurnGeneration | null = null;
  /** The line is paused, or its level is lowered. */
  #isRestrained = false;
  /** Both stop the sound at the end of a word: in a pause of the current turn, and after a turn was aborted. */
  readonly #pausing: WordEndStop;
  readonly #ending: WordEndStop;

  constructor(options: AssistantVoiceOptions) {
    const { texts, voices } = options;
    this.#options = options;
    this.#pausing = new WordEndStop(options.line);
    this.#ending = new WordEndStop(options.line);
    this.#background = new BackgroundWork(options.log);
    this.#fillerClips = new FillerClips(texts.fillers);
    // The other voices are those of this process, which need no preparation.
    const disclosure = options.disclosureVoices === voices ? this.#sentencesOf(texts.disclosure) : [];
    const greeting = [...disclosure, ...this.#sentencesOf(texts.greeting)];
    const sentences = { greeting, apology: this.#sentencesOf(texts.apology) };
    const { tools, clock, nowMs, log } = options;
    const callSignal = this.#call.signal;
    const onTransferred = (): void => options.onEvent({ type: 'hang-up.requested', ...TRANSFERRED });
    this.#toolExecutor = new ToolExecutor({ ...tools, clock, nowMs, onTransferred, callSignal, log });
    this.#preparation = new SpeechPreparation({
      voices,
      sentences,
      fillerClips: this.#fillerClips,
      signal: this.#call.signal,
    });
  }

  /** What the current turn is waiting for. */
  get awaits(): Awaits {
    return this.#current?.awaits ?? null;
  }

  /**
   * Synthesises the greeting, and then the texts that must be available when providers fail. Resolves when all are done or
   * have failed; failed texts are synthesised again when they are needed.
   */
  async prepare(): Promise<void> {
    await this.#preparation.prepare();
  }

  /** Begins a turn, whose audio follows as it is generated, or plays the draft of that number. */
  say(turn: AssistantTurn, mustWrapUp: boolean): void {
    this.#ending.runNow();
    if (turn.kind !== 'disclosure') this.#preparation.endGreeting();
    if (!this.#openDraft(turn)) this.#begin(turn, mustWrapUp);
  }

  /** Generates a reply without playing it. */
  draft(number: number, coming: readonly CallerUtterance[]): void {
    const turn: AssistantTurn = { number, kind: 'reply', attempt: 1, cause: null };
    const generation = this.#newGeneration(turn, true);
    this.#draft = generation;
    this.#run(generation, generation.make(this.#reply(generation, { mustWrapUp: false, coming })));
  }

  /** Discards the draft. */
  discardDraft(): void {
    this.#draft?.abort();
    this.#draft = null;
  }

  /** Plays a filler in that turn, if one is available. */
  fill(turn: number, kind: FillerKind): void {
    if (this.#current?.spoken.turn.number !== turn) return;
    const clip = this.#fillerClips.take(kind);
    if (clip) this.#current.fill(clip);
  }

  /** The voice of that turn delivers nothing. */
  replaceVoice(turn: number): void {
    if (this.#current?.spoken.turn.number === turn) this.#current.replaceVoice();
  }

  /** Plays the signal after which an answering machine records. */
  beep(turn: number): void {
    this.#ending.runNow();
    this.#options.line.play(turn, beep(this.#options.line.sampleRateHz));
  }

  /**
   * From now on nothing of the turn is generated, nothing is played beyond the end of a word that is near, and playout is not
   * paused, even if the turn is over already.
   */
  abort(turn: number): void {
    const generation = this.#current;
    if (generation?.spoken.turn.number !== turn) return this.resume();
    const { spoken } = generation;
    this.#current = null;
    generation.abort();
    this.#options.tools.keys.interrupt();
    spoken.wasCut = true;
    this.#pausing.drop();
    this.#ending.schedule(spoken, () => {
      this.#options.line.clear();
      this.resume();
      this.#options.onHeard(spoken);
    });
  }

  pause(): void {
    this.#isRestrained = true;
    const { line } = this.#options;
    this.#pausing.schedule(this.#current?.spoken ?? null, () => line.pausePlayout());
  }

  lower(): void {
    this.#isRestrained = true;
    this.#options.line.lowerPlayout();
  }

  resume(): void {
    this.#pausing.drop();
    if (!this.#isRestrained) return;
    this.#isRestrained = false;
    this.#options.line.resumePlayout();
  }

  /** Counts what the line has sent. Continues after {@link stop} for audio that was still queued. */
  countSent(tick: AudioTick): Sent {
    const sent = this.#count(tick);
    this.#pausing.tick();
    this.#ending.tick();
    return sent;
  }

  #count(tick: AudioTick): Sent {
    const spoken = tick.sentSamples > 0 ? this.#options.record.spokenTurn(tick.sentTurn) : undefined;
    if (!spoken) return SILENCE;
    const endMs = (tick.index + 1) * FRAME_MS;
    const { sentSamples } = spoken;
    spoken.sentSamples += tick.sentSamples;
    spoken.firstSoundMs ??= endMs;
    if (isFiller(spoken.chunks, sentSamples, spoken.sentSamples))
      return { turn: tick.sentTurn, isFiller: true };
    spoken.firstPacketMs ??= endMs;
    spoken.endedAtMs = endMs;
    return { turn: tick.sentTurn, isFiller: false };
  }

  /** Reports when the current turn was sent completely. */
  reportPlayed(): void {
    const generation = this.#current;
    if (!generation || generation.awaits !== null) return;
    const { spoken } = generation;
    if (spoken.sentSamples < spoken.givenSamples) return;
    this.#current = null;
    this.#options.onHeard(spoken);
    const text = spoken.chunks.map((chunk) => chunk.text).join(' ');
    this.#options.onEvent({ type: 'reply.played', turn: spoken.turn.number, text });
  }

  /** Aborts everything that runs. */
  stop(): void {
    this.#ending.runNow();
    this.#call.abort();
  }

  /** {@link stop}, and resolves when nothing runs any more. Never rejects. */
  async close(): Promise<void> {
    this.stop();
    await this.#background.settled();
  }

  #begin(turn: AssistantTurn, mustWrapUp: boolean): void {
    const generation = this.#newGeneration(turn, false);
    const { speakingModel } = this.#options;
    const made =
      speakingModel && !isFixedText(turn.kind)
        ? generation.makeSpoken(this.#speak(speakingModel, generation, mustWrapUp))
        : generation.make(this.#textsOf(generation, mustWrapUp));
    this.#options.record.addAssistant(generation.spoken);
    this.#current = generation;
    this.#run(generation, made);
  }

  /** @returns false if there is no such draft, or if it failed */
  #openDraft(turn: AssistantTurn): boolean {
    const draft = this.#draft;
    this.#draft = null;
    if (!draft || draft.hasFailed || draft.spoken.turn.number !== turn.number) return false;
    draft.spoken.turn = turn;
    this.#current = draft;
    this.#options.record.addAssistant(draft.spoken);
    draft.open();
    return true;
  }

  #run(generation: TurnGeneration, made: Promise<void>): void {
    const run = async (): Promise<void> => {
      await made;
      if (generation === this.#current) this.reportPlayed();
    };
    this.#background.start('make a turn', run, this.#options.onFailure);
  }

  #newGeneration(turn: AssistantTurn, isDraft: boolean): TurnGeneration {
    const { line, record, nowMs, onEvent, onVoiceReplaced, onUnderrun, log } = this.#options;
    const voices = this.#voicesOf(turn);
    return new TurnGeneration({
      spoken: newSpokenTurn(turn),
      isDraft,
      voiceCount: voices.size,
      replaceVoice: () => {
        voices.replace();
        this.#preparation.voiceReplaced();
        onVoiceReplaced();
      },
      sampleRateHz: line.sampleRateHz,
      soundOf: (text, signal, onWord) =>
        this.#preparation.take(text)?.listen(onWord) ??
        (isFixedText(turn.kind)
          ? voices.speakFixed(text, { signal, onWord })
          : voices.speak(text, { signal, onWord })),
      isRecorded: (text) => voices.recorded.has(text),
      pace: () => record.pace(),
      play: (number, samples) => line.play(number, samples),
      onUnderrun,
      nowMs,
      onEvent,
      callSignal: this.#call.signal,
      log,
    });
  }

  #voicesOf({ kind }: AssistantTurn): VoiceChain {
    const { voices, disclosureVoices } = this.#options;
    return kind === 'disclosure' || kind === 'announcement' ? disclosureVoices : voices;
  }

  #textsOf(generation: TurnGeneration, mustWrapUp: boolean): Iterable<string> | AsyncIterable<string> {
    const { kind, attempt, number } = generation.spoken.turn;
    if (!isFixedText(kind)) return this.#reply(generation, { mustWrapUp, coming: [] });
    const sentences = this.#sentencesOf(this.#options.texts[kind]);
    if (attempt === 1) return sentences;
    // A second attempt continues where the first one failed.
    const said = this.#options.record.spokenTurn(number - 1)?.chunks.filter(({ isComplete }) => isComplete);
    return sentencesOf(wordsAfter(sentences, countWords((said ?? []).map(({ text }) => text).join(' '))));
  }

  /** Sentences that have one recording together stay together. */
  #sentencesOf(text: string): string[] {
    return this.#options.voices.recorded.joined(sentencesOf(text));
  }

  #reply(generation: TurnGeneration, context: ReplyContext): AsyncIterable<string> {
    const { models, requestFor, clock, onModelRetried } = this.#options;
    let isNoted = false;
    // A draft that fails has no effect, unless another model answers from then on.
    const onFailed = (hasReplaced: boolean): void => {
      if (isNoted || (!hasReplaced && generation !== this.#current)) return;
      isNoted = true;
      onModelRetried();
    };
    const model = retriedModel({ models, clock, onFailed });
    const texts = replyText({ model, request: requestFor(context), ...this.#toolsFor(generation) });
    return this.#options.voices.recorded.join(texts);
  }

  /** The options that both kinds of models get for a turn. */
  #toolsFor(generation: TurnGeneration): Omit<ReplyOrder, 'model' | 'request'> {
    const { texts, tools, nowMs } = this.#options;
    const turn = generation.spoken.turn.number;
    return {
      signal: generation.signal,
      onFirstToken: () => {
        generation.spoken.firstTokenMs ??= nowMs();
      },
      closingTool: (name) => closingTool(tools.tools, name),
      onClosing: (closing) => {
        const next = 'nextAssistantId' in closing ? closing : {};
        generation.emit({ type: 'reply.ended-call', turn, ...next });
      },
      wordsOf: (name) => texts.toolWords.get(name) ?? '',
      useTools: (calls) => generation.useTools(() => this.#beginTools(calls)),
    };
  }

  /** Creates the request before this turn is added to the record. */
  #speak(
    speakingModel: SpeakingModel,
    generation: TurnGeneration,
    mustWrapUp: boolean,
  ): AsyncIterable<SpokenPiece> {
    const { requestFor, line } = this.#options;
    const { systemPrompt, isUsual } = requestFor({ mustWrapUp, coming: [] });
    return spokenReply({
      ...this.#toolsFor(generation),
      reply: () => speakingModel.reply(isUsual ? null : systemPrompt, generation.signal),
      sampleRateHz: line.sampleRateHz,
      readOut: (words) => this.#readOut(speakingModel, words, generation.signal),
      onUsed: (calls, uses) => speakingModel.addPendingResults(calls, uses),
    });
  }

  /** Tells the model about words that it did not speak itself, so that it does not repeat them. */
  async *#readOut(
    speakingModel: SpeakingModel,
    words: string,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenPiece> {
    speakingModel.note({ role: 'assistant', text: words });
    yield { type: 'words', item: READ_OUT, text: words };
    for await (const samples of this.#options.voices.speak(words, { signal }))
      yield { type: 'sound', item: READ_OUT, samples };
  }

  /** Tools continue when the turn is cancelled; their results are kept for the next reply. */
  #beginTools(calls: readonly ToolCall[]): BegunTools {
    const begun = calls.map((call) => this.#toolExecutor.begin(call));
    const finished = Promise.all(begun.map((one) => one.finished));
    this.#background.start('use tools', async () => finished, this.#options.onFailure);
    const isCallers = calls.some(({ name }) => this.#toolExecutor.isOfCaller(name));
    return { uses: begun.map(({ use }) => use), finished, awaits: isCallers ? 'caller' : 'tool' };
  }
}

const FIXED_KINDS: ReadonlySet<SpeechKind> = new Set<FixedKind>([
  'disclosure',
  'greeting',
  'goodbye',
  'apology',
  'acknowledgement',
  'announcement',
]);

/** These texts are spoken as they are; a model has no part in them. */
export function isFixedText(kind: SpeechKind): kind is FixedKind {
  return FIXED_KINDS.has(kind);
}

function wordsAfter(sentences: readonly string[], count: number): string {
  return sentences.join(' ').split(/\s+/u).slice(count).join(' ');
}
