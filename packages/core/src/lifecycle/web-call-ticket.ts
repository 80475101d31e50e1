/** Whose ticket it is that a browser shows: of a user of the admin app, or of a visitor of a page with the widget. */
import { readWidgetSettings, type WidgetSettings } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { hashSecret } from '../shared/random-secret.ts';

/** The unused ticket of a web call. */
export interface WebCallTicket {
  userId: number;
  /** The settings of the widget as they are now; null for a call of the user's own. */
  widget: WidgetSettings | null;
}

const findTicket = statement<{
  userId: number;
  widgetSettings: Record<string, unknown>;
  isVisitors: boolean;
}>(
  'find_web_call_ticket',
  `select l.user_id, a.widget_settings, w.call_id is not null as is_visitors
   from live_calls l join assistants a on a.id = l.assistant_id
     left join widget_calls w on w.call_id = l.call_id
   where l.ticket_hash = $1 and l.type = 'web'`,
);

/** @returns null for a ticket that is unknown or used */
export async function findWebCallTicket(ctx: CoreContext, ticket: string): Promise<WebCallTicket | null> {
  const [row] = await ctx.db.query(findTicket, [hashSecret(ticket)]);
  if (!row) return null;
  return { userId: row.userId, widget: row.isVisitors ? readWidgetSettings(row.widgetSettings) : null };
}
