/** Knowledge bases, their documents and the passages of the documents. */
import { Migration } from '@mikro-orm/migrations';

export class CreateKnowledgebases extends Migration {
  override up(): void {
    this.addSql(
      `create table knowledgebases (
         id bigserial primary key, user_id bigint not null, name text not null, description text null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      `create table documents (
         id bigserial primary key, user_id bigint not null, knowledgebase_id bigint not null, name text not null,
         description text null, type text not null, status text not null, failure text null, links jsonb not null,
         relative_links_limit int null, characters int not null, chunks int not null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null
       )`,
    );
    this.addSql('create table document_sources (document_id bigint primary key, content bytea not null)');
    this.addSql(
      `create table document_chunks (
         id bigserial primary key, document_id bigint not null, position int not null, content text not null,
         terms tsvector not null
       )`,
    );
    this.addSql(
      `alter table documents add constraint documents_type_check
         check (type in ('website', 'pdf', 'txt', 'md', 'html'))`,
    );
    this.addSql(
      `alter table documents add constraint documents_status_check
         check (status in ('processing', 'active', 'failed'))`,
    );
    for (const table of ['knowledgebases', 'documents']) this.#reference(table, 'user_id', 'users');
    this.#reference('documents', 'knowledgebase_id', 'knowledgebases');
    this.#reference('document_sources', 'document_id', 'documents', 'on update cascade ');
    this.#reference('document_chunks', 'document_id', 'documents');
    this.addSql('create index knowledgebases_user_id_id_index on knowledgebases (user_id, id)');
    this.addSql('create index documents_knowledgebase_id_id_index on documents (knowledgebase_id, id)');
    this.addSql('create index documents_user_id_index on documents (user_id)');
    this.addSql(
      'create index document_chunks_document_id_position_index on document_chunks (document_id, position)',
    );
    this.addSql(
      'create index document_chunks_terms_index on document_chunks using gin (terms) with (fastupdate = off)',
    );
  }

  #reference(table: string, column: string, target: string, rule = ''): void {
    this.addSql(
      `alter table ${table} add constraint ${table}_${column}_foreign
         foreign key (${column}) references ${target} (id) ${rule}on delete cascade`,
    );
  }
}
