/**
 * A server that speaks ElevenLabs' multi-context socket, and is as strict about the number of contexts as the real one.
 * Written from the public reference.
 *
 * @see https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input
 */
import { jsonReply, simulatedSpeech } from './openai-wire.ts';
import {
  ProviderSimulator,
  type SendMessage,
  type SimulatedReply,
  type SimulatedTalk,
} from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

const MAX_CONTEXTS = 5;
const VOICES = [
  { voice_id: 'simulated-1', name: 'Rachel' },
  { voice_id: 'simulated-2', name: 'Adam' },
];

/** Contexts are spoken as soon as they are flushed. */
export class ElevenLabsSimulator extends ProviderSimulator {
  /** Its list of voices has one voice on each page. */
  protected reply({ path, query }: SimulatedRequest): SimulatedReply | null {
    if (path !== '/v2/voices') return null;
    const index = Number(query['next_page_token'] ?? 0);
    const hasMore = index + 1 < VOICES.length;
    return jsonReply({
      voices: VOICES.slice(index, index + 1),
      has_more: hasMore,
      next_page_token: hasMore ? String(index + 1) : null,
    });
  }

  protected override talk(request: SimulatedRequest, send: SendMessage): SimulatedTalk | null {
    if (!/^\/v1\/text-to-speech\/[^/]+\/multi-stream-input$/.test(request.path)) return null;
    const rateHz = Number(/^pcm_(\d+)$/.exec(request.query['output_format'] ?? '')?.[1]);
    const contexts = new Map<string, { text: string; speed: number }>();
    return {
      message(message) {
        const contextId = textOf(message['context_id']);
        const context = contexts.get(contextId) ?? { text: '', speed: speedOf(message) };
        contexts.set(contextId, context);
        if (contexts.size > MAX_CONTEXTS)
          return send({ error: 'max_active_conversations', message: 'Too many contexts', code: 1008 });
        context.text += textOf(message['text']);
        if (message['flush'] === true) {
          for (const piece of simulatedSpeech(context.text, { ...context, rateHz }))
            send({ audio: Buffer.from(piece).toString('base64'), contextId });
          context.text = '';
        }
        if (message['close_context'] !== true) return;
        contexts.delete(contextId);
        send({ isFinal: true, contextId });
      },
    };
  }
}

function textOf(field: unknown): string {
  return typeof field === 'string' ? field : '';
}

function speedOf(message: Record<string, unknown>): number {
  return Number((message['voice_settings'] as { speed?: unknown } | undefined)?.speed ?? 1);
}
