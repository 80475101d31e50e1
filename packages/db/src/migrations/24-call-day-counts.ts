/**
 * Sums of `call_counts` by the day, for the list without filters: adding up every combination of status, type, assistant
 * and campaign took most of its time. docs/decisions/call-counts.md
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class SumCallDays extends Migration {
  override up(): void {
    for (const sql of STEPS) this.addSql(sql);
  }
}

const STEPS = [
  `create table call_day_counts (
     user_id bigint not null, day date not null, count int not null, primary key (user_id, day)
   )`,
  // Nobody folds while the sums are made.
  `lock table call_counts in share row exclusive mode`,
  `insert into call_day_counts select user_id, day, sum(count) from call_counts group by 1, 2`,
  `alter function parley_recount_calls() rename to parley_recount_call_cells`,
  `create function parley_recount_calls() returns void language plpgsql as $$
   begin
     perform parley_recount_call_cells();
     delete from call_day_counts;
     insert into call_day_counts select user_id, day, sum(count) from call_counts group by 1, 2;
   end
   $$`,
];
