/** Finds the passages of a knowledge base that answer a question, by their words. It runs while a caller waits. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { searchTerms, stemmerOf } from './search-terms.rules.ts';

/** A passage that was found. */
export interface Passage {
  id: number;
  documentId: number;
  documentName: string;
  /** Place in the document, from 0. */
  position: number;
  content: string;
}

/** What is asked, and where. */
export interface KnowledgeQuestion {
  knowledgebaseId: number;
  /** The owner, who may have deleted the knowledge base since. */
  userId: number;
  query: string;
  /** The language of the conversation (ISO 639-1), which decides about stems and stop words. */
  language: string;
}

/** Words of a question that are used. */
const MAX_WORDS = 16;
export const MAX_QUERY = 2000;
/** Passages that a search returns. */
export const MAX_PASSAGES = 5;
/** A word that is in more passages than this counts as common: it does not select passages, but it still ranks them. */
const COMMON = 500;
/** A word that is in more passages than this, as a sample says, is not looked up, because its list in the index is long. */
const CERTAINLY_COMMON = 4 * COMMON;
/** Passages of the sample, which is taken of knowledge bases with more passages than {@link CERTAINLY_COMMON}. */
const SAMPLE = 200;
/** Passages whose words are compared with those of the question; this reads all of their words. */
const MAX_RANKED = 150;

/**
 * A word of four letters or more matches all words that begin with it or with its stem. Stop words are left out, unless
 * the question has nothing else. A word
 * that is common in a sample of the passages is not looked up alone. Candidates are the passages with the other words, and
 * those with all words; the best of them are ranked by all words that they contain, rare ones counting more. Each step
 * reads a limited number of rows. "terms || ''" unpacks the words of a passage once instead of for each comparison.
 */
const selectPassages = statement<Passage>(
  'search_knowledge',
  `with words as materialized (
     select w.word, ts_lexize($3::regdictionary, w.word) as stems from unnest($2::text[]) as w (word)
   ), kept as materialized (
     select distinct ((
         format('''%s/%s''', $1::bigint, word) || case when length(word) >= 4 then ':*' else '' end
         || coalesce(case when length(stems[1]) >= 3 and stems[1] <> word
              then format(' | ''%s/%s'':*', $1::bigint, stems[1]) end, '')
       )::tsquery) as query
     from words
     where coalesce(cardinality(stems), 1) > 0
       or not exists (select from words other where coalesce(cardinality(other.stems), 1) > 0)
   ), size as materialized (
     select coalesce(sum(chunks), 0) as total from documents where knowledgebase_id = $1
   ), sample as materialized (
     select c.terms || ''::tsvector as terms from size
     join documents d on d.knowledgebase_id = $1 and size.total > ${CERTAINLY_COMMON}
     cross join lateral generate_series(0, d.chunks - 1, (size.total / ${SAMPLE})::int) as place
     cross join lateral (
       select terms from document_chunks where document_id = d.id and position = place limit 1
     ) c
   ), estimated as materialized (
     select k.query, coalesce((select avg((s.terms @@ k.query)::int) from sample s) * size.total, 0) as hits
     from kept k cross join size
   ), matched as materialized (
     select k.query, r.id from estimated k
     cross join lateral (select c.id from document_chunks c where c.terms @@ k.query limit ${COMMON + 1}) r
     where k.hits <= ${CERTAINLY_COMMON}
   ), chosen as materialized (
     select query, hits, ln(1 + 100000.0 / hits)::float8 as weight from (
       select query, count(*) as hits from matched group by query
       union all
       select query, hits from estimated where hits > ${CERTAINLY_COMMON}
     ) counted
   ), every_word as materialized (
     select r.id from (
       select string_agg('(' || query::text || ')', ' & ')::tsquery as query from chosen having count(*) > 1
     ) t
     cross join lateral (select c.id from document_chunks c where c.terms @@ t.query limit ${MAX_RANKED}) r
   ), rarest as materialized (
     select r.id from (select query from chosen order by hits, query::text limit 1) t
     cross join lateral (select c.id from document_chunks c where c.terms @@ t.query limit ${MAX_RANKED}) r
   ), known as materialized (
     select id, sum(weight) as score from (
       select m.id, t.weight from matched m join chosen t on t.query = m.query where t.hits <= ${COMMON}
       union all
       select e.id, (select sum(weight) from chosen) from every_word e
       union all
       select id, 0 from rarest
     ) weighed
     group by id order by score desc, id limit ${MAX_RANKED}
   ), opened as materialized (
     select c.id, c.document_id, c.position, c.content, c.terms || ''::tsvector as terms
     from known k join document_chunks c on c.id = k.id
   ), ranked as materialized (
     select c.id, c.document_id, c.position, c.content,
       (select sum(t.weight) from chosen t where c.terms @@ t.query) as score
     from opened c order by score desc, length(c.content), c.id limit $5::int
   )
   select r.id, r.document_id, d.name as document_name, r.position, r.content
   from ranked r join documents d on d.id = r.document_id
   where d.user_id = $4 and d.knowledgebase_id = $1
   order by r.score desc, length(r.content), r.id`,
);

/** At most `limit` passages, the best first; none when nothing contains a word of the question. */
export async function searchKnowledge(
  ctx: CoreContext,
  { knowledgebaseId, userId, query, language }: KnowledgeQuestion,
  limit = MAX_PASSAGES,
): Promise<Passage[]> {
  const words = searchTerms(query.slice(0, MAX_QUERY)).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  return ctx.db.query(selectPassages, [knowledgebaseId, words, stemmerOf(language), userId, limit]);
}
