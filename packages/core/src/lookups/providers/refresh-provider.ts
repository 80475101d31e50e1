/**
 * Brings the voices and models of a provider up to date with what it lists. A list that cannot be had leaves the old one,
 * and the account says so. What assistants use stays, also when the provider has dropped it.
 */
import { statement, type ProviderRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../../context.ts';
import { enqueue } from '../../jobs/catalogue.ts';
import { listOffers } from './ask-provider.ts';
import { LISTED_KINDS, type RemoteKind } from './provider-kinds.rules.ts';
import { uniqueNames, type ListedOffer } from './provider-lists.ts';

const selectProvider = statement<ProviderRow>(
  'refreshed_provider',
  `select * from providers where id = $1 and kind <> 'built-in'`,
);
const lockProvider = statement<{ id: number }>(
  'lock_refreshed_provider',
  `select id from providers where id = $1 and api_key_sealed is not distinct from $2 for update`,
);
const noteFailure = statement(
  'note_provider_failure',
  `update providers set note = $3 where id = $1 and api_key_sealed is not distinct from $2`,
);
const noteSuccess = statement(
  'note_provider_success',
  `update providers set note = null, refreshed_at = $2 where id = $1`,
);
const selectListed = statement<{ id: number }>(
  'listed_providers',
  `select id from providers where kind = any($1::text[]) and api_key_sealed is not null order by id`,
);

/** How a refresh ended; `later`: it is worth trying again. */
export type RefreshOutcome = 'done' | 'refused' | 'later' | 'nothing-to-do';

/** Safe to run twice, and at the same time as a change of the account: a key that was replaced meanwhile decides nothing. */
export async function refreshProvider(ctx: CoreContext, providerId: number): Promise<RefreshOutcome> {
  const [provider] = await ctx.db.query(selectProvider, [providerId]);
  if (!provider?.apiKeySealed || !provider.baseUrl) return 'nothing-to-do';
  const { apiKeySealed, baseUrl, name } = provider;
  const kind = provider.kind as RemoteKind;
  if (!LISTED_KINDS.includes(kind)) return 'nothing-to-do';
  const apiKey = ctx.secretBox.open(apiKeySealed);
  const outcome = await listOffers(ctx, { kind, baseUrl, apiKey });
  if ('reason' in outcome) {
    await ctx.db.query(noteFailure, [providerId, apiKeySealed, `The list is old: ${outcome.reason}.`]);
    ctx.log.warn({ providerId, reason: outcome.reason }, 'The lists of a provider could not be refreshed');
    return outcome.isRefused ? 'refused' : 'later';
  }
  return ctx.db.transaction(async (tx) => {
    const [locked] = await tx.query(lockProvider, [providerId, apiKeySealed]);
    if (!locked) return 'nothing-to-do';
    await writeListed(tx, 'voices', { providerId, owner: name, offers: outcome.voices });
    await writeListed(tx, 'llm_models', { providerId, owner: name, offers: outcome.models });
    await tx.query(noteSuccess, [providerId, now(ctx)]);
    return 'done';
  });
}

/** One job for each account that lists something. */
export async function refreshAllProviders(ctx: CoreContext): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    for (const { id } of await tx.query(selectListed, [LISTED_KINDS])) await enqueueRefresh(tx, id);
  });
}

/** Asks for the lists soon, once for each account. */
export async function enqueueRefresh(tx: Tx, providerId: number): Promise<void> {
  await enqueue(tx, 'refresh_provider_voices', { providerId }, { jobKey: `refresh_provider:${providerId}` });
}

/** Where a list is kept, and which column of an assistant points to it. */
type ListedTable = 'voices' | 'llm_models';
const USED_BY: Record<ListedTable, string> = { voices: 'voice_id', llm_models: 'llm_model_id' };

const removal = (table: ListedTable) =>
  statement(
    `remove_unlisted_${table}`,
    `delete from ${table} t where provider_id = $1 and is_fetched and not (wire_name = any($2::text[]))
       and not exists (select 1 from assistants a where a.${USED_BY[table]} = t.id)`,
  );
const selection = (table: ListedTable) =>
  statement<{ name: string; ownWireName: string | null }>(
    `names_of_${table}`,
    `select name, case when provider_id = $1 then wire_name end as own_wire_name from ${table}`,
  );
const insertion = (table: ListedTable) =>
  statement(
    `insert_listed_${table}`,
    `insert into ${table} (name, ${table === 'voices' ? 'mode, ' : ''}provider_id, wire_name, is_fetched)
     select o.name, ${table === 'voices' ? 'o.mode, ' : ''}$1, o.wire_name, true
     from unnest($2::text[], $3::text[], $4::text[]) with ordinality o (name, wire_name, mode, place) order by o.place`,
  );
const forTable = (table: ListedTable) => ({
  remove: removal(table),
  select: selection(table),
  insert: insertion(table),
});
const STATEMENTS = { voices: forTable('voices'), llm_models: forTable('llm_models') };

/** What is there keeps its name and its id, whatever the provider calls it now: assistants are written with both. */
export async function writeListed(
  tx: Tx,
  table: ListedTable,
  { providerId, owner, offers }: { providerId: number; owner: string; offers: readonly ListedOffer[] },
): Promise<void> {
  const { remove, select, insert } = STATEMENTS[table];
  const listed = new Map(offers.map((offer) => [offer.wireName, offer]));
  await tx.query(remove, [providerId, [...listed.keys()]]);
  const rows = await tx.query(select, [providerId]);
  for (const { ownWireName } of rows) if (ownWireName !== null) listed.delete(ownWireName);
  const named = uniqueNames([...listed.values()], {
    owner,
    isOwnerAlwaysNamed: table === 'voices',
    taken: new Set(rows.map((row) => row.name)),
  });
  const names = named.map((offer) => offer.name);
  const modes = named.map((offer) => offer.mode ?? 'pipeline');
  await tx.query(insert, [providerId, names, named.map((offer) => offer.wireName), modes]);
}
