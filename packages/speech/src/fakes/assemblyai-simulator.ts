/**
 * A server that speaks AssemblyAI's streaming protocol, version 3. It hears what the test says it hears, and is as strict
 * about the length of a piece of sound as the real one. Written from the public reference.
 *
 * @see https://www.assemblyai.com/docs/streaming/message-sequence
 */
import { SimulatedRecogniser, type RecogniserSimulatorOptions } from './deepgram-simulator.ts';
import { ProviderSimulator, type SendMessage, type SimulatedTalk } from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** What the real one refuses to take, milliseconds. */
const SHORTEST_PIECE_MS = 50;
const LONGEST_PIECE_MS = 1000;
const DURATION_VIOLATION = 3007;

/** @see RecogniserSimulatorOptions */
export class AssemblyAiSimulator extends ProviderSimulator {
  readonly #given: RecogniserSimulatorOptions;

  constructor(options: RecogniserSimulatorOptions) {
    super(options);
    this.#given = options;
  }

  protected reply(): null {
    return null;
  }

  protected override talk(request: SimulatedRequest, send: SendMessage): SimulatedTalk | null {
    if (request.path !== '/v3/ws' || !request.query['speech_model']) return null;
    const recogniser = new SimulatedRecogniser(request, this.#given);
    let turn = 0;
    send({ type: 'Begin', id: 'simulated', expires_at: 1_900_000_000 });
    return {
      sound(bytes) {
        const pieceMs = (bytes.length * 500) / Number(request.query['sample_rate']);
        if (pieceMs < SHORTEST_PIECE_MS || pieceMs > LONGEST_PIECE_MS)
          send({ type: 'Error', error_code: DURATION_VIOLATION, error: 'Input Duration Violation' });
        const said = recogniser.hear(bytes, send);
        if (said) send(assemblyAiTurn(said, turn));
      },
      message({ type }) {
        if (type === 'ForceEndpoint') send(assemblyAiTurn({ ...recogniser.next(), isEnd: true }, turn++));
        if (type === 'Terminate')
          send({
            type: 'Termination',
            audio_duration_seconds: recogniser.heardMs / 1000,
            session_duration_seconds: recogniser.heardMs / 1000,
          });
      },
    };
  }
}

/** A `Turn` message. With `isPause`, the provider sees a pause in which the turn might end. */
export function assemblyAiTurn(
  heard: { text: string; beginMs: number; endMs: number; isEnd?: boolean; isPause?: boolean },
  turn = 0,
): Record<string, unknown> {
  const { text, beginMs, endMs, isEnd = false, isPause = false } = heard;
  const spoken = text === '' ? [] : text.split(' ');
  const eachMs = (endMs - beginMs) / spoken.length;
  return {
    type: 'Turn',
    turn_order: turn,
    turn_is_formatted: false,
    end_of_turn: isEnd,
    transcript: isEnd ? text : spoken.slice(0, -1).join(' '),
    utterance: isPause ? text : '',
    end_of_turn_confidence: 0.7,
    words: spoken.map((word, index) => ({
      text: word,
      start: Math.round(beginMs + index * eachMs),
      end: Math.round(beginMs + (index + 1) * eachMs),
      confidence: 0.9,
      word_is_final: isEnd || index < spoken.length - 1,
    })),
  };
}
