/** The registered voice processes and their leases. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant } from './columns.ts';

export const VoiceProcess = defineEntity({
  name: 'VoiceProcess',
  tableName: 'voice_processes',
  properties: {
    /** New at each registration, so that a process that was fenced or restarted never has the id of its predecessor. */
    id: p.uuid().primary(),
    /** Base address of its private HTTP interface. */
    url: p.text().unique(),
    /** `host:port` where it listens for SIP. */
    sipAddress: p.text(),
    capacity: p.integer(),
    /** Calls at once that it takes for the present, because it has just started or is overloaded. Null: its capacity. */
    admittedCalls: p.integer().nullable(),
    activeCalls: p.integer(),
    isDraining: p.boolean(),
    /** The voice activity detector: a model, or the level where that model does not run. */
    detector: p.enum(['silero', 'energy']).default('silero'),
    /** The languages of its recognisers by kind of provider: two-letter codes, or `any`. */
    recognisedLanguages: p.json<Record<string, readonly string[] | 'any'>>().defaultRaw(`'{}'::jsonb`),
    /** The end of the lease by the clock of the database, which all comparisons use. */
    leaseUntil: instant(),
    startedAt: instant(),
  },
});

/** A row of {@link VoiceProcess}. */
export type VoiceProcessRow = InferEntity<typeof VoiceProcess>;
