/** Limits of single users and trunks, costs of calls in progress, and the webhook that reports reached limits, which belongs to no call. */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

const LIMITS = `add column max_calls_per_second int null, add column max_calls_per_day int null,
  add column max_cost_per_day numeric(12,6) null`;

export class AddOwnDialLimits extends Migration {
  override up(): void {
    this.addSql(`alter table users ${LIMITS}, add column limit_webhook_url text null`);
    this.addSql(`alter table trunks ${LIMITS}`);
    this.addSql(readSql('functions/open-dial-cost'));
    this.addSql(
      `alter table dial_warnings add column threshold_percent int not null default 80,
         drop constraint dial_warnings_pkey,
         add primary key (scope, subject_id, day, measure, threshold_percent)`,
    );
    this.addSql(
      `alter table deliveries alter column call_id drop not null, alter column call_created_at drop not null,
         alter column assistant_id drop not null, drop constraint deliveries_target_check`,
    );
    this.addSql(
      `alter table deliveries add constraint deliveries_target_check
         check (target in ('post-call', 'inbound', 'limit')) not valid`,
    );
  }
}
