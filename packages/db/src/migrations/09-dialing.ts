/**
 * What campaigns need to dial: the do-not-call list, the round of an attempt, whose turn it is among the caller numbers,
 * and why a lead is not being called. Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class CreateDialing extends Migration {
  override up(): void {
    for (const sql of CHANGES) this.addSql(sql);
  }
}

const CHANGES = [
  `
  create table do_not_call (
    user_id bigint not null, phone_number text not null, reason text not null, created_at timestamptz(6) not null,
    primary key (user_id, phone_number)
  );
  alter table do_not_call add constraint do_not_call_user_id_foreign
    foreign key (user_id) references users (id) on delete cascade;
  `,
  `alter table campaigns add column caller_turn int not null default 0`,
  `alter table calls add column attempt int null`,
  `create index calls_lead_id_index on calls (lead_id) where lead_id is not null`,
  `alter table leads add column dial_reason text null`,
  `create index leads_dialing_index on leads (campaign_id) where dial_state = 'dialing'`,
];
