/** Access to the public REST API, for commands that run on any machine with an address and a token. */
import { createParleyClient, type ParleyClient } from '@parley/client';
import { pause } from '@parley/runtime';
import type { Command } from 'commander';
import { CommandError, EXIT } from './command-error.ts';
import type { Console } from './console.ts';
import { findInstallation } from './settings.ts';
import { texts } from './texts.ts';

/** The options of every command that uses the API. */
export interface ApiOptions {
  url?: string;
  token?: string;
  json?: boolean;
}

/** Gives a command the options of {@link ApiOptions}. */
export function withApiOptions(command: Command): Command {
  return withServerOptions(command).option('--json', texts.api.json);
}

/** Gives a command the options that say where the API is. */
export function withServerOptions(command: Command): Command {
  return command.option('--url <address>', texts.api.url).option('--token <token>', texts.api.token);
}

/**
 * The typed client of the installation. Ctrl-C aborts pending requests.
 *
 * @throws CommandError without a token; no request is sent
 */
export function openApi(
  console: Console,
  options: ApiOptions,
  limits: { timeoutMs?: number } = {},
): ParleyClient {
  return createParleyClient({
    ...limits,
    baseUrl: apiAddress(console, options),
    token: apiToken(console, options),
    fetch: (input, init) => {
      const signals = init?.signal ? [console.signal, init.signal] : [console.signal];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
    wait: async (milliseconds) => {
      await pause(console.clock, milliseconds, console.signal);
      if (console.signal.aborted) throw new CommandError(texts.api.stopped);
    },
  });
}

/** @throws CommandError without a token */
export function apiToken(console: Console, options: Pick<ApiOptions, 'token'>): string {
  const token = options.token ?? findInstallation(console.environment).token;
  if (token) return token;
  throw new CommandError(texts.api.tokenMissing, {
    exitCode: EXIT.configuration,
    hint: texts.api.tokenHint,
  });
}

/** @throws CommandError for an address that is none of the web */
export function apiAddress(console: Console, options: Pick<ApiOptions, 'url'>): string {
  return webAddress(options.url ?? findInstallation(console.environment).url ?? 'http://127.0.0.1:3000');
}

function webAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new CommandError(texts.api.badUrl(text), {
    exitCode: EXIT.usage,
  });
}
