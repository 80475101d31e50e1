/**
 * A server that speaks ElevenLabs' multi-context socket, and is as strict about the number of contexts as the real one.
 * Written from the public reference.
 *
 * @see https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input
 */
import { jsonReply, MS_PER_CHARACTER, simulatedSpeech } from './openai-wire.ts';
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
  /** Answers a request for the list of voices, with one voice on each page. */
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
          const alignments = request.query['sync_alignment'] === 'true';
          let startMs = 0;
          for (const piece of simulatedSpeech(context.text, { ...context, rateHz })) {
            const endMs = startMs + (piece.length / 2 / rateHz) * 1000;
            const alignment = alignments ? alignmentOf(context, startMs, endMs) : null;
            send({ audio: Buffer.from(piece).toString('base64'), alignment, contextId });
            startMs = endMs;
          }
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

/** The characters that begin in a piece of the sound, with times that count from the beginning of the piece. */
function alignmentOf(
  { text, speed }: { text: string; speed: number },
  startMs: number,
  endMs: number,
): Record<string, unknown> {
  const characterMs = MS_PER_CHARACTER / speed;
  const spoken = Array.from(text.trim(), (char, index) => ({ char, atMs: index * characterMs }));
  const within = spoken.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
  return {
    chars: within.map(({ char }) => char),
    charStartTimesMs: within.map(({ atMs }) => Math.round(atMs - startMs)),
    charDurationsMs: within.map(() => Math.round(characterMs)),
  };
}

function speedOf(message: Record<string, unknown>): number {
  return Number((message['voice_settings'] as { speed?: unknown } | undefined)?.speed ?? 1);
}
