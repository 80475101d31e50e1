/**
 * A server that speaks Google's Live API. Written from the public reference, for clients that tell their turns
 * themselves. As strict as the real one where a client can go wrong: anything before the setup is complete, sound outside
 * an activity, the end of none, results that nothing waits for. What the model has sent stays in its memory, heard or not.
 *
 * @see https://ai.google.dev/api/live
 */
import {
  cut,
  jsonReply,
  speechWithPauses,
  type SimulatedSpokenAnswer,
  type SpokenScript,
} from './openai-wire.ts';
import {
  ProviderSimulator,
  type CloseSocket,
  type SendMessage,
  type SimulatedReply,
  type SimulatedTalk,
  type SimulatorOptions,
} from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** @see SpokenScript */
export interface GeminiLiveSimulatorOptions extends SimulatorOptions, SpokenScript {
  /** The sample rate of its sound; stated with each piece. */
  spokenRateHz?: number;
}

const PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const INVALID_ARGUMENT = 1007;

/** Refuses other paths, and closes the sockets of clients that break the rules. */
export class GeminiLiveSimulator extends ProviderSimulator {
  /** The dialogues of all sessions so far, as the model has them; without texts that were only read out. */
  readonly dialogues: string[][] = [];
  protected override readonly sendsBytes = true;
  readonly #given: GeminiLiveSimulatorOptions;
  readonly #live = new Set<SendMessage>();
  /** Sessions that can be taken up again, by their handle. */
  readonly #memories = new Map<string, Memory>();

  constructor(options: GeminiLiveSimulatorOptions) {
    super(options);
    this.#given = options;
  }

  /** Says to all clients that their connection ends soon. */
  goAway(): void {
    for (const send of this.#live) send({ goAway: { timeLeft: '10s' } });
  }

  /** No session can be taken up again. */
  forget(): void {
    this.#memories.clear();
  }

  /** What it offers: a model that speaks, and one that only writes. */
  protected reply({ path }: SimulatedRequest): SimulatedReply | null {
    if (path !== '/v1beta/models') return null;
    const models = [
      { name: 'models/gemini-live', supportedGenerationMethods: ['bidiGenerateContent'] },
      { name: 'models/gemini-flash', supportedGenerationMethods: ['generateContent'] },
    ];
    return jsonReply({ models });
  }

  protected override talk(
    { path }: SimulatedRequest,
    send: SendMessage,
    close: CloseSocket,
  ): SimulatedTalk | null {
    // The vendor's own client asks for two slashes.
    if (path.replace(/^\/+/, '/') !== PATH) return null;
    this.#live.add(send);
    const session = new LiveSession({
      given: this.#given,
      send,
      refuse: (reason) => close(INVALID_ARGUMENT, reason),
      recall: (handle) => this.#recall(handle),
      keep: (memory) => this.#keep(memory),
    });
    return { message: (message) => session.received(message) };
  }

  #recall(handle: string | undefined): Memory | undefined {
    if (handle !== undefined) return this.#memories.get(handle);
    const memory = { dialogue: [], turns: 0, replies: 0 };
    this.dialogues.push(memory.dialogue);
    return memory;
  }

  #keep(memory: Memory): string {
    const handle = `handle-${this.#memories.size + 1}`;
    this.#memories.set(handle, memory);
    return handle;
  }
}

/** What outlives a connection. */
interface Memory {
  dialogue: string[];
  turns: number;
  replies: number;
}
type Fields = Record<string, unknown>;
interface Setup {
  model: string;
  generationConfig: {
    speechConfig?: { voiceConfig: { prebuiltVoiceConfig: { voiceName: string } } };
  };
  systemInstruction?: { parts: { text: string }[] };
  sessionResumption?: { handle?: string };
  historyConfig?: { initialHistoryInClientContent?: boolean };
}
interface LiveSessionOptions {
  given: GeminiLiveSimulatorOptions;
  send: SendMessage;
  refuse: (reason: string) => void;
  recall: (handle: string | undefined) => Memory | undefined;
  keep: (memory: Memory) => string;
}

class LiveSession {
  readonly #options: LiveSessionOptions;
  #memory: Memory = { dialogue: [], turns: 0, replies: 0 };
  #phase: 'new' | 'setting-up' | 'open' = 'new';
  #isReader = false;
  #takesHistory = false;
  #isActive = false;
  /** An answer without an end is under way. */
  #isSpeaking = false;
  /** The tools that the model waits for. */
  #waitsFor: string[] = [];

  constructor(options: LiveSessionOptions) {
    this.#options = options;
  }

