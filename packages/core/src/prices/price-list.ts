/** The price list of trunks, providers, models and voices. Operators set it. */
import {
  errorText,
  fieldFault,
  wording,
  type FieldErrors,
  type PriceList,
  type PriceListInput,
} from '@parley/contracts';
import {
  LlmModel,
  Price,
  PriceSettings,
  Provider,
  statement,
  Trunk,
  Voice,
  type PriceRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { PRICE_FIELDS, pricesByField, type PricedField } from './price-fields.rules.ts';

/** SQL, because the ORM locks no tables. Of two concurrent updates, the second waits and replaces the first. */
const lockPrices = statement('lock_prices', `lock table prices in share row exclusive mode`);

type PricedList = Exclude<keyof PriceListInput, 'currency'>;
type Column = 'trunkId' | 'providerId' | 'llmModelId' | 'voiceId';

/** The entity that each column of a price references. */
const TARGETS = { trunkId: Trunk, providerId: Provider, llmModelId: LlmModel, voiceId: Voice } as const;
const NO_TARGET = { trunkId: null, providerId: null, llmModelId: null, voiceId: null };

/** The entries of one list. */
interface ListedPrices {
  column: Column;
  /** The name of the list, and of the field that holds the id. */
  list: PricedList;
  idField: string;
  entries: readonly ({ id: number } & Partial<Record<PricedField, number | null | undefined>>)[];
}

/** @throws DomainError `forbidden` for members */
export async function listPrices(ctx: CoreContext, identity: Identity): Promise<PriceList> {
  requireOperator(identity);
  return readPrices(ctx.db);
}

/** ISO 4217, of all amounts of the installation, for every user; null: they have none. */
export async function readCurrency({ db }: { db: Tx }): Promise<string | null> {
  return (await db.em.findOne(PriceSettings, { id: 1 }))?.currency ?? null;
}

/**
 * Replaces the whole list. The costs of calls that have ended do not change, also where the currency does: no amount is converted.
 *
 * @throws DomainError `forbidden` for members; `invalid` for a target that does not exist or is listed twice, and for an
 *   unknown currency
 */
export async function setPrices(
  ctx: CoreContext,
  identity: Identity,
  input: PriceListInput,
): Promise<PriceList> {
  requireOperator(identity);
  const lists = listsOf(input);
  refuse(Object.assign({}, ...lists.map(twice), currencyFault(input.currency)));
  return ctx.db.transaction(async (tx) => {
    await tx.query(lockPrices);
    await tx.em.nativeDelete(Price, {});
    for (const listed of lists) await insert(tx, listed);
    if (input.currency !== undefined) await tx.em.upsert(PriceSettings, { id: 1, currency: input.currency });
    return readPrices(tx);
  });
}

function listsOf({ sip_trunks: trunks, providers, models, voices }: PriceListInput): ListedPrices[] {
  return [
    {
      column: 'trunkId',
      list: 'sip_trunks',
      idField: 'sip_trunk_id',
      entries: trunks.map((entry) => ({ ...entry, id: entry.sip_trunk_id })),
    },
    {
      column: 'providerId',
      list: 'providers',
      idField: 'provider_id',
      entries: providers.map((entry) => ({ ...entry, id: entry.provider_id })),
    },
    {
      column: 'llmModelId',
      list: 'models',
      idField: 'llm_model_id',
      entries: models.map((entry) => ({ ...entry, id: entry.llm_model_id })),
    },
    {
      column: 'voiceId',
      list: 'voices',
      idField: 'voice_id',
      entries: voices.map((entry) => ({ ...entry, id: entry.voice_id })),
    },
  ];
}

async function insert(tx: Transaction, { column, list, idField, entries }: ListedPrices): Promise<void> {
  const names = await namesOf(
    tx,
    column,
    entries.map(({ id }) => id),
  );
  for (const [index, entry] of entries.entries()) {
    if (!names.has(entry.id)) refuse(fieldFault(`${list}.${index}.${idField}`, wording.selected));
    for (const { field, unit } of PRICE_FIELDS) {
      const price = entry[field];
      if (price != null) tx.em.create(Price, { ...NO_TARGET, [column]: entry.id, unit, price });
    }
  }
}

/** The names of the existing ones, by id. */
async function namesOf(tx: Tx, column: Column, ids: number[]): Promise<Map<number, string>> {
  const rows: { id: number; name: string }[] = await tx.em.find(TARGETS[column] as typeof Trunk, { id: ids });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readPrices(tx: Tx): Promise<PriceList> {
  const rows = await tx.em.find(Price, {}, { orderBy: { unit: 'asc' } });
  const priced = async (column: Column) => {
    const byId = Map.groupBy(
      rows.filter((row) => row[column] !== null),
      (row) => row[column] ?? 0,
    );
    const ids = [...byId.keys()].toSorted((one, other) => one - other);
    const names = await namesOf(tx, column, ids);
    return ids.map((id) => ({ id, name: names.get(id) ?? '', ...fieldsOf(byId.get(id) ?? []) }));
  };
  const trunks = await priced('trunkId');
  return {
    currency: await readCurrency({ db: tx }),
    sip_trunks: trunks.map(({ id, name, per_minute: price = 0 }) => ({
      sip_trunk_id: id,
      name,
      per_minute: price,
    })),
    providers: (await priced('providerId')).map(({ id, ...rest }) => ({ provider_id: id, ...rest })),
    models: (await priced('llmModelId')).map(({ id, ...rest }) => ({ llm_model_id: id, ...rest })),
    voices: (await priced('voiceId')).map(({ id, ...rest }) => ({ voice_id: id, ...rest })),
  };
}

function fieldsOf(rows: readonly PriceRow[]) {
  return pricesByField(
    rows.map(({ unit }) => unit),
    rows.map(({ price }) => price),
  );
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

function currencyFault(currency: string | null | undefined): FieldErrors {
  const isKnown = currency == null || Intl.supportedValuesOf('currency').includes(currency);
  return isKnown ? {} : fieldFault('currency', wording.selected);
}

function refuse(fields: FieldErrors): void {
  if (Object.keys(fields).length === 0) return;
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
