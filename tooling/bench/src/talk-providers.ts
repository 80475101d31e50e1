/**
 * The hosted providers of `bench:talk`, in a separate process: the simulators of the tests, each delayed by a fixed
 * time, so that what a turn takes beyond that is ours. And the server of a tool.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '@parley/phones';
import { systemClock } from '@parley/runtime';
import {
  DeepgramSimulator,
  ElevenLabsSimulator,
  novaResults,
  OpenAiSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedTalk,
} from '@parley/speech/fakes';
import { WordRecogniser } from './talk-word-recogniser.ts';
import { PhraseRecogniser } from './talk-phrase-recogniser.ts';
import { makePhrase } from './talk-phrase.ts';
import {
  DELAYS,
  LONG_REPLY,
  MODELS,
  OPEN_REPLY,
  PEOPLE_REPLY,
  TOOL_NAME,
  UNDERSTOOD,
  WHOLE_REPLY,
  isOpen,
  type ProviderOrigins,
  type RecogniserKind,
} from './talk-script.rules.ts';
import { exitWith } from './exit-with.ts';

type Send = (message: Record<string, unknown>) => void;
interface ChatMessage {
  role: string;
  content: unknown;
}

/** Linear 16 bits at 8000 Hz. */
const BYTES_PER_MS = 16;
const SEED = 20_261_123;

/** Delays interim and final transcripts by a fixed time. */
class LateRecogniser extends DeepgramSimulator {
  readonly #phraseMs: number;

  constructor(phraseMs: number) {
    super({ clock: systemClock });
    this.#phraseMs = phraseMs;
  }

  protected override talk({ path }: SimulatedRequest, send: Send): SimulatedTalk | null {
    if (path !== '/v1/listen') return null;
    const recogniser = new PhraseRecogniser(this.#phraseMs, UNDERSTOOD);
    const sendLate = late(send, DELAYS.recogniserMs);
    let endMs = 0;
    const tell = (text: string, more = {}): void =>
      sendLate({ ...novaResults({ text, beginMs: 0, endMs }), ...more });
    return {
      sound(bytes) {
        endMs += bytes.length / BYTES_PER_MS;
        const guess = recogniser.push(bytes);
        if (guess !== null) tell(guess);
      },
      message({ type }) {
        if (type === 'Finalize') tell(recogniser.take(), { is_final: true, from_finalize: true });
      },
    };
  }
}

/** Hears any words (talk-word-recogniser.ts). */
class GuessingRecogniser extends DeepgramSimulator {
  #connections = 0;

  constructor() {
    super({ clock: systemClock });
  }

  protected override talk({ path }: SimulatedRequest, send: Send): SimulatedTalk | null {
    if (path !== '/v1/listen') return null;
    const recogniser = new WordRecogniser(seededRandom(String(this.#connections++), SEED));
    const sendLate = late(send, DELAYS.recogniserMs);
    let endMs = 0;
    return {
      sound(bytes) {
        endMs += bytes.length / BYTES_PER_MS;
        const guess = recogniser.push(bytes);
        if (!guess) return;
        const results = novaResults({ text: guess.text, beginMs: 0, endMs });
        systemClock.after(guess.lateMs, () => {
          if (!recogniser.isOutdated(guess)) send(results);
        });
      },
      message({ type }) {
        if (type !== 'Finalize') return;
        const results = novaResults({ text: recogniser.take(), beginMs: 0, endMs });
        sendLate({ ...results, is_final: true, from_finalize: true });
      },
    };
  }
}

/** Delays each utterance by a fixed time and then sends it at once. */
class LateVoice extends ElevenLabsSimulator {
  protected override talk(request: SimulatedRequest, send: Send) {
    return super.talk(request, late(send, DELAYS.voiceMs));
  }
}

function late(send: Send, afterMs: number): Send {
  return (message) => void systemClock.after(afterMs, () => send(message));
}

function answer(body: Record<string, unknown>): SimulatedAnswer {
  const { role, content } = (body['messages'] as ChatMessage[]).at(-1) ?? { role: '', content: '' };
  if (body['model'] === MODELS.long) return { text: LONG_REPLY };
  if (body['model'] === MODELS.people) return { text: PEOPLE_REPLY };
  if (body['model'] === MODELS.tool && role !== 'tool')
    return { toolCalls: [{ name: TOOL_NAME, arguments: {} }] };
  return { text: isOpen(String(content)) ? OPEN_REPLY : WHOLE_REPLY };
}

const voice = new LateVoice({ clock: systemClock });
const model = new OpenAiSimulator({ clock: systemClock, firstAfterMs: DELAYS.modelMs, chat: answer });
const tool = createServer((_request, response) => {
  systemClock.after(DELAYS.toolMs, () => response.end('There is one at eight.'));
});

process.on('message', (message: { ask?: string; recogniser?: RecogniserKind }) => {
  if (message.ask === 'origins')
    start(message.recogniser ?? 'phrase')
      .then((origins) => process.send?.(origins))
      .catch(exitWith);
});
// The probe lets go of the channel; the question must still arrive.
process.channel?.ref();

async function start(kind: RecogniserKind): Promise<ProviderOrigins> {
  const phrase = await makePhrase();
  const recogniser =
    kind === 'words' ? new GuessingRecogniser() : new LateRecogniser(phrase.endMs - phrase.onsetMs);
  tool.listen(0, '127.0.0.1');
  await Promise.all([recogniser.start(), voice.start(), model.start(), once(tool, 'listening')]);
  const { port } = tool.address() as AddressInfo;
  return {
    recogniser: recogniser.origin,
    voice: voice.origin,
    model: model.baseUrl,
    tool: `http://127.0.0.1:${port}/`,
  };
}
