/** What a campaign that was just filled waits for: a call's end, a clock, or nothing any more. */
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { WindowState } from './calling-window.rules.ts';
import { keepHold, type CampaignHold } from '../capacity/campaign-hold.ts';
import type { StoredCampaign } from './campaign-rows.ts';
import { wakeCampaignAt } from '../jobs/wake-campaign.ts';

/**
 * A running import updates its row every few seconds, and an upload that stalls for a minute is aborted. An import whose
 * row is older than this has lost its process. Milliseconds.
 */
export const IMPORT_SILENCE_MS = 90_000;

const selectNextReady = statement<{ readyAt: Date }>(
  'next_ready_place',
  `select ready_at from dial_queue where campaign_id = $1 order by ready_at limit 1`,
);
/**
 * An empty campaign has not run out of leads: it waits for its first. Nor has one whose leads are still being imported;
 * the sweep looks again each minute. A call that is settled meanwhile moves its lead from the one place to the other, so
 * both are looked at in one statement.
 */
const completeIfDone = statement<{ id: number }>(
  'complete_campaign',
  `update campaigns set status = 'completed', updated_at = $2
   where id = $1 and exists (select 1 from leads where campaign_id = $1)
     and not exists (select 1 from dial_queue where campaign_id = $1)
     and not exists (select 1 from leads where campaign_id = $1 and dial_state = 'dialing')
     and not exists (
       select 1 from lead_imports where campaign_id = $1 and state = 'running' and updated_at > $3)
   returning id`,
);

/** Where the campaign stands after a fill. */
export interface FilledCampaign {
  campaign: StoredCampaign;
  window: WindowState;
  /** Calls that may still begin under its own limit. */
  free: number;
  /** The shared limit that stopped the fill. */
  hold: CampaignHold | null;
  hasBegun: boolean;
  at: Date;
  databaseNow: Date;
}

/** Holds the campaign's lock. At the limit nothing is planned or looked up: the end of any of its calls fills it again. */
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

/** @returns null when there is none, ever */
function nextInstant(ctx: CoreContext, { campaign, window, at }: FilledCampaign, readyAt: Date): Date | null {
  const opensAt = window.isOpen ? at : window.opensAt;
  if (opensAt === null) {
    ctx.log.warn({ campaignId: campaign.id }, 'A campaign has leads and no hour in which it may call them');
    return null;
  }
  return readyAt > opensAt ? readyAt : opensAt;
}

/**
 * Jobs begin by the database's clock. Where this process's clock is behind, an instant that is still to come here has
 * passed there, and the job would run again and again until it has come here too.
 */
function byDatabase({ at, databaseNow }: FilledCampaign, instant: Date): Date {
  const waitMs = instant.getTime() - at.getTime();
  const least = databaseNow.getTime() + waitMs;
  return waitMs > 0 && least > instant.getTime() ? new Date(least) : instant;
}

/** Nobody waits and nobody is being called: there is nothing left to do, unless leads are to be added for ever. */
async function complete(ctx: CoreContext, tx: Tx, campaign: StoredCampaign, at: Date): Promise<void> {
  if (!campaign.isCompletedWithoutLeads) return;
  const stillImportedAfter = new Date(at.getTime() - IMPORT_SILENCE_MS);
  const [done] = await tx.query(completeIfDone, [campaign.id, at, stillImportedAfter]);
  if (done) ctx.log.info({ campaignId: campaign.id }, 'A campaign is complete');
}
