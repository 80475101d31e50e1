/** Where a trunk's numbers are read and written, and the number from which an inbound call was diverted. */
import { Migration } from '@mikro-orm/migrations';

/** Column, default, and the values that it may have. */
const CHOICES = [
  ['inbound_caller_source', 'from', "'from', 'p_asserted_identity', 'remote_party_id'"],
  ['inbound_called_source', 'request_uri', "'request_uri', 'to', 'p_called_party_id', 'diversion'"],
  ['outbound_caller_header', 'from', "'from', 'p_asserted_identity', 'p_preferred_identity'"],
] as const;

export class AddNumberRules extends Migration {
  override up(): void {
    for (const [column, initial, values] of CHOICES) {
      this.addSql(`alter table trunks add column ${column} text not null default '${initial}'`);
      this.addSql(
        `alter table trunks add constraint trunks_${column}_check check (${column} in (${values}))`,
      );
    }
    this.addSql('alter table trunks add column from_user text null');
    this.addSql('alter table calls add column diverted_from text null');
  }
}
