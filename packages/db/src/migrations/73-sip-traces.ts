/** The SIP messages and RTP statistics of calls, kept for some days. */
import { Migration } from '@mikro-orm/migrations';

export class CreateSipTraces extends Migration {
  override up(): void {
    this.addSql(
      `create table sip_traces (
         call_id bigint not null, call_created_at timestamptz(6) not null, user_id bigint not null,
         trunk_id bigint null, is_shared_trunk boolean not null, messages jsonb not null, omitted_messages int not null, media jsonb null,
         created_at timestamptz(6) not null,
         primary key (call_id)
       )`,
    );
    this.addSql('create index sip_traces_created_at_index on sip_traces (created_at)');
    this.addSql('create index sip_traces_trunk_id_call_id_index on sip_traces (trunk_id, call_id)');
    this.addSql('create index sip_traces_user_id_index on sip_traces (user_id)');
  }
}
