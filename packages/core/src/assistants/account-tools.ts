/** Tools of an account: HTTP requests that any of its assistants may make during calls. */
import {
  errorText,
  fieldFault,
  type AccountToolChanges,
  type AccountToolRecord,
  type NewAccountTool,
} from '@parley/contracts';
import {
  LockMode,
  statement,
  Tool,
  type AssistantTool,
  type ToolRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError, type FieldMessages } from '../shared/domain-error.ts';
import { accountToolRecord, changedAccountTool, newAccountTool } from '../tools/account-tool.ts';
import { nameOfTool } from '../tools/assistant-tools.ts';
import type { Identity } from '../users/identity.ts';
import { requireBelowMaximum } from '../users/require-below-maximum.ts';

/** The maximum number of tools of one user. */
const MAX_TOOLS = 1000;
/** Assistants that an error names. */
const MOST_NAMED = 5;

interface UsingAssistant {
  name: string;
  /** The names of its own tools, and of the other tools of the account that it uses. */
  otherNames: string[];
}

/** SQL, because it looks into JSON arrays. */
const selectUsing = statement<UsingAssistant>(
  'assistants_using_tool',
  `select a.name, array(
     select coalesce(own->'data'->>'name', own->>'type') from jsonb_array_elements(a.tools) own
     union all
     select t.tool->'data'->>'name' from tools t where t.id <> $2 and a.tool_ids @> to_jsonb(t.id)
   ) as other_names
   from assistants a
   where a.user_id = $1 and a.deleted_at is null and a.tool_ids @> to_jsonb($2::bigint) order by a.id`,
);

/** All of them, newest first. */
export async function listAccountTools(ctx: CoreContext, { userId }: Identity): Promise<AccountToolRecord[]> {
  const rows = await ctx.db.em.find(Tool, { userId }, { orderBy: { id: 'desc' } });
  return rows.map(accountToolRecord);
}

/** @throws DomainError `not-found`, also when it has another owner */
export async function findAccountTool(
  ctx: CoreContext,
  { userId }: Identity,
  id: number,
): Promise<AccountToolRecord> {
  const row = await ctx.db.em.findOne(Tool, { id, userId });
  if (!row) throw toolNotFound();
  return accountToolRecord(row);
}

/** @throws DomainError `invalid` when a header has no value, or above the maximum */
export async function createAccountTool(
  ctx: CoreContext,
  { userId }: Identity,
  input: NewAccountTool,
): Promise<AccountToolRecord> {
  const { tool, faults } = newAccountTool(ctx.secretBox, input);
  refuse(faults);
  return ctx.db.transaction(async (tx) => {
    const added = { userId, most: MAX_TOOLS, what: 'tools', field: 'name' };
    await requireBelowMaximum(tx, added, () => tx.em.count(Tool, { userId }));
    const at = now(ctx);
    const row = tx.em.create(Tool, { userId, tool, createdAt: at, updatedAt: at });
    await tx.em.flush();
    return accountToolRecord(row);
  });
}

/**
 * Calls in progress keep the tool that they started with.
 *
 * @throws DomainError `not-found`; `invalid` when a header has no value, or when an assistant that uses the tool has another
 *   one of the new name
 */
export async function changeAccountTool(
  ctx: CoreContext,
  identity: Identity,
  { id, changes }: { id: number; changes: AccountToolChanges },
): Promise<AccountToolRecord> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockTool(tx, identity, id);
    const { tool, faults } = changedAccountTool(ctx.secretBox, row, changes);
    refuse({ ...faults, ...(await nameFaults(tx, row, tool)) });
    row.tool = tool;
    row.updatedAt = now(ctx);
    return accountToolRecord(row);
  });
}

/** @throws DomainError `not-found`; `conflict` while assistants use it */
export async function deleteAccountTool(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockTool(tx, identity, id);
    const using = await tx.query(selectUsing, [identity.userId, id]);
    if (using.length > 0) throw new DomainError('conflict', inUse(using));
    tx.em.remove(row);
  });
}

/** Assistants that are being given the tool wait for this lock, or this waits for them. */
async function lockTool(tx: Transaction, { userId }: Identity, id: number): Promise<ToolRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const row = await tx.em.findOne(Tool, { id, userId }, lock);
  if (!row) throw toolNotFound();
  return row;
}

async function nameFaults(
  tx: Tx,
  { id, userId, tool: before }: ToolRow,
  tool: AssistantTool,
): Promise<FieldMessages> {
  const name = nameOfTool(tool);
  if (name === nameOfTool(before)) return {};
  const using = await tx.query(selectUsing, [userId, id]);
  const taken = using.find(({ otherNames }) => otherNames.includes(name));
  return taken
    ? fieldFault('name', `The assistant "${taken.name}" has another tool with this :attribute.`)
    : {};
}

function inUse(using: readonly UsingAssistant[]): string {
  const named = using.slice(0, MOST_NAMED).map(({ name }) => `"${name}"`);
  const rest = using.length - named.length;
  const all = rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
  return `This tool is used by ${using.length === 1 ? 'the assistant' : 'the assistants'} ${all}. Remove it from their tool_ids first.`;
}

function refuse(fields: FieldMessages): void {
  if (Object.keys(fields).length > 0) throw new DomainError('invalid', errorText.invalidData, { fields });
}

function toolNotFound(): DomainError {
  return new DomainError('not-found', 'Tool not found');
}
