/** Trunks over TLS, and the encryption of their audio. */
import { Migration } from '@mikro-orm/migrations';

export class AddTrunkTls extends Migration {
  override up(): void {
    this.addSql(
      `alter table trunks add column tls_verify boolean not null default true,
         add column media_encryption text not null default 'none'`,
    );
    this.addSql('alter table trunks drop constraint trunks_transport_check');
    this.addSql(
      `alter table trunks add constraint trunks_transport_check check (transport in ('udp', 'tcp', 'tls'))`,
    );
    this.addSql(
      `alter table trunks add constraint trunks_media_encryption_check
         check (media_encryption in ('none', 'required'))`,
    );
  }
}
