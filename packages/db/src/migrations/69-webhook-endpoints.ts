/**
 * Addresses that subscribe to events, and their deliveries. The target of such a delivery contains the id of the endpoint, so
 * that the unique constraint over call, event and target allows one for each endpoint without a new index on a large table.
 * A check of the targets would have to list the ids.
 */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

export class CreateWebhookEndpoints extends Migration {
  override up(): void {
    this.addSql(
      `create table webhook_endpoints (
         id bigserial primary key, user_id bigint not null, url text not null, description text not null,
         events jsonb not null, assistant_ids jsonb not null, campaign_ids jsonb not null, is_enabled boolean not null,
         secret_sealed text not null, secret_old_sealed text null, secret_old_until timestamptz(6) null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      `alter table webhook_endpoints add constraint webhook_endpoints_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql('create index webhook_endpoints_user_id_id_index on webhook_endpoints (user_id, id)');
    this.addSql(
      'alter table deliveries add column endpoint_id bigint null, drop constraint deliveries_target_check',
    );
    this.addSql(readSql('functions/claim-deliveries'));
  }
}
