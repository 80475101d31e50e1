/** Users that an operator has disabled. */
import { Migration } from '@mikro-orm/migrations';

export class AddDisabledAt extends Migration {
  override up(): void {
    this.addSql('alter table users add column disabled_at timestamptz(6) null');
  }
}
