/**
 * Providers beside those of OpenAI's interface, and what they list themselves.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class AddHostedProviders extends Migration {
  override up(): void {
    this.addSql(`
      alter table providers drop constraint providers_kind_check;
      alter table providers add constraint providers_kind_check check (kind in
        ('built-in', 'openai-compatible', 'openai', 'anthropic', 'google', 'deepgram', 'assemblyai', 'elevenlabs', 'cartesia'));
      alter table providers add column note text null, add column refreshed_at timestamptz(6) null;
      alter table llm_models add column is_fetched boolean not null default false;
      alter table voices add column is_fetched boolean not null default false;
    `);
  }
}
