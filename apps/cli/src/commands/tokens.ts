/** `token create`, `token list`, `token revoke`: the user's own tokens over the API, all tokens on the server. */
import type { TokenRecord } from '@parley/contracts';
import {
  issueToken,
  findUserByEmail,
  listTokens,
  revokeToken,
  TOKEN_SCOPES,
  type Identity,
  type PublicUser,
  type TokenScope,
} from '@parley/core';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { collectAllowedNumber, integer, positiveNumber } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { auditCommand, withServer } from '../server-access.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addTokenCommands(program: Command, console: Console): void {
  const token = program.command('token').description(texts.token.about);
  token
    .command('create')
    .description(texts.token.create)
    .argument('<email>', texts.common.userEmail)
    .option('--name <name>', texts.token.name, texts.token.defaultName)
    .addOption(new Option('--scope <scope...>', texts.token.scope).choices([...TOKEN_SCOPES]))
    .option('--expires-in <days>', texts.token.expires, positiveNumber)
    .option('--allow-number <number...>', texts.token.allowNumber, collectAllowedNumber)
    .option('--max-calls-per-day <number>', texts.token.maxCallsPerDay, integer)
    .option('--max-cost-per-day <amount>', texts.token.maxCostPerDay, positiveNumber)
    .option('--confirm-actions', texts.token.confirmActions)
    .option('--json', texts.common.json)
    .action((email: string, options: CreateOptions) => create(console, email, options));
  withOwner(token.command('list'))
    .description(texts.token.list)
    .action((options: OwnerOptions) => list(console, options));
  withConfirmation(withOwner(token.command('revoke')))
    .description(texts.token.revoke)
    .argument('<id>', texts.token.id, integer)
    .action((id: number, options: RevokeOptions) => revoke(console, id, options));
}

interface OwnerOptions extends ApiOptions {
  email?: string;
}

function withOwner(command: Command): Command {
  return withApiOptions(command).option('--email <email>', texts.token.owner);
}

interface CreateOptions {
  name: string;
  scope?: TokenScope[];
  expiresIn?: number;
  allowNumber?: string[];
  maxCallsPerDay?: number;
  maxCostPerDay?: number;
  confirmActions?: boolean;
  json?: boolean;
}

const DAY_MS = 24 * 3600 * 1000;

async function create(console: Console, email: string, options: CreateOptions): Promise<void> {
  await withServer(console, async (core) => {
    const user = await findUserByEmail(core, email);
    const { name, scope: scopes, expiresIn, allowNumber, maxCallsPerDay, maxCostPerDay } = options;
    const expiresAt =
      expiresIn === undefined ? undefined : new Date(console.clock.now() + expiresIn * DAY_MS);
    const { id, token } = await issueToken(core, ownerOf(user), {
      name,
      scopes,
      expires_at: expiresAt?.toISOString(),
      allowed_numbers: allowNumber,
      max_calls_per_day: maxCallsPerDay,
      max_cost_per_day: maxCostPerDay,
      requires_confirmation: options.confirmActions,
    });
    await auditCommand(core, 'tokens.create', id);
    print(console, { json: { id, token, email: user.email }, text: token ?? '' }, options.json);
  });
}

async function list(console: Console, options: OwnerOptions): Promise<void> {
  const tokens = await readTokens(console, options);
  const columns = {
    ID: (token: TokenRecord) => token.id,
    NAME: (token: TokenRecord) => token.name,
    'BEGINS WITH': (token: TokenRecord) => token.prefix,
    SCOPES: (token: TokenRecord) => token.scopes?.join(' ') ?? 'all',
    'LAST USED': (token: TokenRecord) => token.last_used_at ?? 'never',
    EXPIRES: (token: TokenRecord) => token.expires_at ?? 'never',
    REVOKED: (token: TokenRecord) => token.revoked_at ?? 'no',
  };
  print(console, { json: tokens, text: listing(tokens, columns, texts.token.none) }, options.json);
}

async function readTokens(console: Console, options: OwnerOptions): Promise<TokenRecord[]> {
  const { email } = options;
  if (email === undefined) return (await openApi(console, options).tokens.list()).body;
  return withServer(console, async (core) => listTokens(core, ownerOf(await findUserByEmail(core, email))));
}

interface RevokeOptions extends OwnerOptions, ConfirmationOptions {}

async function revoke(console: Console, id: number, options: RevokeOptions): Promise<void> {
  await confirm(console, options, texts.token.confirm(id));
  const { email } = options;
  if (email === undefined) await openApi(console, options).tokens.revoke({ params: { id } });
  else
    await withServer(console, async (core) => {
      await revokeToken(core, ownerOf(await findUserByEmail(core, email)), id);
      await auditCommand(core, 'tokens.revoke', id);
    });
  print(console, { json: { id, is_revoked: true }, text: texts.token.revoked(id) }, options.json);
}

/** Access to the database allows acting as any user. */
function ownerOf({ id, role }: PublicUser): Identity {
  return { userId: id, role, scopes: 'all', tokenId: null, timezone: 'UTC' };
}
