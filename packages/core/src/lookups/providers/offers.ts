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

/** Both lists; a list that is absent stays as it is. */
export interface Offers {
  models?: readonly Offer[] | undefined;
  voices?: readonly Offer[] | undefined;
}

/** Removes rows that are no longer offered; the others keep their ids. Rows from the provider's own lists stay. */
const removal = (table: 'llm_models' | 'voices') =>
  statement(
    `remove_${table}`,
    `delete from ${table} where provider_id = $1 and not is_fetched and not (name = any($2::text[]))`,
  );
const removeModels = removal('llm_models');
const removeVoices = removal('voices');

const writeModels = statement(
  'write_models',
  `insert into llm_models (name, provider_id, wire_name)
   select o.name, $1, o.wire_name
   from unnest($2::text[], $3::text[]) with ordinality o (name, wire_name, place) order by o.place
   on conflict (name) do update set wire_name = excluded.wire_name where llm_models.provider_id = excluded.provider_id
   returning id`,
);
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
export async function writeOffers(tx: Tx, providerId: number, { models, voices }: Offers): Promise<void> {
  const lists = [
    { key: 'models', offers: models, remove: removeModels, write: writeModels },
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
