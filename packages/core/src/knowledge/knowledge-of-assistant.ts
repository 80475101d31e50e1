/** What an assistant knows from its knowledge base: a text for its prompt, or a base that it can search. */
import { fieldFault, wording } from '@parley/contracts';
import {
  Document,
  Knowledgebase,
  LockMode,
  statement,
  type AssistantRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import type { FieldMessages } from '../shared/domain-error.ts';

/** Characters of all documents of a knowledge base that is a part of a prompt, because every turn of a call sends them. */
export const MAX_PROMPT_CHARACTERS = 20_000;

/** The knowledge base of an assistant, as a conversation uses it. */
export interface AssistantKnowledge {
  knowledgebaseId: number;
  name: string;
  description: string | null;
  /** All documents, for the prompt; null when the assistant searches. */
  promptText: string | null;
}

/** The settings of an assistant that name its knowledge base. */
export type KnowledgeSettings = Pick<AssistantRow, 'knowledgebaseId' | 'knowledgebaseMode'>;

interface KnowledgeRow {
  id: number;
  name: string;
  description: string | null;
}

/** SQL, because it is read for every call. */
const selectKnowledge = statement<KnowledgeRow>(
  'knowledge_of_assistants',
  'select id, name, description from knowledgebases where user_id = $1 and id = any($2::bigint[])',
);
const selectTexts = statement<{ name: string; text: string }>(
  'knowledge_for_prompt',
  `select d.name, string_agg(c.content, E'\\n\\n' order by c.position) as text
   from documents d join document_chunks c on c.document_id = d.id
   where d.knowledgebase_id = $1 and d.status = 'active' group by d.id, d.name order by d.id`,
);

/** Knowledge bases by id. Those that were deleted or belong to another user are missing. */
export type KnowledgeById = ReadonlyMap<number, KnowledgeRow & { promptText: string | null }>;

/** Reads what the assistants of a call know. */
export async function loadKnowledge(
  tx: Tx,
  userId: number,
  assistants: readonly KnowledgeSettings[],
): Promise<KnowledgeById> {
  const using = assistants.filter(({ knowledgebaseId }) => (knowledgebaseId ?? null) !== null);
  if (using.length === 0) return new Map();
  const rows = await tx.query(selectKnowledge, [
    userId,
    using.map(({ knowledgebaseId }) => knowledgebaseId ?? 0),
  ]);
  const found = new Map<number, KnowledgeRow & { promptText: string | null }>();
  for (const row of rows) {
    const isInPrompt = using.some(
      ({ knowledgebaseId, knowledgebaseMode }) =>
        knowledgebaseId === row.id && knowledgebaseMode === 'prompt',
    );
    found.set(row.id, { ...row, promptText: isInPrompt ? await promptText(tx, row.id) : null });
  }
  return found;
}

/** @returns null for an assistant without a knowledge base */
export function knowledgeOf(
  { knowledgebaseId, knowledgebaseMode }: KnowledgeSettings,
  known: KnowledgeById,
): AssistantKnowledge | null {
  const row = known.get(knowledgebaseId ?? 0);
  if (!row) return null;
  const { id, name, description } = row;
  return {
    knowledgebaseId: id,
    name,
    description,
    promptText: knowledgebaseMode === 'prompt' ? (row.promptText ?? '') : null,
  };
}

/** Headings that repeat in the passages of a section cost a little more than the text itself; the limit covers them. */
async function promptText(tx: Tx, knowledgebaseId: number): Promise<string> {
  const documents = await tx.query(selectTexts, [knowledgebaseId]);
  const text = documents.map(({ name, text: content }) => `## ${name}\n\n${content}`).join('\n\n');
  return text.slice(0, 2 * MAX_PROMPT_CHARACTERS);
}

/**
 * The faults of an assistant's knowledge base. One of another user is treated as missing. It can be neither deleted nor get
 * another document before the transaction ends.
 */
export async function knowledgeFaults(
  tx: Transaction,
  userId: number,
  { knowledgebaseId, knowledgebaseMode }: KnowledgeSettings,
): Promise<FieldMessages> {
  if (knowledgebaseId === null) return {};
  const lock = { lockMode: LockMode.PESSIMISTIC_READ } as const;
  const row = await tx.em.findOne(Knowledgebase, { id: knowledgebaseId, userId }, lock);
  if (!row) return fieldFault('knowledgebase_id', wording.selected);
  if (knowledgebaseMode !== 'prompt') return {};
  const documents = await tx.em.find(Document, { knowledgebaseId: row.id }, { fields: ['characters'] });
  const total = documents.reduce((sum, { characters }) => sum + characters, 0);
  if (total <= MAX_PROMPT_CHARACTERS) return {};
  return fieldFault(
    'knowledgebase_mode',
    `The documents of this knowledge base have ${total} characters. A prompt takes at most ${MAX_PROMPT_CHARACTERS}; use function_call.`,
  );
}
