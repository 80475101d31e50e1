/**
 * Calls with people on a test phone, over real SIP and RTP, all on one installation. The models and the voice are simulators;
 * the sound of the voice is a tone of known length, in which each hole can be heard. Each call is kept with the sound of both
 * sides and with its record.
 */
import {
  createPhone,
  type BadNetwork,
  type Character,
  type Person,
  type Phone,
  type PhoneOptions,
  type Script,
} from '@parley/phones';
import { silentLog, systemClock } from '@parley/runtime';
import { createFliteSynthesiser } from '@parley/speech';
import { OpenAiSimulator, type AnthropicSimulator } from '@parley/speech/fakes';
import { placeCall, waitForCall, type CallDetail } from './calls.ts';
import { startInstallation, type Installation } from './installation.ts';
import { withStalls } from './machine-stalls.ts';
import { soundsOf, type Sound, type TwoTracks } from './two-tracks.ts';

/** The sample rate of prepared sounds. */
export const PEOPLE_RATE_HZ = 8000;
/** The length of the simulated voice for each character. */
export const CHARACTER_MS = 40;
/** The recogniser computes for each of them. */
const AT_ONCE = 2;
/** A call during which the machine stood still shows nothing about the conversation. */
const MOST_ATTEMPTS = 3;
const HANG_UP = { do: 'hang-up' } as const;
const PHONE: PhoneOptions = {
  clock: systemClock,
  log: silentLog,
  listen: { host: '127.0.0.1', port: 0 },
  rtpPorts: null,
  logFile: null,
  keepsSound: true,
};

/** One call. All lines are prepared before the calls, so that they begin in time. */
export interface Trial {
  script: Script;
  /** The person is called, and does not call. */
  isCalled?: true;
  assistant?: Record<string, unknown>;
  /** The voice delivers more slowly than it is played: some 100 ms of sound every 150 ms. */
  isVoiceSlow?: true;
  /** What happens to the packets of a person who calls; absent: nothing. */
  network?: BadNetwork;
  /** Sound behind a person who calls, repeated until the end of the call; 6 dB softer while they speak. */
  behind?: Int16Array;
}

/** A finished call. */
export interface Held extends TwoTracks {
  said: Sound[];
  heard: Sound[];
  call: CallDetail & { answered_by: string };
}

/** The simulators and what all assistants have in common. */
export interface PeopleBedOptions {
  modelServer: AnthropicSimulator;
  /** The names of `modelServer`; the first one is used unless a trial asks for another. */
  models: readonly string[];
  /** A provider of transcriptions, which trials choose with `transcriber_provider_id: 'recogniser'`. */
  recogniserServer?: OpenAiSimulator;
  initialMessage: string;
}

interface Parties {
  assistantId: number;
  assistantNumber: string;
  number: string;
}

/** Speaks with a voice of Flite. */
export type Speak = (text: string, voice?: string) => Promise<Int16Array>;

/** See the head of the file. */
export class PeopleBed {
  readonly #options: PeopleBedOptions;
  readonly #voice = new OpenAiSimulator({ clock: systemClock, firstAfterMs: 50 });
  readonly #slowVoice = new OpenAiSimulator({ clock: systemClock, firstAfterMs: 50, eachAfterMs: 150 });
  readonly #phone: Phone;
  readonly #people = new Map<string, (person: Person) => void>();
  readonly #scripts = new Map<string, Script>();
  /** Phones behind bad networks. */
  readonly #distant: Phone[] = [];
  #installation: Installation | null = null;
  #setUp = { voiceId: 0, slowVoiceId: 0, recogniserId: 0, trunkId: 0 };

