/**
 * The models and voices of a provider, by names that are unique in the whole installation. SQL, because a conflict with another
 * provider's name decides row by row what is written.
 */
import { fieldFault, wording } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { DomainError } from '../../shared/domain-error.ts';

/** `name` is shown; `wireName` is the server's name. */
export interface Offer {
  name: string;
  wireName: string;
}

/** All lists; a list that is absent stays as it is. */
export interface Offers {
  models?: readonly Offer[] | undefined;
  embeddingModels?: readonly Offer[] | undefined;
  voices?: readonly Offer[] | undefined;
}

/** Removes rows that are no longer offered; the others keep their ids. Rows from the provider's own lists stay. */
const removeVoices = statement(
  'remove_voices',
  `delete from voices where provider_id = $1 and not is_fetched and not (name = any($2::text[]))`,
);

const modelsFor = (purpose: 'conversation' | 'embedding') => ({
  remove: statement(
    `remove_models_for_${purpose}`,
    `delete from llm_models where provider_id = $1 and not is_fetched and purpose = '${purpose}'
       and not (name = any($2::text[]))`,
  ),
  write: statement(
    `write_models_for_${purpose}`,
    `insert into llm_models as m (name, provider_id, wire_name, purpose)
     select o.name, $1, o.wire_name, '${purpose}'
     from unnest($2::text[], $3::text[]) with ordinality o (name, wire_name, place) order by o.place
     on conflict (name) do update set wire_name = excluded.wire_name
       where m.provider_id = excluded.provider_id and m.purpose = excluded.purpose
     returning id`,
  ),
});
const CONVERSATION = modelsFor('conversation');
const EMBEDDING = modelsFor('embedding');

const writeVoices = statement(
  'write_voices',
  `insert into voices (name, mode, provider_id, wire_name)
   select o.name, 'pipeline', $1, o.wire_name
   from unnest($2::text[], $3::text[]) with ordinality o (name, wire_name, place) order by o.place
   on conflict (name) do update set wire_name = excluded.wire_name where voices.provider_id = excluded.provider_id
   returning id`,
);

const TAKEN = 'A model or voice with this name exists already.';

/** @throws DomainError `invalid`, at the list, for a name that another provider has or that is listed twice */
export async function writeOffers(
  tx: Tx,
  providerId: number,
  { models, embeddingModels, voices }: Offers,
): Promise<void> {
  const lists = [
    { key: 'models', offers: models, ...CONVERSATION },
    { key: 'embedding_models', offers: embeddingModels, ...EMBEDDING },
    { key: 'voices', offers: voices, remove: removeVoices, write: writeVoices },
  ];
  for (const { key, offers, remove, write } of lists) {
    if (!offers) continue;
    const names = offers.map(({ name }) => name);
    refuseTwice(key, names);
    await tx.query(remove, [providerId, names]);
    const written = await tx.query(write, [providerId, names, offers.map(({ wireName }) => wireName)]);
    // A name that another provider has is neither inserted nor updated.
    if (written.length < names.length) {
      throw new DomainError('invalid', TAKEN, { fields: { [key]: [TAKEN] } });
    }
  }
}

function refuseTwice(key: string, names: readonly string[]): void {
  const place = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (place === -1) return;
  throw new DomainError('invalid', TAKEN, { fields: fieldFault(`${key}.${place}.name`, wording.distinct) });
}
