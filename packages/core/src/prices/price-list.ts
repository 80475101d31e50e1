/** The price list: what a minute of conversation costs on each trunk and at each provider. Operators set it. */
import {
  errorText,
  fieldFault,
  wording,
  type FieldErrors,
  type PriceList,
  type PriceListInput,
} from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';

interface PriceListRow {
  trunkId: number | null;
  providerId: number | null;
  name: string;
  perMinute: number;
}

const selectPrices = statement<PriceListRow>(
  'list_prices',
  `select p.trunk_id, p.provider_id, coalesce(t.name, r.name) as name, p.per_minute
   from prices p left join trunks t on t.id = p.trunk_id left join providers r on r.id = p.provider_id
   order by p.trunk_id, p.provider_id`,
);
const clearPrices = statement('clear_prices', `delete from prices`);
/** One list at a time: the second waits, and then replaces the first. */
const lockPrices = statement('lock_prices', `lock table prices in share row exclusive mode`);
const insertTrunkPrice = statement<{ id: number }>(
  'insert_trunk_price',
  `insert into prices (trunk_id, per_minute) select id, $2::numeric from trunks where id = $1 returning id`,
);
const insertProviderPrice = statement<{ id: number }>(
  'insert_provider_price',
  `insert into prices (provider_id, per_minute) select id, $2::numeric from providers where id = $1 returning id`,
);

/** @throws DomainError `forbidden` for members */
export async function listPrices(ctx: CoreContext, identity: Identity): Promise<PriceList> {
  requireOperator(identity);
  return readPrices(ctx.db);
}

/**
 * Replaces the whole list. Calls that have ended keep what they cost.
 *
 * @throws DomainError `forbidden` for members; `invalid` for trunks and providers that are none, or are there twice
 */
export async function setPrices(
  ctx: CoreContext,
  identity: Identity,
  input: PriceListInput,
): Promise<PriceList> {
  requireOperator(identity);
  const trunks = input.sip_trunks.map((entry) => ({ ...entry, id: entry.sip_trunk_id }));
  const providers = input.providers.map((entry) => ({ ...entry, id: entry.provider_id }));
  refuse({ ...twice(trunks, 'sip_trunks', 'sip_trunk_id'), ...twice(providers, 'providers', 'provider_id') });
  return ctx.db.transaction(async (tx) => {
    await tx.query(lockPrices);
    await tx.query(clearPrices);
    for (const [place, { id, per_minute: price }] of trunks.entries()) {
      const [row] = await tx.query(insertTrunkPrice, [id, price]);
      if (!row) refuse(fieldFault(`sip_trunks.${place}.sip_trunk_id`, wording.selected));
    }
    for (const [place, { id, per_minute: price }] of providers.entries()) {
      const [row] = await tx.query(insertProviderPrice, [id, price]);
      if (!row) refuse(fieldFault(`providers.${place}.provider_id`, wording.selected));
    }
    return readPrices(tx);
  });
}

async function readPrices(on: Tx): Promise<PriceList> {
  const list: PriceList = { sip_trunks: [], providers: [] };
  for (const { trunkId, providerId, name, perMinute } of await on.query(selectPrices)) {
    if (trunkId !== null) list.sip_trunks.push({ sip_trunk_id: trunkId, name, per_minute: perMinute });
    if (providerId !== null) list.providers.push({ provider_id: providerId, name, per_minute: perMinute });
  }
  return list;
}

function twice(entries: readonly { id: number }[], list: string, field: string): FieldErrors {
  const seen = new Set<number>();
  const faults: FieldErrors = {};
  for (const [place, { id }] of entries.entries()) {
    if (seen.has(id)) Object.assign(faults, fieldFault(`${list}.${place}.${field}`, wording.distinct));
    seen.add(id);
  }
  return faults;
}

function refuse(fields: FieldErrors): void {
  if (Object.keys(fields).length === 0) return;
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
