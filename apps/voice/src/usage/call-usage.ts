/**
 * Measures what one call uses of its providers: each port is wrapped and its traffic counted. Token counts are those that
 * the provider reports; where it reports none, they are estimated from the length of the texts and marked as estimated.
 * Discarded drafts and texts that were synthesised in advance count too, because they are billed.
 */
import type { UsedQuantity } from '@parley/core';
import type { LanguageModel, RealtimeModel, Recogniser, Synthesiser, TokenUsage } from '@parley/speech';
import { meteredModel } from './metered-model.ts';
import { meteredRecogniser } from './metered-recogniser.ts';
import { meteredSynthesiser } from './metered-synthesiser.ts';

/** The resource that was used. */
export type UsedResource = Pick<UsedQuantity, 'name' | 'providerId' | 'llmModelId' | 'voiceId'>;

type Stage = UsedQuantity['stage'];
type Line = UsedQuantity & { quantity: number };

/** Seconds are rounded to milliseconds. */
const DECIMALS = 1000;

/** One instance per call, shared by all its assistants. */
export class CallUsage {
  readonly #lines: Line[] = [];
  /** Speech-to-speech models, and whether they have reported their usage. */
  readonly #sessions: { resource: UsedResource; hasReported: boolean }[] = [];

  /** The usage so far. */
  used(): UsedQuantity[] {
    const silent = this.#sessions.filter(({ hasReported }) => !hasReported);
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

  /** @param stage - the stage that the model's usage is booked under */
  model(
    model: LanguageModel,
    resource: UsedResource,
    stage: 'model' | 'evaluation' = 'model',
  ): LanguageModel {
    return meteredModel(model, (usage, isEstimated) => this.#addTokens(stage, resource, usage, isEstimated));
  }

  /** Adds what another process has counted of the same call. */
  addAll(used: readonly UsedQuantity[]): void {
    for (const { stage, unit, quantity, isEstimated, ...resource } of used) {
      if (quantity !== null) this.#line(stage, resource, unit, isEstimated).quantity += quantity;
      else this.#session(resource);
    }
  }

  /** Adds a quantity that its user has counted. */
  add({ stage, unit, quantity, isEstimated, ...resource }: UsedQuantity): void {
    if (quantity) this.#line(stage, resource, unit, isEstimated).quantity += quantity;
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
          session.hasReported = true;
          this.#addTokens('speech_to_speech', resource, event, false);
        });
      },
    };
  }

  #session(resource: UsedResource): { hasReported: boolean } {
    const found = this.#sessions.find((session) => isSame(session.resource, resource));
    if (found) return found;
    const session = { resource, hasReported: false };
    this.#sessions.push(session);
    return session;
  }

  /** Converts the overlapping counts of providers to disjoint ones. */
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

/** Successive assistants may share a voice or model. */
function isSame(one: UsedResource, other: UsedResource): boolean {
  return (
    one.providerId === other.providerId &&
    one.name === other.name &&
    one.llmModelId === other.llmModelId &&
    one.voiceId === other.voiceId
  );
}
