/** What the replies in written conversations cost. */
import { Migration } from '@mikro-orm/migrations';

export class AddCostsOfReplies extends Migration {
  override up(): void {
    this.addSql(
      `alter table written_conversations
         add column total_cost numeric(12,6) not null default 0,
         add column are_costs_complete boolean not null default true`,
    );
  }
}
