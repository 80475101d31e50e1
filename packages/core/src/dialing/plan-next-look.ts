/** Decides what a campaign that was just filled waits for: the end of a call, a time, or nothing because it is complete. */
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { WindowState } from './calling-window.rules.ts';
import { keepHold, type CampaignHold } from '../capacity/campaign-hold.ts';
import type { StoredCampaign } from './campaign-rows.ts';
import { completeCampaign } from './campaign-status.ts';
import { announceCompletedCampaign } from '../outbox/announce-events.ts';
import { wakeCampaignAt } from '../jobs/wake-campaign.ts';

/**
 * A running import updates its row every few seconds, and an upload that stalls for a minute is aborted. An import whose
 * row is older than this has lost its process. Milliseconds.
 */
export const IMPORT_SILENCE_MS = 90_000;

const selectNextReady = statement<{ readyAt: Date }>(
  'next_ready_queue_entry',
  `select ready_at from dial_queue where campaign_id = $1 order by ready_at limit 1`,
);
/** The state of a campaign after a fill. */
export interface FilledCampaign {
  campaign: StoredCampaign;
  window: WindowState;
  /** Free slots under its own limit. */
  free: number;
  /** The shared limit that stopped the fill. */
  hold: CampaignHold | null;
  hasBegun: boolean;
  at: Date;
  databaseNow: Date;
}

/** Requires the campaign's lock. At the limit nothing is planned: the end of any of its calls fills it again. */
export async function planNextLook(ctx: CoreContext, tx: Tx, filled: FilledCampaign): Promise<void> {
  const { campaign, free, at, hasBegun } = filled;
  if (hasBegun && free <= 0 && campaign.heldBy === null) return;
  const [next] = await tx.query(selectNextReady, [campaign.id]);
  const hold = next && next.readyAt <= at ? filled.hold : null;
  await keepHold(tx, campaign, { hold, hasBegun, at });
  if (!next) return complete(ctx, tx, campaign, at);
  if (free <= 0) return;
  const lookAt = hold ? hold.until : nextInstant(ctx, filled, next.readyAt);
  if (lookAt) await wakeCampaignAt(tx, campaign.id, byDatabase(filled, lookAt));
}

/** @returns null when the calling window never opens */
function nextInstant(ctx: CoreContext, { campaign, window, at }: FilledCampaign, readyAt: Date): Date | null {
  const opensAt = window.isOpen ? at : window.opensAt;
  if (opensAt === null) {
    ctx.log.warn({ campaignId: campaign.id }, 'A campaign has leads, but its calling window never opens');
    return null;
  }
  return readyAt > opensAt ? readyAt : opensAt;
}

/**
 * Jobs start by the clock of the database. If the clock of this process is behind, a time that is still in the future
 * here has passed there, and the job would be repeated at once until the time has come here too.
 */
function byDatabase({ at, databaseNow }: FilledCampaign, instant: Date): Date {
  const waitMs = instant.getTime() - at.getTime();
  const least = databaseNow.getTime() + waitMs;
  return waitMs > 0 && least > instant.getTime() ? new Date(least) : instant;
}

/** No lead is queued and none is being called: the campaign is complete, unless it is set to wait for more leads. */
async function complete(ctx: CoreContext, tx: Tx, campaign: StoredCampaign, at: Date): Promise<void> {
  if (!campaign.isCompletedWithoutLeads) return;
  const importsSince = new Date(at.getTime() - IMPORT_SILENCE_MS);
  if (!(await completeCampaign(tx, campaign, { at, importsSince }))) return;
  await announceCompletedCampaign(tx, campaign, at);
  ctx.log.info({ campaignId: campaign.id }, 'A campaign is complete');
}
