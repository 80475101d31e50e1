/**
 * Callers who wait in the queue of a phone number (the table holds only live calls, so that the index is made at once), and
 * the name and identity of callers; and the outcome of calls with an agent.
 */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

export class AddInboundQueue extends Migration {
  override up(): void {
    this.addSql(
      `alter table live_calls
         add column queue_number_id bigint null,
         add column queued_at timestamptz(6) null,
         add column is_queue_stalled boolean not null default false`,
    );
    this.addSql(
      `create index live_calls_queue_number_id_index on live_calls (queue_number_id)
         where queue_number_id is not null`,
    );
    this.addSql('alter table calls add column caller_name text null, add column caller_identity jsonb null');
    this.addSql('alter table trunks add column from_name text null');
    this.addSql(readSql('functions/call-outcome'));
  }
}
