/** The second factor of users: the secret of an authenticator app, and recovery codes. */
import { Migration } from '@mikro-orm/migrations';

export class AddSecondFactor extends Migration {
  override up(): void {
    this.addSql(
      `alter table users add column totp_secret_sealed text null, add column totp_enabled_at timestamptz(6) null,
         add column totp_last_step int null`,
    );
    this.addSql(
      'create table recovery_codes (code_hash bytea not null, user_id bigint not null, primary key (code_hash))',
    );
    this.addSql('create index recovery_codes_user_id_index on recovery_codes (user_id)');
    this.addSql(
      `alter table recovery_codes add constraint recovery_codes_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
  }
}