  received(message: Fields): void {
    const [kind = '', ...others] = Object.keys(message);
    if (others.length > 0) return this.#options.refuse('A message has exactly one field');
    const content = message[kind] as Fields;
    if ((kind === 'setup') !== (this.#phase === 'new'))
      return this.#options.refuse('The setup comes first, and nothing before it is complete');
    if (this.#phase === 'setting-up') return this.#options.refuse('The setup is not complete');
    switch (kind) {
      case 'setup':
        return this.#setUp(content as unknown as Setup);
      case 'realtimeInput':
        return this.#hear(content);
      case 'clientContent':
        return this.#read(content);
      case 'toolResponse':
        return this.#takeResults(content['functionResponses'] as FunctionResponse[]);
      default:
        return this.#options.refuse(`Unknown name "${kind}"`);
    }
  }

  #setUp(setup: Setup): void {
    const { generationConfig, systemInstruction, sessionResumption, historyConfig } = setup;
    const voice = generationConfig.speechConfig?.voiceConfig.prebuiltVoiceConfig.voiceName;
    if (!setup.model.startsWith('models/') || voice === 'missing')
      return this.#options.refuse('Request contains an invalid argument.');
    this.#phase = 'setting-up';
    this.#isReader = /word for word/.test(systemInstruction?.parts[0]?.text ?? '');
    this.#takesHistory = historyConfig?.initialHistoryInClientContent ?? false;
    if (!this.#isReader) {
      const memory = this.#options.recall(sessionResumption?.handle);
      if (!memory) return this.#options.refuse('Unknown session');
      this.#memory = memory;
    }
    setImmediate(() => {
      this.#phase = 'open';
      this.#options.send({ setupComplete: {} });
    });
  }

  #hear(input: Fields): void {
    if (input['activityStart']) {
      this.#interrupt();
      this.#isActive = true;
    } else if (!this.#isActive) this.#options.refuse('Explicit activity control is enabled');
    else if (input['activityEnd']) this.#endActivity();
    else if (!/^audio\/pcm;rate=16000$/.test((input['audio'] as { mimeType: string }).mimeType))
      this.#options.refuse('Unsupported sound');
  }

  #endActivity(): void {
    this.#isActive = false;
    const transcript = this.#options.given.hear?.(this.#memory.turns++) ?? 'hello';
    this.#memory.dialogue.push(`user: (sound) ${transcript}`);
    for (const text of cut(transcript)) this.#say({ inputTranscription: { text } });
    this.#answer();
  }

  #read({ turns = [], turnComplete = false }: { turns?: Turn[]; turnComplete?: boolean }): void {
    for (const { role, parts } of turns)
      this.#memory.dialogue.push(`${role === 'model' ? 'assistant' : role}: ${parts[0]?.text}`);
    if (!turnComplete) return;
    if (this.#takesHistory) this.#takesHistory = false;
    else {
      this.#interrupt();
      this.#answer();
    }
  }

  #takeResults(results: FunctionResponse[]): void {
    if (results.some(({ id }) => !this.#waitsFor.includes(id)) || results.length < this.#waitsFor.length)
      return this.#options.refuse('These are not the functions that were called');
    this.#waitsFor = [];
    for (const { response } of results) this.#memory.dialogue.push(`result: ${response.result}`);
    this.#answer();
  }

  #interrupt(): void {
    if (this.#waitsFor.length > 0)
      this.#options.send({ toolCallCancellation: { ids: this.#waitsFor.splice(0) } });
    else if (!this.#isSpeaking) return;
    this.#isSpeaking = false;
    this.#say({ interrupted: true });
    this.#endTurn();
  }

  #answer(): void {
    const answer = this.#nextAnswer();
    if (answer.text) this.#speak(answer.text);
    const calls = (answer.toolCalls ?? []).map(({ name, arguments: args }, index) => ({
      id: `call-${this.#memory.replies}-${index}`,
      name,
      args,
    }));
    for (const { name } of calls) this.#memory.dialogue.push(`call: ${name}`);
    this.#waitsFor = calls.map(({ id }) => id);
    if (calls.length > 0) return this.#options.send({ toolCall: { functionCalls: calls } });
    if (answer.hasNoEnd) return void (this.#isSpeaking = true);
    this.#say({ generationComplete: true });
    this.#endTurn();
  }

  #nextAnswer(): SimulatedSpokenAnswer {
    const { dialogue } = this.#memory;
    if (this.#isReader) return { text: dialogue.at(-1)?.replace(/^user: /, '') ?? '' };
    const index = this.#memory.replies++;
    return this.#options.given.answer?.(dialogue, index) ?? { text: 'How can I help you?' };
  }

  #endTurn(): void {
    const { send, keep } = this.#options;
    send({ serverContent: { turnComplete: true }, usageMetadata: USAGE });
    if (!this.#isReader)
      send({ sessionResumptionUpdate: { newHandle: keep(this.#memory), resumable: true } });
  }

  /** Words and sound come in the same messages, and the words may be done first or last. */
  #speak(text: string): void {
    this.#memory.dialogue.push(`assistant: ${text}`);
    const rateHz = this.#options.given.spokenRateHz ?? 24_000;
    const sounds = speechWithPauses(text, rateHz);
    const words = cut(text);
    for (let index = 0; index < Math.max(sounds.length, words.length); index++) {
      const [sound, word] = [sounds[index], words[index]];
      const data = sound && Buffer.from(sound).toString('base64');
      const inlineData = { data, mimeType: `audio/pcm;rate=${rateHz}` };
      this.#say({
        ...(sound && { modelTurn: { role: 'model', parts: [{ inlineData }] } }),
        ...(word && { outputTranscription: { text: word } }),
      });
    }
  }

  #say(content: Fields): void {
    this.#options.send({ serverContent: content });
  }
}

interface Turn {
  role: string;
  parts: { text: string }[];
}
interface FunctionResponse {
  id: string;
  response: { result: string };
}

/** The usage of each turn: 20 tokens in, of which 12 are sound and 4 from a cache, and 10 of sound out. */
const USAGE = {
  promptTokenCount: 20,
  cachedContentTokenCount: 4,
  responseTokenCount: 10,
  totalTokenCount: 30,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 8 },
    { modality: 'AUDIO', tokenCount: 12 },
  ],
  responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 10 }],
};
