/**
 * Makes and plays the assistant's turns: text from the model or a fixed one, sound from the synthesiser, samples to
 * the line. Keeps account of what was sent. Decides nothing about whose turn it is: that comes as orders, and what
 * becomes of them goes back as events.
 */
import { BackgroundWork, type Clock, type Log } from '@parley/runtime';
import type { LanguageModel, LanguageModelRequest } from '@parley/speech';
import { FRAME_MS, type AudioLine, type AudioTick } from '../audio-line.ts';
import { newSpokenTurn, type CallRecord, type SpokenTurn } from '../call-record.ts';
import type { CallerUtterance } from '../hearing/caller-input.rules.ts';
import { countWords } from '../language.rules.ts';
import type { ProviderChain } from '../provider-chain.ts';
import { ToolExecutor, type ToolExecutorOptions } from '../tools/tool-executor.ts';
import { closingTool, type ToolWords } from '../tools/tool-definitions.rules.ts';
import type { AssistantTurn, Awaits, FillerKind, SpeechKind, TurnEvent } from '../turn/turn-state.ts';
import { FillerClips, type FillerWords } from './filler-clips.ts';
import { isFiller } from './heard-text.rules.ts';
import { replyText, type ReplyOrder, type ToolCall } from './reply-text.ts';
import { sentencesOf } from './sentence-chunks.rules.ts';
import { SpeechPreparation } from './speech-preparation.ts';
import { spokenReply, type SpeakingModel, type SpokenPiece } from './spoken-reply.ts';
import { TurnGeneration, type BegunTools } from './turn-generation.ts';
import type { VoiceChain } from './voice-chain.ts';

/** Texts that are known before the call. */
interface FixedTexts {
  greeting: string;
  goodbye: string;
  apology: string;
  fillers: FillerWords;
  toolWords: ToolWords;
}

type FixedKind = Exclude<keyof FixedTexts, 'fillers' | 'toolWords'>;

/** What a reply is made from. */
export interface ReplyContext {
  mustWrapUp: boolean;
  /** What the caller will have said, for a reply that is made ahead. */
  coming: readonly CallerUtterance[];
}

/** All a voice needs. */
export interface AssistantVoiceOptions {
  line: AudioLine;
  models: ProviderChain<LanguageModel>;
  /** Where there is one it replies, in place of model and voice. Fixed texts are said by the voices all the same. */
  speakingModel: SpeakingModel | null;
  voices: VoiceChain;
  texts: FixedTexts;
  record: CallRecord;
  /** What the assistant may use, and who runs it. */
  tools: Pick<ToolExecutorOptions, 'tools' | 'definitions' | 'runner' | 'keys'>;
  clock: Clock;
  /** The request for a turn that begins now; the record stands as it is. */
  requestFor: (context: ReplyContext) => LanguageModelRequest;
  /** Now on the call's time line, milliseconds. */
  nowMs: () => number;
  onEvent: (event: TurnEvent) => void;
  /** A task failed in a way that no rule provides for. */
  onFailure: (error: unknown) => void;
  /** A turn has been heard to its end or was broken off. */
  onHeard: (spoken: SpokenTurn) => void;
  /** The voice at work failed in the middle of a turn, and another one goes on. */
  onVoiceReplaced: () => void;
  log: Log;
}

/** What the line has sent in one frame. */
interface Sent {
  /** 0 for silence. */
  turn: number;
  isFiller: boolean;
}

const TRANSFERRED = { by: 'transfer', reason: 'call_transfer' } as const;
/** No item of the provider's: there is nothing to be cut there. */
const READ_OUT = '';

const SILENCE: Sent = { turn: 0, isFiller: false };

/** One per conversation. Turns come one after the other; a new one may begin when the last was played or aborted. */
export class AssistantVoice {
  readonly #options: AssistantVoiceOptions;
  readonly #call = new AbortController();
  readonly #fillerClips: FillerClips;
  readonly #preparation: SpeechPreparation;
  readonly #toolExecutor: ToolExecutor;
  readonly #background: BackgroundWork;
  #current: TurnGeneration | null = null;
  #draft: TurnGeneration | null = null;
  #isPaused = false;

