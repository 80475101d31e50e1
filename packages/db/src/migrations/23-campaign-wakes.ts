/**
 * Slots of campaigns that have come free, noted by whoever ended a call and forgotten by whoever fills the campaign, so
 * that a process which dies between the two leaves nothing behind unseen. Written from the entities; `schema.test.ts`
 * holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class NoteCampaignWakes extends Migration {
  override up(): void {
    for (const sql of STEPS) this.addSql(sql);
  }
}

const STEPS = [
  `create table campaign_wakes (id bigserial primary key, campaign_id bigint not null, at timestamptz(6) not null)`,
  `create index campaign_wakes_campaign_id_index on campaign_wakes (campaign_id)`,
  // Every row is soon dead: scans must not wade through what is gone.
  `alter table campaign_wakes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0)`,
];
