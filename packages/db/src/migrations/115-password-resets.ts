/** A session that began with a link may set a new password without the current one for a while. */
import { Migration } from '@mikro-orm/migrations';

export class AddPasswordResets extends Migration {
  override up(): void {
    this.addSql(`alter table sessions add column password_reset_until timestamptz(6) null`);
  }
}
