/**
 * The hosted providers of `bench:talk`, in a process of their own: the simulators of the tests, each late by a fixed
 * time, so that what a turn takes beyond that is ours. And the server of a tool.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause, systemClock } from '@parley/runtime';
import {
  DeepgramSimulator,
  ElevenLabsSimulator,
  OpenAiSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
} from '@parley/speech/fakes';
import {
  DELAYS,
  LONG_REPLY,
  MODELS,
  OPEN_REPLY,
  OPEN_WORDS,
  TOOL_NAME,
  WHOLE_REPLY,
  WHOLE_WORDS,
  type ProviderOrigins,
} from './talk-script.rules.ts';

type Send = (message: Record<string, unknown>) => void;
interface ChatMessage {
  role: string;
  content: unknown;
}

/** Answers each request for a final so much later. */
class LateRecogniser extends DeepgramSimulator {
  protected override talk(request: SimulatedRequest, send: Send) {
    return super.talk(request, late(send, DELAYS.recogniserMs));
  }
}

/** Begins each utterance so much later; then all of it is there. */
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
  if (body['model'] === MODELS.tool && role !== 'tool')
    return { toolCalls: [{ name: TOOL_NAME, arguments: {} }] };
  return { text: JSON.stringify(content).includes(OPEN_WORDS) ? OPEN_REPLY : WHOLE_REPLY };
}

/** More than any call has; two in three ask for more, and their replies are not made ahead. */
const UTTERANCES = Array.from({ length: 500 }, () => [OPEN_WORDS, OPEN_WORDS, WHOLE_WORDS]).flat();

const recogniser = new LateRecogniser({ clock: systemClock, utterances: UTTERANCES });
const voice = new LateVoice({ clock: systemClock });
const model = new OpenAiSimulator({ clock: systemClock, firstAfterMs: DELAYS.modelMs, chat: answer });
const tool = createServer((_request, response) => {
  void pause(systemClock, DELAYS.toolMs).then(() => response.end('There is one at eight.'));
});

process.on('message', (message: { ask?: string }) => {
  if (message.ask === 'origins') void start().then((origins) => process.send?.(origins));
});
// The probe lets go of the channel; the question must still arrive.
process.channel?.ref();

async function start(): Promise<ProviderOrigins> {
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
