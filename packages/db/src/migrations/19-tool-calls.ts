/**
 * What assistants have done in their calls besides talking.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class AddToolCalls extends Migration {
  override up(): void {
    this.addSql(`alter table calls add column tool_calls jsonb not null default '[]'::jsonb`);
  }
}
