/** Webhook endpoints of a user: addresses that subscribe to events. */
import {
  errorText,
  fieldFault,
  wording,
  type EndpointChanges,
  type EndpointRecord,
  type NewEndpoint,
  type NewEndpointRecord,
  type NewWebhookSecret,
} from '@parley/contracts';
import {
  Assistant,
  Campaign,
  LockMode,
  WebhookEndpoint,
  type Transaction,
  type WebhookEndpointRow,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { disableEndpointDeliveries, moveEndpointDeliveries } from '../outbox/delivery-state.ts';
import { DomainError } from '../shared/domain-error.ts';
import { makeWebhookSecret } from '../shared/random-secret.ts';
import { lockUser } from '../users/end-sessions.ts';
import type { Identity } from '../users/identity.ts';
import { endpointRecord, secretsOf } from './endpoint-record.ts';
import { describeSecret } from './webhook-secret.ts';

/** Each event costs one delivery for each endpoint. */
const MAX_ENDPOINTS = 20;
const HOUR_MS = 3_600_000;

/** All of them, newest first. */
export async function listEndpoints(ctx: CoreContext, { userId }: Identity): Promise<EndpointRecord[]> {
  const rows = await ctx.db.em.find(WebhookEndpoint, { userId }, { orderBy: { id: 'desc' } });
  return rows.map((row) => endpointRecord(ctx, row));
}

/** The `whsec_…` secrets that sign events to the endpoints of a user; shown to the user only. */
export async function revealEndpointSecrets(ctx: CoreContext, userId: number): Promise<string[]> {
  const rows = await ctx.db.em.find(WebhookEndpoint, { userId });
  return rows.map(({ secretSealed }) => ctx.secretBox.open(secretSealed));
}

/** @throws DomainError `not-found`, also when it has another owner */
export async function findEndpoint(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<EndpointRecord> {
  return endpointRecord(ctx, await findEndpointRow(ctx, identity, id));
}

/** The same, with its secrets. */
export async function findEndpointRow(
  ctx: CoreContext,
  { userId }: Identity,
  id: number,
): Promise<WebhookEndpointRow> {
  const row = await ctx.db.em.findOne(WebhookEndpoint, { id, userId });
  if (!row) throw endpointNotFound();
  return row;
}

/**
 * @returns the endpoint with its secret, which is shown only once
 * @throws DomainError `invalid` for a filter with an assistant or campaign that is missing; `conflict` above the maximum
 */
export async function createEndpoint(
  ctx: CoreContext,
  identity: Identity,
  input: NewEndpoint,
): Promise<NewEndpointRecord> {
  const { userId } = identity;
  const secret = makeWebhookSecret();
  return ctx.db.transaction(async (tx) => {
    // Requests at the same time wait for each other, so that the maximum is exact.
    await lockUser(tx, userId);
    if ((await tx.em.count(WebhookEndpoint, { userId })) >= MAX_ENDPOINTS)
      throw new DomainError('conflict', `An account has at most ${MAX_ENDPOINTS} webhook endpoints.`);
    await checkFilters(tx, identity, input);
    const at = now(ctx);
    const row = tx.em.create(WebhookEndpoint, {
      userId,
      url: input.url,
      description: input.description,
      events: distinct(input.events),
      assistantIds: distinct(input.assistant_ids),
      campaignIds: distinct(input.campaign_ids),
      isEnabled: input.is_enabled,
      secretSealed: ctx.secretBox.seal(secret),
      secretOldSealed: null,
      secretOldUntil: null,
      createdAt: at,
      updatedAt: at,
    });
    await tx.em.flush();
    return { ...endpointRecord(ctx, row), secret };
  });
}

/**
 * What waits for the endpoint goes to its new address; if it is switched off, it is not sent.
 *
 * @throws DomainError `not-found`; `invalid` for a filter with an assistant or campaign that is missing
 */
export async function changeEndpoint(
  ctx: CoreContext,
  identity: Identity,
  { id, changes }: { id: number; changes: EndpointChanges },
): Promise<EndpointRecord> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, identity, id);
    await checkFilters(tx, identity, changes);
    const { url, description, events, assistant_ids, campaign_ids, is_enabled } = changes;
    const isMoved = url !== undefined && url !== row.url;
    row.url = url ?? row.url;
    row.description = description ?? row.description;
    row.events = events ? distinct(events) : row.events;
    row.assistantIds = assistant_ids ? distinct(assistant_ids) : row.assistantIds;
    row.campaignIds = campaign_ids ? distinct(campaign_ids) : row.campaignIds;
    row.isEnabled = is_enabled ?? row.isEnabled;
    row.updatedAt = now(ctx);
    await tx.em.flush();
    if (isMoved) await moveEndpointDeliveries(tx, row);
    if (!row.isEnabled) await disableEndpointDeliveries(ctx, tx, row);
    return endpointRecord(ctx, row);
  });
}

/**
 * Its deliveries stay in the log; those that wait are not sent.
 *
 * @throws DomainError `not-found`
 */
export async function deleteEndpoint(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, identity, id);
    tx.em.remove(row);
    await tx.em.flush();
    await disableEndpointDeliveries(ctx, tx, { userId: identity.userId, id });
  });
}

/**
 * Creates a new secret. The previous one stays valid for the given hours; an older one expires at once.
 *
 * @param input.keepOldForHours - 0: the previous secret expires at once
 * @throws DomainError `not-found`
 */
export async function rotateEndpointSecret(
  ctx: CoreContext,
  identity: Identity,
  { id, keepOldForHours }: { id: number; keepOldForHours: number },
): Promise<NewWebhookSecret> {
  const secret = makeWebhookSecret();
  return ctx.db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, identity, id);
    const oldUntil = keepOldForHours > 0 ? new Date(ctx.clock.now() + keepOldForHours * HOUR_MS) : null;
    row.secretOldSealed = oldUntil && row.secretSealed;
    row.secretOldUntil = oldUntil;
    row.secretSealed = ctx.secretBox.seal(secret);
    row.updatedAt = now(ctx);
    return { ...describeSecret(ctx, secretsOf(row)), secret };
  });
}

async function lockEndpoint(tx: Transaction, { userId }: Identity, id: number): Promise<WebhookEndpointRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const row = await tx.em.findOne(WebhookEndpoint, { id, userId }, lock);
  if (!row) throw endpointNotFound();
  return row;
}

async function checkFilters(
  { em }: Transaction,
  { userId }: Identity,
  { assistant_ids = [], campaign_ids = [] }: Pick<EndpointChanges, 'assistant_ids' | 'campaign_ids'>,
): Promise<void> {
  const own = { userId, deletedAt: null };
  const [assistants, campaigns] = [distinct(assistant_ids), distinct(campaign_ids)];
  const isComplete = async (ids: readonly number[], count: () => Promise<number>): Promise<boolean> =>
    ids.length === 0 || (await count()) === ids.length;
  const faults = {
    ...(!(await isComplete(assistants, () => em.count(Assistant, { ...own, id: { $in: assistants } }))) &&
      fieldFault('assistant_ids', wording.selected)),
    ...(!(await isComplete(campaigns, () => em.count(Campaign, { ...own, id: { $in: campaigns } }))) &&
      fieldFault('campaign_ids', wording.selected)),
  };
  if (Object.keys(faults).length > 0)
    throw new DomainError('invalid', errorText.invalidData, { fields: faults });
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function endpointNotFound(): DomainError {
  return new DomainError('not-found', 'Webhook endpoint not found');
}
