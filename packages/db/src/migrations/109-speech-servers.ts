/** What a provider can do: the name of its transcription model, and what is known of servers that were found on the machine. */
import { Migration } from '@mikro-orm/migrations';

export class AddSpeechServers extends Migration {
  override up(): void {
    this.addSql(
      `alter table providers
         add column transcription_model text null,
         add column is_found boolean not null default false,
         add column converts_sample_rate boolean not null default false`,
    );
    this.addSql(
      `update providers set is_found = true
       where user_id is null and kind = 'openai-compatible' and name like '% (found on this machine)'`,
    );
  }
}
