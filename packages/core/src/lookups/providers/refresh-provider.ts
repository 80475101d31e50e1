/**
 * Updates the voices and models of a provider from its own lists. When a list cannot be fetched, the old one stays and the
 * provider's note says so. Voices and models that assistants use stay, also when the provider no longer lists them. The
 * lists are written in SQL, because they hold thousands of rows.
 */
import { isStorableText } from '@parley/contracts';
import { LockMode, Provider, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../../context.ts';
import { enqueue } from '../../jobs/catalogue.ts';
import { listOffers } from './ask-provider.ts';
import { LISTED_KINDS, type RemoteKind } from './provider-kinds.rules.ts';
import { uniqueNames, type ListedOffer } from './provider-lists.ts';

/** The result of a refresh. `later`: it should be tried again. */
export type RefreshOutcome = 'done' | 'refused' | 'later' | 'nothing-to-do';

/** Safe to run twice and beside a change of the provider: the result for a key that was replaced meanwhile is ignored. */
export async function refreshProvider(ctx: CoreContext, providerId: number): Promise<RefreshOutcome> {
  const provider = await ctx.db.em.findOne(Provider, { id: providerId, kind: { $ne: 'built-in' } });
  if (!provider?.apiKeySealed || !provider.baseUrl) return 'nothing-to-do';
  const { apiKeySealed, baseUrl, name } = provider;
  const kind = provider.kind as RemoteKind;
  if (!LISTED_KINDS.includes(kind)) return 'nothing-to-do';
  const apiKey = ctx.secretBox.open(apiKeySealed);
  const outcome = await listOffers(ctx, { kind, baseUrl, apiKey });
  if ('reason' in outcome) {
    const note = `The list is old: ${outcome.reason}.`;
    await ctx.db.transaction(({ em }) =>
      em.nativeUpdate(Provider, { id: providerId, apiKeySealed }, { note }),
    );
    ctx.log.warn({ providerId, reason: outcome.reason }, 'The lists of a provider could not be refreshed');
    return outcome.isRefused ? 'refused' : 'later';
  }
  return ctx.db.transaction(async (tx) => {
    const asked = { id: providerId, apiKeySealed };
    const locked = await tx.em.findOne(Provider, asked, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!locked) return 'nothing-to-do';
    await writeListedVoices(tx, { providerId, owner: name, offers: outcome.voices });
    await writeListed(tx, 'llm_models', { providerId, owner: name, offers: outcome.models });
    Object.assign(locked, { note: null, refreshedAt: now(ctx) });
    return 'done';
  });
}

/** Enqueues one job for each provider that has lists. */
export async function refreshAllProviders(ctx: CoreContext): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const listed = { kind: [...LISTED_KINDS], apiKeySealed: { $ne: null } };
    const providers = await tx.em.find(Provider, listed, { orderBy: { id: 'asc' } });
    for (const { id } of providers) await enqueueRefresh(tx, id);
  });
}

/** Enqueues a refresh; at most one waits for each provider. */
export async function enqueueRefresh(tx: Tx, providerId: number): Promise<void> {
  await enqueue(tx, 'refresh_provider_voices', { providerId }, { jobKey: `refresh_provider:${providerId}` });
}

/** The table of a list, what references its rows, and the column that tells what they are for. */
type ListedTable = 'voices' | 'llm_models';
const USES: Record<ListedTable, string> = {
  voices: 'select from assistants a where a.voice_id = t.id',
  llm_models: `select from assistants a where a.llm_model_id = t.id
    union all select from knowledgebases k where k.embedding_model_id = t.id`,
};
const KINDS: Record<ListedTable, string> = { voices: 'mode', llm_models: 'purpose' };

const removal = (table: ListedTable) =>
  statement(
    `remove_unlisted_${table}`,
    `delete from ${table} t where provider_id = $1 and is_fetched and not (wire_name = any($2::text[]))
       and not exists (${USES[table]})`,
  );
const selection = (table: ListedTable) =>
  statement<{ name: string; ownWireName: string | null }>(
    `names_of_${table}`,
    `select name, case when provider_id = $1 then wire_name end as own_wire_name from ${table}`,
  );
const insertion = (table: ListedTable) =>
  statement(
    `insert_listed_${table}`,
    `insert into ${table} (name, ${KINDS[table]}, provider_id, wire_name, is_fetched)
     select o.name, o.kind, $1, o.wire_name, true
     from unnest($2::text[], $3::text[], $4::text[]) with ordinality o (name, wire_name, kind, place) order by o.place`,
  );
const forTable = (table: ListedTable) => ({
  remove: removal(table),
  select: selection(table),
  insert: insertion(table),
});
const setLanguages = statement(
  'set_languages_of_listed_voices',
  `update voices v set language_id = l.id
   from unnest($2::text[], $3::text[]) o (wire_name, language)
   left join lateral (select min(id) as id from languages where iso_2 = o.language) l on true
   where v.provider_id = $1 and v.is_fetched and v.wire_name = o.wire_name and v.language_id is distinct from l.id`,
);
const STATEMENTS = { voices: forTable('voices'), llm_models: forTable('llm_models') };

/** What is written to a list. @param owner - added to names */
interface Listed {
  providerId: number;
  owner: string;
  offers: readonly ListedOffer[];
}

/** Voices, with the language of those that speak one. */
export async function writeListedVoices(tx: Tx, listed: Listed): Promise<void> {
  const { providerId } = listed;
  const offers = listed.offers.filter(isStorable);
  await writeListed(tx, 'voices', listed);
  const wireNames = offers.map(({ wireName }) => wireName);
  const languages = offers.map(({ language = null }) => language);
  await tx.query(setLanguages, [providerId, wireNames, languages]);
}

/** Existing rows keep their names and ids, also when the provider has renamed them, because clients use both. */
export async function writeListed(
  tx: Tx,
  table: ListedTable,
  { providerId, owner, offers }: Listed,
): Promise<void> {
  const { remove, select, insert } = STATEMENTS[table];
  const listed = new Map(offers.filter(isStorable).map((offer) => [offer.wireName, offer]));
  await tx.query(remove, [providerId, [...listed.keys()]]);
  const rows = await tx.query(select, [providerId]);
  for (const { ownWireName } of rows) if (ownWireName !== null) listed.delete(ownWireName);
  const named = uniqueNames([...listed.values()], {
    owner,
    isOwnerAlwaysNamed: table === 'voices',
    taken: new Set(rows.map((row) => row.name)),
  });
  const names = named.map((offer) => offer.name);
  const kinds = named.map(({ mode = 'pipeline', purpose = 'conversation' }) =>
    table === 'voices' ? mode : purpose,
  );
  await tx.query(insert, [providerId, names, named.map((offer) => offer.wireName), kinds]);
}

/** Another name would be stored than is listed, so that every refresh would write the offer again. */
function isStorable({ name, wireName }: ListedOffer): boolean {
  return isStorableText(name) && isStorableText(wireName);
}
