/** Sessions say when and from where they began, and which cookies belong to the same sign-in. */
import { Migration } from '@mikro-orm/migrations';

export class DescribeSignIns extends Migration {
  override up(): void {
    // The default gives each existing session an id of its own. The table has one row for each signed-in browser.
    this.addSql(`alter table sessions add column sign_in_id uuid not null default gen_random_uuid(),
      add column signed_in_at timestamptz(6) null, add column network_address text null, add column user_agent text null`);
    this.addSql('create index sessions_sign_in_id_index on sessions (sign_in_id)');
  }
}
