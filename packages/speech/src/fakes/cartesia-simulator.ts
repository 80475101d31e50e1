/**
 * A server that speaks Cartesia's web socket with its contexts. Written from the public reference.
 *
 * @see https://docs.cartesia.ai/api-reference/tts/websocket
 */
import { wordTimes } from './fake-synthesiser.ts';
import { MS_PER_CHARACTER, simulatedSpeech } from './openai-wire.ts';
import { ProviderSimulator, type SendMessage, type SimulatedTalk } from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** Refuses the voice `missing`, and requests without a version. */
export class CartesiaSimulator extends ProviderSimulator {
  protected reply(): null {
    return null;
  }

  protected override talk(request: SimulatedRequest, send: SendMessage): SimulatedTalk | null {
    if (request.path !== '/tts/websocket' || !request.headers['cartesia-version']) return null;
    return { message: (message) => answer(message, send) };
  }
}

function answer(message: Record<string, unknown>, send: SendMessage): void {
  const common = { context_id: message['context_id'], status_code: 206, done: false };
  if (message['cancel'] === true) return send({ ...common, type: 'done', done: true });
  const {
    voice,
    output_format: format,
    generation_config: config,
  } = message as {
    voice?: { id?: string };
    output_format?: { sample_rate?: number };
    generation_config?: { speed?: number };
  };
  if (voice?.id === 'missing')
    return send({
      ...common,
      type: 'error',
      done: true,
      status_code: 404,
      title: 'Voice not found',
      message: 'No such voice',
    });
  const transcript = String(message['transcript']);
  const speech = { speed: config?.speed ?? 1, rateHz: format?.sample_rate ?? 44_100 };
  for (const piece of simulatedSpeech(transcript, speech))
    send({ ...common, type: 'chunk', data: Buffer.from(piece).toString('base64'), step_time: 1 });
  if (message['add_timestamps'] === true) {
    const words = wordTimes(transcript.trim(), MS_PER_CHARACTER / speech.speed);
    const word_timestamps = {
      words: words.map(({ text }) => text),
      start: words.map(({ startMs }) => startMs / 1000),
      end: words.map(({ endMs }) => endMs / 1000),
    };
    send({ ...common, type: 'timestamps', word_timestamps });
  }
  send({ ...common, type: 'done', done: true });
}
