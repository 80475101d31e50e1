/** Text messages, and how many a user may send in a day. */
import { Migration } from '@mikro-orm/migrations';

export class CreateSmsMessages extends Migration {
  override up(): void {
    this.addSql(
      `create table sms_messages (
         id bigserial primary key, user_id bigint not null, carrier_account_id bigint not null,
         phone_number_id bigint not null, from_number text not null, to_number text not null, body text not null,
         status text not null, carrier_ref text null, segments integer null, cost numeric(12,6) null,
         currency text null, error text null, created_at timestamptz(6) not null, updated_at timestamptz(6) not null,
         constraint sms_messages_status_check check
           (status in ('queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'unknown'))
       )`,
    );
    this.addSql(
      `alter table sms_messages add constraint sms_messages_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql('create index sms_messages_user_id_created_at_index on sms_messages (user_id, created_at)');
    this.addSql('alter table dial_policy add column sms_per_day integer null default 200');
  }
}
