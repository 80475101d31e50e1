/**
 * Limits of calls: of an account, of a trunk (at once, and begun in a second), the pause of a trunk that fails, whom a
 * campaign waits for, and why each call of a campaign was dialed. Written from the entities; `schema.test.ts` holds
 * both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class LimitCalls extends Migration {
  override up(): void {
    for (const sql of CHANGES) this.addSql(sql);
  }
}

const CHANGES = [
  `alter table users add column max_calls int not null default 10000`,
  `alter table trunks add column max_cps int null, add column next_invite_at timestamptz(6) null,
     add column paused_until timestamptz(6) null, add column pause_seconds int not null default 0`,
  `
  create table trunk_outcomes (
    trunk_id bigint not null, call_id bigint not null, at timestamptz(6) not null, is_fault boolean not null,
    primary key (trunk_id, call_id)
  );
  create index trunk_outcomes_trunk_id_at_index on trunk_outcomes (trunk_id, at);
  `,
  `alter table campaigns add column is_lead_timezone_respected boolean not null default false,
     add column held_by text null, add column held_since timestamptz(6) null`,
  `create index campaigns_held_by_held_since_index on campaigns (held_by, held_since) where held_by is not null`,
  `alter table calls add column dial_decision jsonb null`,
  // What the account's limit counts.
  `create index live_calls_user_id_index on live_calls (user_id)`,
];
