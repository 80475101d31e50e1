/** The body of a create or update: a JSON file, and single fields on the command line, which take precedence. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { collectVariable } from './arguments.ts';
import { callerPath } from './caller-path.ts';
import { CommandError, EXIT } from './command-error.ts';
import type { Environment } from './settings.ts';
import { texts } from './texts.ts';

/** The options that {@link withBodyOptions} adds. */
export interface BodyOptions {
  file?: string;
  set: Record<string, string>;
}

/** @param command - gets `--file` and `--set` */
export function withBodyOptions(command: Command): Command {
  return command
    .option('--file <path>', texts.body.file)
    .option('--set <field=value...>', texts.body.set, collectVariable, {});
}

/**
 * The fields are not validated here: the API reports the invalid ones.
 *
 * @throws CommandError if the file is invalid or no field was given
 */
export function readBody(environment: Environment, options: BodyOptions): object {
  const fields = Object.entries(options.set).map(([name, text]) => [name, parseValue(text)]);
  if (options.file === undefined && fields.length === 0) {
    throw new CommandError(texts.body.empty, { exitCode: EXIT.usage });
  }
  const fromFile = options.file === undefined ? {} : readObject(environment, options.file);
  return { ...fromFile, ...Object.fromEntries(fields) };
}

/** `12`, `true`, `null`, `["monday"]` are JSON; any other value is text. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readObject(environment: Environment, path: string): object {
  const value = readJson(callerPath(environment, path), path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandError(texts.body.notObject(path), { exitCode: EXIT.usage });
}

function readJson(path: string, shown: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : undefined;
    throw new CommandError(texts.body.notJson(shown), {
      exitCode: EXIT.usage,
      cause,
      ...(why === undefined ? {} : { hint: why }),
    });
  }
}