  constructor(options: AssistantVoiceOptions) {
    const { texts, voices } = options;
    this.#options = options;
    this.#background = new BackgroundWork(options.log);
    this.#fillerClips = new FillerClips(texts.fillers);
    const sentences = { greeting: sentencesOf(texts.greeting), apology: sentencesOf(texts.apology) };
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

  /** On whom the current turn waits. */
  get awaits(): Awaits {
    return this.#current?.awaits ?? null;
  }

  /**
   * Makes the greeting ahead, while there is time, then what must be there when nothing else works. Resolves when all
   * is made or failed; what failed is made again when it is due.
   */
  async prepare(): Promise<void> {
    await this.#preparation.prepare();
  }

  /** Begins a turn, its sound follows as it is made; or gives away the draft of that number. */
  say(turn: AssistantTurn, mustWrapUp: boolean): void {
    this.#preparation.endGreeting();
    if (!this.#openDraft(turn)) this.#begin(turn, mustWrapUp);
  }

  /** Makes a reply to what the caller will have said, and gives nothing of it away. */
  draft(number: number, coming: readonly CallerUtterance[]): void {
    const turn: AssistantTurn = { number, kind: 'reply', attempt: 1, cause: null };
    const generation = this.#newGeneration(turn, true);
    this.#draft = generation;
    this.#run(generation, generation.make(this.#reply(generation, { mustWrapUp: false, coming })));
  }

  /** Forgets what was made ahead. */
  discardDraft(): void {
    this.#draft?.abort();
    this.#draft = null;
  }

  /** Bridges a silence of that turn, if there is a clip for it. */
  fill(turn: number, kind: FillerKind): void {
    if (this.#current?.spoken.turn.number !== turn) return;
    const clip = this.#fillerClips.take(kind);
    if (clip) this.#current.fill(clip);
  }

  /** The turn's voice gives nothing. */
  replaceVoice(turn: number): void {
    if (this.#current?.spoken.turn.number === turn) this.#current.replaceVoice();
  }

  /** Nothing of the turn is made or given to the line from now on. */
  abort(turn: number): void {
    const generation = this.#current;
    if (generation?.spoken.turn.number !== turn) return;
    this.#current = null;
    generation.abort();
    this.#options.tools.keys.interrupt();
    this.#options.line.clear();
    this.resume();
    generation.spoken.wasCut = true;
    this.#options.onHeard(generation.spoken);
  }

  pause(): void {
    this.#isPaused = true;
    this.#options.line.pausePlayout();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.line.resumePlayout();
  }

  /** Counts what the line has sent. Goes on after {@link stop}, for what was under way. */
  countSent(tick: AudioTick): Sent {
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

  /** Tells when all of the current turn was sent. */
  reportPlayed(): void {
    const generation = this.#current;
    if (!generation || generation.awaits !== null) return;
    const { spoken } = generation;
    if (spoken.sentSamples < spoken.givenSamples) return;
    this.#current = null;
    this.#options.onHeard(spoken);
    this.#options.onEvent({ type: 'reply.played', turn: spoken.turn.number });
  }

  /** Aborts everything that runs. */
  stop(): void {
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

  /** A draft that failed was none. */
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
    const { line, voices, record, nowMs, onEvent, onVoiceReplaced, log } = this.#options;
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
      soundOf: (text, signal) => this.#preparation.take(text) ?? voices.speak(text, signal),
      pace: () => record.pace(),
      play: (number, samples) => line.play(number, samples),
      nowMs,
      onEvent,
      callSignal: this.#call.signal,
      log,
    });
  }

  #textsOf(generation: TurnGeneration, mustWrapUp: boolean): Iterable<string> | AsyncIterable<string> {
    const { kind, attempt, number } = generation.spoken.turn;
    if (!isFixedText(kind)) return this.#reply(generation, { mustWrapUp, coming: [] });
    const sentences = sentencesOf(this.#options.texts[kind]);
    if (attempt === 1) return sentences;
    // A second attempt goes on where the first one failed.
    const said = this.#options.record.spokenTurn(number - 1)?.chunks.filter(({ isComplete }) => isComplete);
    return sentencesOf(wordsAfter(sentences, countWords((said ?? []).map(({ text }) => text).join(' '))));
  }

  #reply(generation: TurnGeneration, context: ReplyContext): AsyncIterable<string> {
    const { models, requestFor } = this.#options;
    return replyText({ model: models.current, request: requestFor(context), ...this.#toolsFor(generation) });
  }

  /** What both kinds of model are given for a turn. */
  #toolsFor(generation: TurnGeneration): Omit<ReplyOrder, 'model' | 'request'> {
    const { texts, tools, nowMs } = this.#options;
    const turn = generation.spoken.turn.number;
    return {
      signal: generation.signal,
      onFirstToken: () => void (generation.spoken.firstTokenMs ??= nowMs()),
      closingTool: (name) => closingTool(tools.tools, name),
      onClosing: (closing) => {
        const next = 'nextAssistantId' in closing ? closing : {};
        generation.emit({ type: 'reply.ended-call', turn, ...next });
      },
      wordsOf: (name) => texts.toolWords.get(name) ?? '',
      useTools: (calls) => generation.useTools(() => this.#beginTools(calls)),
    };
  }

  /** The request is made now, while the record does not hold this turn. */
  #speak(
    speakingModel: SpeakingModel,
    generation: TurnGeneration,
    mustWrapUp: boolean,
  ): AsyncIterable<SpokenPiece> {
    const { requestFor, line } = this.#options;
    const { systemPrompt } = requestFor({ mustWrapUp, coming: [] });
    return spokenReply({
      ...this.#toolsFor(generation),
      reply: () => speakingModel.reply(mustWrapUp ? systemPrompt : null, generation.signal),
      sampleRateHz: line.sampleRateHz,
      readOut: (words) => this.#readOut(speakingModel, words, generation.signal),
      onUsed: (calls, uses) => speakingModel.addPendingResults(calls, uses),
    });
  }

  /** What the model has not said itself it is told, so that it need not say it again. */
  async *#readOut(
    speakingModel: SpeakingModel,
    words: string,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenPiece> {
    speakingModel.note({ role: 'assistant', text: words });
    yield { type: 'words', item: READ_OUT, text: words };
    for await (const samples of this.#options.voices.speak(words, signal))
      yield { type: 'sound', item: READ_OUT, samples };
  }

  /** They go on when the turn is broken off: what comes of them is kept for the next one. */
  #beginTools(calls: readonly ToolCall[]): BegunTools {
    const begun = calls.map((call) => this.#toolExecutor.begin(call));
    const finished = Promise.all(begun.map((one) => one.finished));
    this.#background.start('use tools', async () => finished, this.#options.onFailure);
    const isCallers = calls.some(({ name }) => this.#toolExecutor.isOfCaller(name));
    return { uses: begun.map(({ use }) => use), finished, awaits: isCallers ? 'caller' : 'tool' };
  }
}

function isFixedText(kind: SpeechKind): kind is FixedKind {
  return kind === 'greeting' || kind === 'goodbye' || kind === 'apology';
}

function wordsAfter(sentences: readonly string[], count: number): string {
  return sentences.join(' ').split(/\s+/u).slice(count).join(' ');
}
