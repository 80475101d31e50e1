/** The one translator from our rows to providers of the wire. The key never leaves. */
import { isoMicroseconds, type ProviderRecord } from '@parley/contracts';
import type { ProviderRow } from '@parley/db';
import type { Identity } from '../../users/identity.ts';

/** A provider's row with what it offers. */
export interface ProviderWithOffers extends ProviderRow {
  models: ProviderRecord['models'];
  voices: ProviderRecord['voices'];
}

const offersOf = (table: 'llm_models' | 'voices'): string => `coalesce((
    select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'wire_name', o.wire_name) order by o.id)
    from ${table} o where o.provider_id = p.id
  ), '[]')`;

/** SQL of {@link ProviderWithOffers}; a condition on `p` follows. */
export const PROVIDER_SELECT = `select p.*, ${offersOf('llm_models')} as models, ${offersOf('voices')} as voices
  from providers p`;

/** @param reader - members do not see where a provider is */
export function providerRecord(row: ProviderWithOffers, reader: Identity): ProviderRecord {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    base_url: reader.role === 'operator' ? row.baseUrl : null,
    has_api_key: row.apiKeySealed !== null,
    models: row.models,
    voices: row.voices,
    note: row.note,
    refreshed_at: row.refreshedAt && isoMicroseconds(row.refreshedAt),
    created_at: isoMicroseconds(row.createdAt),
  };
}
