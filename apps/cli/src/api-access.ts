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
  return command
    .option('--url <address>', texts.api.url)
    .option('--token <token>', texts.api.token)
    .option('--json', texts.api.json);
}

/**
 * The typed client of the installation. Ctrl-C aborts pending requests.
 *
 * @throws CommandError without a token; no request is sent
 */
export function openApi(console: Console, options: ApiOptions): ParleyClient {
  const installation = findInstallation(console.environment);
  const token = options.token ?? installation.token;
  if (!token) {
    throw new CommandError(texts.api.tokenMissing, {
      exitCode: EXIT.configuration,
      hint: texts.api.tokenHint,
    });
  }
  return createParleyClient({
    baseUrl: webAddress(options.url ?? installation.url ?? 'http://127.0.0.1:3000'),
    token,
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

function webAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new CommandError(texts.api.badUrl(text), {
    exitCode: EXIT.usage,
  });
}
