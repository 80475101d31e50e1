/** The API log: requests that API tokens made. Without foreign keys, because it is written in batches beside other work. */
import { Migration } from '@mikro-orm/migrations';

export class CreateApiLog extends Migration {
  override up(): void {
    this.addSql(
      `create table api_requests (
         id bigserial primary key, at timestamptz(6) not null, user_id bigint not null, token_id bigint not null,
         method text not null, path text not null, operation text not null, object_id bigint null, status int not null,
         code text null, duration_ms int not null, is_complete boolean not null, request_id uuid not null,
         network_address text not null, count int not null
       )`,
    );
    this.addSql('create index api_requests_user_id_id_index on api_requests (user_id, id)');
    this.addSql('create index api_requests_at_index on api_requests (at)');
    this.addSql('alter table api_requests add constraint api_requests_request_id_unique unique (request_id)');
  }
}
