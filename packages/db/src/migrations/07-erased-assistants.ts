/**
 * Deleted assistants lose their configuration after their last call; this remembers which have. And a webhook that is
 * switched off finds what still waited for it.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class RememberErasedAssistants extends Migration {
  override up(): void {
    this.addSql('alter table assistants add column erased_at timestamptz(6) null');
    this.addSql(
      'create index assistants_to_erase_index on assistants (deleted_at) where deleted_at is not null and erased_at is null',
    );
    this.addSql(
      `create index deliveries_pending_index on deliveries (assistant_id) where status = 'pending'`,
    );
  }
}
