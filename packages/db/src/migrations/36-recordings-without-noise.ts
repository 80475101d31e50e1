/** Recordings from which the worker has removed the noise. */
import { Migration } from '@mikro-orm/migrations';

export class AddNoiseRemoved extends Migration {
  override up(): void {
    this.addSql('alter table recordings add column is_noise_removed boolean not null default false');
  }
}
