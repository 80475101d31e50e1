/** Finds the passages of a knowledge base that answer a question. It runs while a caller waits. */
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
  /** Of the conversation, ISO 639-1: its stems and stop words. */
  language: string;
}

/** Words of a question that are used. */
const MAX_WORDS = 16;
const MAX_QUERY = 2000;
const MAX_PASSAGES = 5;
/** A word that is in more passages than this counts as common: it does not select passages, but it still ranks them. */
const COMMON = 2000;

/**
 * A word of four letters or more matches all words that begin with it or with its stem. Stop words are left out, unless
 * the question has nothing else. Candidates are the passages with the rarest words, and those with all words; they are
 * ranked by the words that they contain, rare ones counting more. Each step reads a limited number of rows.
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
   ), counted as materialized (
     select k.query, (
         select count(*) from (select from document_chunks c where c.terms @@ k.query limit ${COMMON + 1}) found
       ) as hits
     from kept k
   ), chosen as materialized (
     select query, hits, sum(hits) over (order by hits, query::text) as total from counted where hits > 0
   ), every_word as materialized (
     select string_agg('(' || query::text || ')', ' & ')::tsquery as query from chosen
   ), candidates as materialized (
     select r.id from chosen t
     cross join lateral (select c.id from document_chunks c where c.terms @@ t.query limit ${COMMON}) r
     where t.total <= ${COMMON}
     union
     select r.id from every_word t
     cross join lateral (select c.id from document_chunks c where c.terms @@ t.query limit ${COMMON}) r
     union
     select r.id from (select query from chosen order by hits, query::text limit 1) t
     cross join lateral (select c.id from document_chunks c where c.terms @@ t.query limit ${COMMON}) r
   ), ranked as materialized (
     select c.id, c.document_id, c.position, c.content,
       (select sum(ln(1 + 100000.0 / t.hits)) from chosen t where c.terms @@ t.query) as score
     from candidates k join document_chunks c on c.id = k.id
     order by score desc, length(c.content), c.id limit ${MAX_PASSAGES}
   )
   select r.id, r.document_id, d.name as document_name, r.position, r.content
   from ranked r join documents d on d.id = r.document_id
   where d.user_id = $4 and d.knowledgebase_id = $1
   order by r.score desc, length(r.content), r.id`,
);

/** The best passages first; none when nothing contains a word of the question. */
export async function searchKnowledge(
  ctx: CoreContext,
  { knowledgebaseId, userId, query, language }: KnowledgeQuestion,
): Promise<Passage[]> {
  const words = searchTerms(query.slice(0, MAX_QUERY)).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  return ctx.db.query(selectPassages, [knowledgebaseId, words, stemmerOf(language), userId]);
}
