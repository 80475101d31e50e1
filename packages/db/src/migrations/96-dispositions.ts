/** The results that a campaign's owner defines, and the result of each call that has one. */
import { Migration } from '@mikro-orm/migrations';

export class CreateCallDispositions extends Migration {
  override up(): void {
    this.addSql(`alter table campaigns add column dispositions text[] not null default '{}'`);
    this.addSql(
      `create table call_dispositions (
         call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
         campaign_id bigint not null, disposition text not null, source text not null,
         set_at timestamptz(6) not null,
         primary key (call_id),
         constraint call_dispositions_source_check check (source in ('evaluation', 'person'))
       )`,
    );
    this.addSql(
      `create index call_dispositions_campaign_id_disposition_index on call_dispositions (campaign_id, disposition)`,
    );
    this.addSql(
      `create index call_dispositions_user_id_disposition_index on call_dispositions (user_id, disposition)`,
    );
  }
}
