/** Records of consent by number, and campaigns that require them. */
import { Migration } from '@mikro-orm/migrations';

export class CreateConsents extends Migration {
  override up(): void {
    this.addSql(
      `create table consents (
         user_id bigint not null, phone_number text not null, source text not null, text text not null,
         consented_at timestamptz(6) not null, created_at timestamptz(6) not null,
         primary key (user_id, phone_number)
       )`,
    );
    this.addSql(
      `alter table consents add constraint consents_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql('alter table campaigns add column is_consent_required boolean not null default false');
  }
}
