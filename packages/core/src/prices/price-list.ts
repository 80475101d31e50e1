/** The price list: what lines, providers, models and voices cost. Operators set it. */
import {
  errorText,
  fieldFault,
  wording,
  type FieldErrors,
  type PriceList,
  type PriceListInput,
} from '@parley/contracts';
import { statement, type PriceUnit, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { PRICE_FIELDS, pricesByField, type PricedField } from './price-fields.rules.ts';

type Target = 'trunk' | 'provider' | 'llm_model' | 'voice';

interface PriceListRow {
  target: Target;
  id: number;
  name: string;
  units: PriceUnit[];
  prices: number[];
}

const selectPrices = statement<PriceListRow>(
  'list_prices',
  `select case when trunk_id is not null then 'trunk' when p.provider_id is not null then 'provider'
       when llm_model_id is not null then 'llm_model' else 'voice' end as target,
     coalesce(trunk_id, p.provider_id, llm_model_id, voice_id) as id, coalesce(t.name, r.name, m.name, v.name) as name,
     array_agg(p.unit order by p.unit) as units, array_agg(p.price::float8 order by p.unit) as prices
   from prices p left join trunks t on t.id = p.trunk_id left join providers r on r.id = p.provider_id
   left join llm_models m on m.id = p.llm_model_id left join voices v on v.id = p.voice_id
   group by trunk_id, p.provider_id, llm_model_id, voice_id, t.name, r.name, m.name, v.name
   order by trunk_id, p.provider_id, llm_model_id, voice_id`,
);
const clearPrices = statement('clear_prices', `delete from prices`);
/** One list at a time: the second waits, and then replaces the first. */
const lockPrices = statement('lock_prices', `lock table prices in share row exclusive mode`);

const insertion = (target: Target, table: string) =>
  statement<{ id: number }>(
    `insert_${target}_price`,
    `with target as (select id from ${table} where id = $1),
       inserted as (insert into prices (${target}_id, unit, price)
         select id, unit, price from target, unnest($2::text[], $3::numeric[]) as listed (unit, price))
     select id from target`,
  );
const INSERTIONS: Record<Target, ReturnType<typeof insertion>> = {
  trunk: insertion('trunk', 'trunks'),
  provider: insertion('provider', 'providers'),
  llm_model: insertion('llm_model', 'llm_models'),
  voice: insertion('voice', 'voices'),
};

/** What stands in one of the lists. */
interface ListedPrices {
  target: Target;
  /** Name of the list, and of the field with the id in it. */
  list: keyof PriceListInput;
  idField: string;
  entries: readonly ({ id: number } & Partial<Record<PricedField, number | null | undefined>>)[];
}

/** @throws DomainError `forbidden` for members */
export async function listPrices(ctx: CoreContext, identity: Identity): Promise<PriceList> {
  requireOperator(identity);
  return readPrices(ctx.db);
}

/**
 * Replaces the whole list. Calls that have ended keep what they cost.
 *
 * @throws DomainError `forbidden` for members; `invalid` for what is none, or is there twice
 */
export async function setPrices(
  ctx: CoreContext,
  identity: Identity,
  input: PriceListInput,
): Promise<PriceList> {
  requireOperator(identity);
  const lists = listsOf(input);
  refuse(Object.assign({}, ...lists.map(twice)));
  return ctx.db.transaction(async (tx) => {
    await tx.query(lockPrices);
    await tx.query(clearPrices);
    for (const listed of lists) await insert(tx, listed);
    return readPrices(tx);
  });
}

function listsOf({ sip_trunks: trunks, providers, models, voices }: PriceListInput): ListedPrices[] {
  return [
    {
      target: 'trunk',
      list: 'sip_trunks',
      idField: 'sip_trunk_id',
      entries: trunks.map((entry) => ({ ...entry, id: entry.sip_trunk_id })),
    },
    {
      target: 'provider',
      list: 'providers',
      idField: 'provider_id',
      entries: providers.map((entry) => ({ ...entry, id: entry.provider_id })),
    },
    {
      target: 'llm_model',
      list: 'models',
      idField: 'llm_model_id',
      entries: models.map((entry) => ({ ...entry, id: entry.llm_model_id })),
    },
    {
      target: 'voice',
      list: 'voices',
      idField: 'voice_id',
      entries: voices.map((entry) => ({ ...entry, id: entry.voice_id })),
    },
  ];
}

async function insert(tx: Tx, { target, list, idField, entries }: ListedPrices): Promise<void> {
  for (const [place, entry] of entries.entries()) {
    const priced = PRICE_FIELDS.flatMap(({ field, unit }) => {
      const price = entry[field];
      return price == null ? [] : [{ unit, price }];
    });
    const [row] = await tx.query(INSERTIONS[target], [
      entry.id,
      priced.map(({ unit }) => unit),
      priced.map(({ price }) => price),
    ]);
    if (!row) refuse(fieldFault(`${list}.${place}.${idField}`, wording.selected));
  }
}

async function readPrices(on: Tx): Promise<PriceList> {
  const list: PriceList = { sip_trunks: [], providers: [], models: [], voices: [] };
  for (const { target, id, name, units, prices } of await on.query(selectPrices)) {
    const priced = pricesByField(units, prices);
    if (target === 'trunk')
      list.sip_trunks.push({ sip_trunk_id: id, name, per_minute: priced.per_minute ?? 0 });
    if (target === 'provider') list.providers.push({ provider_id: id, name, ...priced });
    if (target === 'llm_model') list.models.push({ llm_model_id: id, name, ...priced });
    if (target === 'voice') list.voices.push({ voice_id: id, name, ...priced });
  }
  return list;
}

function twice({ list, idField, entries }: ListedPrices): FieldErrors {
  const seen = new Set<number>();
  const faults: FieldErrors = {};
  for (const [place, { id }] of entries.entries()) {
    if (seen.has(id)) Object.assign(faults, fieldFault(`${list}.${place}.${idField}`, wording.distinct));
    seen.add(id);
  }
  return faults;
}

function refuse(fields: FieldErrors): void {
  if (Object.keys(fields).length === 0) return;
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
