/**
 * Calls of visitors of web pages (docs/widget.md). A visitor needs no account, so that every call is limited: for each
 * assistant, for each network address, and in its duration. The assistant is locked while calls are counted, so that
 * requests at the same time cannot exceed a limit together.
 */
import { readWidgetSettings, type WidgetSettings } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { addCallEvent } from '../calls/call-events.ts';
import { pickVoiceProcess } from '../capacity/lease.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { hashSecret } from '../shared/random-secret.ts';
import { insertWebCall, type PlacedWebCall } from './place-web-call.ts';

/** The period of the limits per hour, and how long a visitor's address is stored as a hash. */
const PERIOD_MS = 3_600_000;
/** Calls at once of one network address; several people in one office share one. */
const CALLS_OF_VISITOR = 3;
/** Rows removed by one sweep. */
const BATCH = 1000;

interface WidgetRow {
  id: number;
  userId: number;
  widgetSettings: Record<string, unknown>;
}

const FIND = `select a.id, a.user_id, a.widget_settings from assistants a join users u on u.id = a.user_id
   where a.uuid = $1 and a.deleted_at is null and a.status = 'active' and u.disabled_at is null`;
const findAssistant = statement<WidgetRow>('find_widget', FIND);
const lockAssistant = statement<WidgetRow>('lock_widget', `${FIND} for no key update of a`);

/** A call ends its share when it has ended, or when its ticket was not used in time. */
const LIVE = `l.call_id is not null and (l.ticket_expires_at is null or l.ticket_expires_at > $4)`;
const countCalls = statement<{
  live: number;
  liveOfVisitor: number;
  recent: number;
  recentOfVisitor: number;
}>(
  'count_widget_calls',
  `select count(*) filter (where ${LIVE}) as live,
     count(*) filter (where ${LIVE} and w.visitor = $2) as live_of_visitor,
     count(*) as recent, count(*) filter (where w.visitor = $2) as recent_of_visitor
   from widget_calls w left join live_calls l on l.call_id = w.call_id
   where w.assistant_id = $1 and w.placed_at > $3`,
);
const insertWidgetCall = statement(
  'insert_widget_call',
  `insert into widget_calls (call_id, user_id, assistant_id, visitor, placed_at) values ($1, $2, $3, $4, $5)`,
);
const removeOld = statement<{ callId: number }>(
  'remove_old_widget_calls',
  `delete from widget_calls where call_id in
     (select call_id from widget_calls where placed_at < $1 order by placed_at limit ${BATCH} for update skip locked)
   returning call_id`,
);

/** @returns null when there is no active assistant with this UUID, or when its user is disabled */
export async function findWidget(ctx: CoreContext, uuid: string): Promise<WidgetSettings | null> {
  const [row] = await ctx.db.query(findAssistant, [uuid]);
  return row ? readWidgetSettings(row.widgetSettings) : null;
}

/** The request of a visitor. */
export interface WidgetCallInput {
  /** The uuid of the assistant. */
  uuid: string;
  /** The origin of the page; stored in the timeline of the call. */
  origin: string;
  /** The network address, as the limits count it. */
  visitor: string;
  /** Whether the widget with these settings may be used on the page. */
  isAllowed: (settings: WidgetSettings) => boolean;
}

/**
 * Places a web call for a visitor.
 *
 * @throws DomainError `not-found` without such an assistant; `forbidden` for another page; `too-many` when a limit is
 *   reached; `unavailable` when no voice process takes calls
 */
export async function placeWidgetCall(ctx: CoreContext, input: WidgetCallInput): Promise<PlacedWebCall> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.query(lockAssistant, [input.uuid]);
    if (!row) throw new DomainError('not-found', 'Assistant not found');
    const settings = readWidgetSettings(row.widgetSettings);
    if (!input.isAllowed(settings)) throw new DomainError('forbidden', 'This page may not use the widget.');
    if (!(await pickVoiceProcess(tx, { canWait: false })))
      throw new DomainError('unavailable', 'All lines are in use.');
    const at = now(ctx);
    const visitor = hashSecret(`${row.id}\n${input.visitor}`);
    await requireFreeCall(tx, { assistantId: row.id, visitor, settings, at });
    const { userId } = row;
    const { placed, createdAt } = await insertWebCall(
      ctx,
      tx,
      { userId },
      { assistantId: row.id, maxSeconds: settings.maxCallSeconds },
    );
    await tx.query(insertWidgetCall, [placed.callId, userId, row.id, visitor, at]);
    const call = { id: placed.callId, createdAt };
    await addCallEvent(tx, call, { at: createdAt, type: 'widget_used', detail: { origin: input.origin } });
    return placed;
  });
}

interface CountedCall {
  assistantId: number;
  visitor: Buffer;
  settings: WidgetSettings;
  at: Date;
}

async function requireFreeCall(tx: Tx, { assistantId, visitor, settings, at }: CountedCall): Promise<void> {
  const since = new Date(at.getTime() - PERIOD_MS);
  const [counts] = await tx.query(countCalls, [assistantId, visitor, since, at]);
  if (!counts) throw new Error('The calls of a widget could not be counted');
  const isFree =
    counts.live < settings.maxConcurrentCalls &&
    counts.liveOfVisitor < CALLS_OF_VISITOR &&
    counts.recent < settings.maxCallsPerHour &&
    counts.recentOfVisitor < settings.maxCallsPerVisitor;
  if (!isFree) throw new DomainError('too-many', 'Too many calls at the moment. Try again later.');
}

/** Forgets the calls of more than an hour ago. Run by the sweep; the rest is removed by the next one. */
export async function removeOldWidgetCalls(ctx: CoreContext): Promise<void> {
  await ctx.db.query(removeOld, [new Date(ctx.clock.now() - PERIOD_MS)]);
}
