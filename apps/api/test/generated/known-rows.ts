/** The rows that valid requests of a user may refer to, by field. */
import { referenceFields } from './references.ts';
import type { KnownValues } from './valid-values.ts';
import { make, type Person } from './world.ts';
import type { LiveApi } from '../live-api.ts';

/** The rows of every installation: only built-in voices fit built-in models. */
const BUILT_IN: KnownValues = {
  voice_id: [1, 2, 3],
  language: ['English', 'german', 'FRENCH'],
  language_id: [1, 2, 3],
  llm_model: ['Scripted dialogue (built in)'],
  llm_model_id: [1],
};

/** Names rows; the other fields have ids, or are listed above. */
const NAMED_FIELD = 'fallback_llm_models';

/** Two rows for every field that refers to one. */
export async function knownRows(live: LiveApi, person: Person): Promise<KnownValues> {
  const known: Record<string, readonly unknown[]> = { ...BUILT_IN };
  for (const [field, resource] of referenceFields) {
    if (field in known) continue;
    const rows = [await make(live, resource, person), await make(live, resource, person)];
    known[field] = rows.map(({ id, name }) => (field === NAMED_FIELD ? name : id));
  }
  return known;
}
