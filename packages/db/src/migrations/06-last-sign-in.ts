/** When each user last signed in to the admin app. */
import { Migration } from '@mikro-orm/migrations';

export class AddLastSignIn extends Migration {
  override up(): void {
    this.addSql('alter table users add column last_sign_in_at timestamptz(6) null');
    this.addSql(
      'update users u set last_sign_in_at = (select max(created_at) from sessions s where s.user_id = u.id)',
    );
  }
}
