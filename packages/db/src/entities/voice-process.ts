/** The voice processes that are running, and the lease by which each proves that it still is. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, looseId } from './columns.ts';

export const VoiceProcess = defineEntity({
  name: 'VoiceProcess',
  tableName: 'voice_processes',
  properties: {
    id: p.uuid().primary(),
    /** Base address of its private HTTP interface. */
    url: p.text().unique(),
    /** `host:port` where it listens for SIP. */
    sipAddress: p.text(),
    /** From the sequence `voice_epochs`; a later life of the same address has a higher one. */
    epoch: looseId(),
    capacity: p.integer(),
    activeCalls: p.integer(),
    isDraining: p.boolean(),
    /** How it tells that somebody speaks: by a model, or by loudness where that model does not run. */
    detector: p.enum(['silero', 'energy']).default('silero'),
    /** Which languages its recognisers know, by kind of provider: two-letter codes, or `any`. */
    recognisedLanguages: p.json<Record<string, readonly string[] | 'any'>>().defaultRaw(`'{}'::jsonb`),
    /** By the database's clock, as are all comparisons with it. */
    leaseUntil: instant(),
    startedAt: instant(),
  },
});

/** A row of {@link VoiceProcess}. */
export type VoiceProcessRow = InferEntity<typeof VoiceProcess>;
