/** Recordings of fixed sentences of assistants: docs/decisions/recorded-phrases.md. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { Assistant } from './assistant.ts';
import { generatedId, instant, owner } from './columns.ts';

export const RecordedPhrase = defineEntity({
  name: 'RecordedPhrase',
  tableName: 'recorded_phrases',
  indexes: [
    { name: 'recorded_phrases_assistant_id_id_index', properties: ['assistantId', 'id'] },
    { name: 'recorded_phrases_user_id_index', properties: ['userId'] },
  ],
  properties: {
    id: generatedId(),
    userId: owner,
    assistantId: () => p.manyToOne(Assistant).mapToPk().joinColumn('assistant_id').deleteRule('cascade'),
    /** The sentence or sentences that are spoken. */
    text: p.text(),
    status: p.enum(['processing', 'active', 'failed']),
    /** Why it failed; null otherwise. */
    failure: p.text().strictNullable(),
    /** The duration of the sound that is played; 0 until it is active. */
    durationMs: p.integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** The uploaded file until it was decoded, then the sound as a WAV file: mono, 16 000 Hz, 16 bits. */
export const RecordedPhraseSound = defineEntity({
  name: 'RecordedPhraseSound',
  tableName: 'recorded_phrase_sounds',
  properties: {
    recordedPhraseId: () =>
      p.manyToOne(RecordedPhrase).mapToPk().primary().joinColumn('recorded_phrase_id').deleteRule('cascade'),
    content: p.blob(),
  },
});

/** A row of {@link RecordedPhrase}. */
export type RecordedPhraseRow = InferEntity<typeof RecordedPhrase>;
