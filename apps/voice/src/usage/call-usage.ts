/**
 * The account of what one call takes of its providers: each port is wrapped, and what goes through it is counted. Tokens
 * are counted as the provider states them; where it states none, they are estimated from the length of the texts, and
 * marked. Drafts that nobody heard and texts that were made ahead count too, as they are paid for.
 */
import type { UsedQuantity } from '@parley/core';
import type { LanguageModel, RealtimeModel, Recogniser, Synthesiser, TokenUsage } from '@parley/speech';
import { meteredModel } from './metered-model.ts';
import { meteredRecogniser } from './metered-recogniser.ts';
import { meteredSynthesiser } from './metered-synthesiser.ts';

/** Whose use it is. */
export type UsedResource = Pick<UsedQuantity, 'name' | 'providerId' | 'llmModelId' | 'voiceId'>;

type Stage = UsedQuantity['stage'];
type Line = UsedQuantity & { quantity: number };

/** Seconds are kept to the millisecond. */
const DECIMALS = 1000;

/** One per call, whoever of its assistants speaks. */
export class CallUsage {
  readonly #lines: Line[] = [];
  /** Models that speak, and that have said what they took. */
  readonly #sessions: { resource: UsedResource; isTold: boolean }[] = [];

  /** What was used so far. */
  used(): UsedQuantity[] {
    const silent = this.#sessions.filter(({ isTold }) => !isTold);
    return [
      ...this.#lines.map((line) => ({ ...line, quantity: Math.round(line.quantity * DECIMALS) / DECIMALS })),
      ...silent.map(({ resource }): UsedQuantity => ({
        ...resource,
        stage: 'speech_to_speech',
        unit: 'input_token',
        quantity: null,
        isEstimated: false,
      })),
    ];
  }

  /** @param stage - what it answers for */
  model(
    model: LanguageModel,
    resource: UsedResource,
    stage: 'model' | 'evaluation' = 'model',
  ): LanguageModel {
    return meteredModel(model, (usage, isEstimated) => this.#addTokens(stage, resource, usage, isEstimated));
  }

  synthesiser(synthesiser: Synthesiser, resource: UsedResource): Synthesiser {
    const line = this.#line('voice', resource, 'character');
    return meteredSynthesiser(synthesiser, (characters) => {
      line.quantity += characters;
    });
  }

  recogniser(recogniser: Recogniser, resource: UsedResource): Recogniser {
    const line = this.#line('transcription', resource, 'second');
    return meteredRecogniser(recogniser, (seconds) => {
      line.quantity += seconds;
    });
  }

  realtime(model: RealtimeModel, resource: UsedResource): RealtimeModel {
    return {
      open: (options, onEvent) => {
        const session = this.#session(resource);
        return model.open(options, (event) => {
          if (event.type !== 'usage') return onEvent(event);
          session.isTold = true;
          this.#addTokens('speech_to_speech', resource, event, false);
        });
      },
    };
  }

  #session(resource: UsedResource): { isTold: boolean } {
    const found = this.#sessions.find((session) => isSame(session.resource, resource));
    if (found) return found;
    const session = { resource, isTold: false };
    this.#sessions.push(session);
    return session;
  }

  /** The kinds do not overlap here, as they do with providers. */
  #addTokens(stage: Stage, resource: UsedResource, usage: TokenUsage, isEstimated: boolean): void {
    const { inputTokens, cachedInputTokens = 0, audioInputTokens = 0 } = usage;
    const { outputTokens, audioOutputTokens = 0 } = usage;
    const counts = {
      input_token: Math.max(0, inputTokens - cachedInputTokens - audioInputTokens),
      cached_input_token: cachedInputTokens,
      audio_input_token: audioInputTokens,
      output_token: Math.max(0, outputTokens - audioOutputTokens),
      audio_output_token: audioOutputTokens,
    } as const;
    for (const [unit, count] of Object.entries(counts) as [keyof typeof counts, number][])
      if (count > 0) this.#line(stage, resource, unit, isEstimated).quantity += count;
  }

  #line(stage: Stage, resource: UsedResource, unit: Line['unit'], isEstimated = false): Line {
    const found = this.#lines.find(
      (line) =>
        line.stage === stage &&
        line.unit === unit &&
        line.isEstimated === isEstimated &&
        isSame(line, resource),
    );
    if (found) return found;
    const line: Line = { ...resource, stage, unit, isEstimated, quantity: 0 };
    this.#lines.push(line);
    return line;
  }
}

/** Assistants in turn may have the same voice or model. */
function isSame(one: UsedResource, other: UsedResource): boolean {
  return (
    one.providerId === other.providerId &&
    one.name === other.name &&
    one.llmModelId === other.llmModelId &&
    one.voiceId === other.voiceId
  );
}
