/** Embeddings of passages, models that make them, and Word documents. */
import { Migration } from '@mikro-orm/migrations';

export class CreateEmbeddings extends Migration {
  override up(): void {
    this.addSql(`alter table llm_models add column purpose text not null default 'conversation'`);
    this.addSql(
      `alter table llm_models add constraint llm_models_purpose_check
         check (purpose in ('conversation', 'embedding'))`,
    );
    this.addSql(
      `alter table knowledgebases add column embedding_model_id bigint null, add column embedding_failure text null,
         add column embedding_failures int not null default 0, add column embedding_tokens bigint not null default 0,
         add column embedding_cost numeric(18,6) null default 0`,
    );
    this.addSql(
      `alter table knowledgebases add constraint knowledgebases_embedding_model_id_foreign
         foreign key (embedding_model_id) references llm_models (id)`,
    );
    this.addSql('alter table documents add column embedded_chunks int not null default 0');
    this.addSql('alter table documents drop constraint documents_type_check');
    this.addSql(
      `alter table documents add constraint documents_type_check
         check (type in ('website', 'pdf', 'docx', 'txt', 'md', 'html')) not valid`,
    );
    this.addSql('alter table documents validate constraint documents_type_check');
    this.addSql(
      `create table chunk_codes (
         chunk_id bigint primary key, knowledgebase_id bigint not null, llm_model_id bigint not null,
         code bit(512) not null
       )`,
    );
    this.addSql('create table chunk_vectors (chunk_id bigint primary key, vector bytea not null)');
    for (const table of ['chunk_codes', 'chunk_vectors'])
      this.addSql(
        `alter table ${table} add constraint ${table}_chunk_id_foreign
           foreign key (chunk_id) references document_chunks (id) on update cascade on delete cascade`,
      );
    this.addSql(
      `create index chunk_codes_knowledgebase_id_llm_model_id_index
         on chunk_codes (knowledgebase_id, llm_model_id)`,
    );
    // Bytes of vectors do not become smaller, and codes are read all the time.
    this.addSql('alter table chunk_codes alter column code set storage plain');
    this.addSql('alter table chunk_vectors alter column vector set storage external');
    this.addSql(
      'create table embedding_usage (user_id bigint primary key, day date not null, passages int not null)',
    );
    this.addSql(
      `alter table embedding_usage add constraint embedding_usage_user_id_foreign
         foreign key (user_id) references users (id) on update cascade on delete cascade`,
    );
  }
}
