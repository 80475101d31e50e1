/** Seals all stored secrets with the current `SECRET_KEY`, the last step of its change (docs/operations.md). */
import {
  Assistant,
  AssistantVersion,
  CarrierAccount,
  LockMode,
  Provider,
  Tool,
  Trunk,
  User,
  WebhookEndpoint,
  type EntityWriter,
} from '@parley/db';
import { resealReplaced } from '../assistants/version-settings.ts';
import type { CoreContext } from '../context.ts';
import { resealTools } from '../tools/assistant-tools.ts';
import { countCallsWithOtherKeys } from './calls-with-other-keys.ts';

/** What was done. */
export interface ResealedSecrets {
  /** Rows with a secret that another key had sealed. */
  changed: number;
  /** Calls in progress with secrets that another key has sealed. They keep them until they end. */
  callsWithOtherKeys: number;
}

/** Rows that are locked at a time. */
const BATCH = 100;

/**
 * May run while calls run, and again after an interruption.
 *
 * @throws UnknownKeyError; rows that were resealed before remain so
 */
export async function resealSecrets(ctx: CoreContext): Promise<ResealedSecrets> {
  const counts = [...(await resealAccounts(ctx)), ...(await resealLines(ctx)), ...(await resealTooling(ctx))];
  const changed = counts.reduce((sum, count) => sum + count, 0);
  return { changed, callsWithOtherKeys: await countCallsWithOtherKeys(ctx) };
}

/** The secrets of users and of their webhook endpoints. */
async function resealAccounts(ctx: CoreContext): Promise<number[]> {
  const again = resealer(ctx);
  return [
    await eachBatch(ctx, async (em, page) => {
      const users = await em.find(User, page.where, page.options);
      return changeAll(users, (user) => {
        const [now, old] = [again(user.webhookSecretSealed), again(user.webhookSecretOldSealed)];
        const totp = again(user.totpSecretSealed);
        if (now !== null) user.webhookSecretSealed = now;
        if (old !== null) user.webhookSecretOldSealed = old;
        if (totp !== null) user.totpSecretSealed = totp;
        return now !== null || old !== null || totp !== null;
      });
    }),
    await eachBatch(ctx, async (em, page) => {
      const endpoints = await em.find(WebhookEndpoint, page.where, page.options);
      return changeAll(endpoints, (endpoint) => {
        const [now, old] = [again(endpoint.secretSealed), again(endpoint.secretOldSealed)];
        if (now !== null) endpoint.secretSealed = now;
        if (old !== null) endpoint.secretOldSealed = old;
        return now !== null || old !== null;
      });
    }),
  ];
}

/** Keys of providers, passwords of trunks and secrets of carrier accounts. */
async function resealLines(ctx: CoreContext): Promise<number[]> {
  const again = resealer(ctx);
  return [
    await eachBatch(ctx, async (em, page) => {
      const providers = await em.find(Provider, page.where, page.options);
      return changeAll(providers, (provider) => {
        const key = again(provider.apiKeySealed);
        if (key !== null) provider.apiKeySealed = key;
        return key !== null;
      });
    }),
    await eachBatch(ctx, async (em, page) => {
      const trunks = await em.find(Trunk, page.where, page.options);
      return changeAll(trunks, (trunk) => {
        const password = again(trunk.passwordSealed);
        if (password !== null) trunk.passwordSealed = password;
        return password !== null;
      });
    }),
    await eachBatch(ctx, async (em, page) => {
      const accounts = await em.find(CarrierAccount, page.where, page.options);
      return changeAll(accounts, (account) => {
        const secret = again(account.secretSealed);
        if (secret !== null) account.secretSealed = secret;
        return secret !== null;
      });
    }),
  ];
}

/** Headers of tools: of assistants, of their versions, and of accounts. */
async function resealTooling(ctx: CoreContext): Promise<number[]> {
  return [
    await eachBatch(ctx, async (em, page) => {
      const assistants = await em.find(Assistant, page.where, page.options);
      return changeAll(assistants, (assistant) => {
        const tools = resealTools(ctx.secretBox, assistant.tools);
        if (tools !== null) assistant.tools = tools;
        return tools !== null;
      });
    }),
    await eachBatch(ctx, async (em, page) => {
      const versions = await em.find(AssistantVersion, page.where, page.options);
      return changeAll(versions, (version) => {
        const replaced = resealReplaced(ctx.secretBox, version.replaced);
        if (replaced !== null) version.replaced = replaced;
        return replaced !== null;
      });
    }),
    await eachBatch(ctx, async (em, page) => {
      const rows = await em.find(Tool, page.where, page.options);
      return changeAll(rows, (row) => {
        const [tool] = resealTools(ctx.secretBox, [row.tool]) ?? [];
        if (tool) row.tool = tool;
        return tool !== undefined;
      });
    }),
  ];
}

function resealer({ secretBox }: CoreContext): (sealed: string | null) => string | null {
  return (sealed) => (sealed === null ? null : secretBox.reseal(sealed));
}

/** The next rows of a table, locked. */
interface Page {
  where: { id: { $gt: number } };
  options: { orderBy: { id: 'asc' }; limit: number; lockMode: LockMode.PESSIMISTIC_WRITE };
}

/** What became of a page. */
interface Changes {
  /** Null after the last row. */
  lastId: number | null;
  changed: number;
}

/** One transaction for each page. @returns the number of changed rows */
async function eachBatch(
  ctx: CoreContext,
  work: (em: EntityWriter, page: Page) => Promise<Changes>,
): Promise<number> {
  let changed = 0;
  let after: number | null = 0;
  while (after !== null) {
    const where: Page['where'] = { id: { $gt: after } };
    const options = { orderBy: { id: 'asc' }, limit: BATCH, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const page: Changes = await ctx.db.transaction(async ({ em }) => work(em, { where, options }));
    changed += page.changed;
    after = page.lastId;
  }
  return changed;
}

function changeAll<Row extends { id: number }>(rows: readonly Row[], change: (row: Row) => boolean): Changes {
  let changed = 0;
  for (const row of rows) if (change(row)) changed += 1;
  return { lastId: rows.at(-1)?.id ?? null, changed };
}
