/** API tokens with limits: the numbers that they may call, and calls and cost per day. */
import { Migration } from '@mikro-orm/migrations';

export class AddTokenLimits extends Migration {
  override up(): void {
    this.addSql(
      `alter table api_tokens add column allowed_numbers text[] null, add column max_calls_per_day int null,
         add column max_cost_per_day numeric(12,6) null`,
    );
  }
}
