/** The models that replace the model of an assistant when it fails, by name. */
import { Migration } from '@mikro-orm/migrations';

export class AddFallbackModels extends Migration {
  override up(): void {
    this.addSql(`alter table assistants add column fallback_llm_models jsonb not null default '[]'`);
  }
}