  constructor(options: PeopleBedOptions) {
    this.#options = options;
    this.#phone = createPhone({
      ...PHONE,
      findCharacter: (number): Character => ({
        takes: 'answers',
        ringMs: 500,
        voice: 'rms',
        script: this.#scripts.get(number) ?? [],
      }),
      onPerson: (number, person) => this.#people.get(number)?.(person),
    });
  }

  async start(): Promise<void> {
    await Promise.all(this.#simulators().map(async (simulator) => simulator.start()));
    [this.#installation] = await Promise.all([startInstallation(), this.#phone.start()]);
    this.#setUp = await this.#prepare();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#phone, ...this.#distant].map((phone) => phone.stop()));
    await this.#installation?.stop();
    await Promise.all(this.#simulators().map(async (simulator) => simulator.stop()));
  }

  /** Holds all calls, some at a time. */
  async holdAll<Name extends string>(trials: Record<Name, Trial>): Promise<Record<Name, Held>> {
    const sounds = await makeLines(Object.values<Trial>(trials).map(({ script }) => script));
    const waiting = (Object.keys(trials) as Name[]).map((name, place) => ({ name, place }));
    const calls: [Name, Held][] = [];
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const trial = trials[next.name];
        const script = [...trial.script, HANG_UP].map((step) => {
          const samples = step.do === 'say' ? sounds.get(step.line) : undefined;
          return samples ? ({ do: 'play', samples, sampleRateHz: PEOPLE_RATE_HZ } as const) : step;
        });
        calls.push([next.name, await this.#hold({ ...trial, script }, next.place)]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return Object.fromEntries(calls) as Record<Name, Held>;
  }

  get #running(): Installation {
    if (!this.#installation) throw new Error('The installation has not been started');
    return this.#installation;
  }

  #simulators(): (AnthropicSimulator | OpenAiSimulator)[] {
    const { modelServer, recogniserServer } = this.#options;
    return [modelServer, this.#voice, this.#slowVoice, ...(recogniserServer ? [recogniserServer] : [])];
  }

  async #post(path: string, body: unknown): Promise<{ id: number }> {
    return ((await this.#running.request('POST', path, body)) as { data: { id: number } }).data;
  }

  async #prepare() {
    const { modelServer, models, recogniserServer } = this.#options;
    const named = (names: readonly string[]): { name: string }[] => names.map((name) => ({ name }));
    const provider = (body: Record<string, unknown>): Promise<{ id: number }> =>
      this.#post('/api/user/providers', { api_key: 'key', ...body });
    await provider({
      name: 'Model server',
      kind: 'anthropic',
      base_url: modelServer.origin,
      models: named(models),
    });
    const openAi = { kind: 'openai-compatible' };
    await provider({ name: 'Voice', ...openAi, base_url: this.#voice.baseUrl, voices: named(['Tone']) });
    await provider({
      name: 'Slow voice',
      ...openAi,
      base_url: this.#slowVoice.baseUrl,
      voices: named(['Slow']),
    });
    const { id: recogniserId } = recogniserServer
      ? await provider({ name: 'Recogniser server', ...openAi, base_url: recogniserServer.baseUrl })
      : { id: 0 };
    const voices = (await this.#running.request('GET', '/api/user/assistants/voices')) as {
      id: number;
      name: string;
    }[];
    const [trunk] = (await this.#running.request('GET', '/api/user/phone-numbers/sip-trunks')) as {
      id: number;
    }[];
    await this.#post('/api/user/phone-numbers/sip-trunks', {
      name: 'People',
      host: '127.0.0.1',
      port: this.#phone.address().port,
      reach: 'fictional',
      caller_number: '+12025550198',
    });
    const idOf = (voice: string): number => voices.find(({ name }) => name === voice)?.id ?? 0;
    return { voiceId: idOf('Tone'), slowVoiceId: idOf('Slow'), recogniserId, trunkId: trunk?.id ?? 0 };
  }

  async #hold(trial: Trial, place: number): Promise<Held> {
    const [assistantNumber, number] = [`+120255501${20 + place}`, `+120255501${50 + place}`];
    const assistantId = await this.#createAssistant(trial, assistantNumber);
    const once = (): Promise<Held> => this.#holdOnce(trial, { assistantId, assistantNumber, number });
    for (let attempt = 1; ; attempt += 1) {
      const { result, hasStalled } = await withStalls(once);
      if (!hasStalled || attempt === MOST_ATTEMPTS) return result;
    }
  }

  async #holdOnce(trial: Trial, { assistantId, assistantNumber, number }: Parties): Promise<Held> {
    const { person, callId } = await (trial.isCalled
      ? this.#beCalled(assistantId, number, trial.script)
      : this.#callIn(assistantNumber, number, trial));
    const end = await person.ended;
    if (!person.wasAnswered) throw new Error(`${number} was not connected: ${end.detail}`);
    const call = await waitForCall(this.#running, await callId(), ({ status }) => status === 'completed');
    const tracks = {
      person: person.said(),
      assistant: person.heard(),
      sampleRateHz: person.leg.media.sampleRateHz,
    };
    return {
      ...tracks,
      said: soundsOf(tracks.person, tracks.sampleRateHz),
      heard: soundsOf(tracks.assistant, tracks.sampleRateHz),
      call: call as Held['call'],
    };
  }

  async #createAssistant({ assistant = {}, isCalled, isVoiceSlow }: Trial, number: string): Promise<number> {
    const { models, initialMessage } = this.#options;
    const { voiceId, slowVoiceId, recogniserId, trunkId } = this.#setUp;
    const place = isCalled
      ? {}
      : {
          phone_number_id: (
            await this.#post('/api/user/phone-numbers', { phone_number: number, sip_trunk_id: trunkId })
          ).id,
        };
    const [model] = models;
    const { id } = await this.#post('/api/user/assistant', {
      assistant_name: number,
      ...place,
      voice_id: isVoiceSlow ? slowVoiceId : voiceId,
      llm_model: model,
      fallback_llm_models: assistant['llm_model'] ? [model] : [],
      language: 'English',
      calls_direction: isCalled ? 'make' : 'receive',
      engine_type: 'pipeline',
      timezone: 'UTC',
      initial_message: initialMessage,
      system_prompt: 'You take bookings.',
      record_call: true,
      ...assistant,
      ...(assistant['transcriber_provider_id'] === 'recogniser' && { transcriber_provider_id: recogniserId }),
    });
    return id;
  }

  async #callIn(to: string, from: string, { script, network, behind }: Trial) {
    const phone = network ? await this.#startDistant(network) : this.#phone;
    const person = phone.call({ to, from, host: '127.0.0.1', port: this.#running.sipPort, script });
    if (behind) person.leg.media.setAmbience({ samples: behind, gain: 1 });
    const callId = async (): Promise<number> => {
      const list = (await this.#running.request('GET', '/api/user/calls?type=inbound&per_page=100')) as {
        data: { id: number; client_phone_number: string }[];
      };
      return list.data.find((call) => call.client_phone_number === from)?.id ?? 0;
    };
    return { person, callId };
  }

  async #startDistant(network: BadNetwork): Promise<Phone> {
    const phone = createPhone({ ...PHONE, network });
    this.#distant.push(phone);
    await phone.start();
    return phone;
  }

  async #beCalled(assistantId: number, phoneNumber: string, script: Script) {
    this.#scripts.set(phoneNumber, script);
    const connected = new Promise<Person>((resolve) => this.#people.set(phoneNumber, resolve));
    const id = await placeCall(this.#running, { assistantId, phoneNumber });
    return { person: await connected, callId: async () => id };
  }
}

/** Lends a voice of Flite to `use`. */
export async function withVoice<Result>(use: (speak: Speak) => Promise<Result>): Promise<Result> {
  const flite = createFliteSynthesiser({ clock: systemClock });
  const speak: Speak = async (text, voice = 'rms') => {
    const samples: number[] = [];
    const manner = {
      voice,
      sampleRateHz: PEOPLE_RATE_HZ,
      speed: 1,
      stability: 0,
      similarity: 0,
      language: 'en',
    };
    for await (const piece of flite.speak(text, manner, AbortSignal.timeout(30_000))) samples.push(...piece);
    return Int16Array.from(samples);
  };
  try {
    return await use(speak);
  } finally {
    await flite.stop();
  }
}

/** The sound of every line. */
async function makeLines(scripts: readonly Script[]): Promise<Map<string, Int16Array>> {
  return withVoice(async (speak) => {
    const made = new Map<string, Int16Array>();
    for (const step of scripts.flat()) if (step.do === 'say') made.set(step.line, await speak(step.line));
    return made;
  });
}
