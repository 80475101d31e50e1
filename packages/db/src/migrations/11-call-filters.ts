/**
 * An index for each filter of the calls list: without them a count reads a user's whole history.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class IndexCallFilters extends Migration {
  override up(): void {
    this.addSql(`
      create index calls_by_status_index on calls (user_id, status, created_at, id) include (type);
      create index calls_by_type_index on calls (user_id, type, created_at, id);
      create index calls_by_assistant_index on calls (user_id, assistant_id, created_at, id) include (status, type);
      create index calls_by_campaign_index on calls (user_id, campaign_id, created_at, id)
        include (status, type, assistant_id) where campaign_id is not null;
      create index calls_by_client_index on calls (user_id, client_phone_number, created_at, id);
    `);
  }
}
