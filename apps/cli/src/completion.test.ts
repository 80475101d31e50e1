import { execFileSync } from 'node:child_process';
import { systemClock } from '@parley/runtime';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { openTerminal } from '../test/terminal.ts';
import { createProgram } from './program.ts';

const terminal = openTerminal({});

/** The tree of commands; no command runs. */
function setup(): Command {
  return createProgram({
    environment: {},
    clock: systemClock,
    signal: new AbortController().signal,
    write: () => undefined,
    remark: () => undefined,
    ask: null,
  });
}

/** The completions of bash for the last of `words`, one per line. */
async function completeInBash(words: readonly string[]): Promise<string[]> {
  const { out: script } = await terminal.run('completion', 'bash');
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _parley; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', ask, 'bash', 'parley', ...words], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

test.each([
  ['a command', ['camp'], ['campaigns']],
  ['several commands', ['call'], ['call', 'calls']],
  ['a sub-command', ['campaigns', 'st'], ['start', 'stop']],
  ['options of a command', ['calls', 'list', '--p'], ['--phone-number', '--page', '--per-page']],
  ['options after an argument', ['numbers', 'remove', '12', '--y'], ['--yes']],
  ['words of an option', ['trunks', 'add', '--transport', ''], ['udp', 'tcp', 'tls']],
  ['a word with a space', ['numbers', 'add', '--label', 'Ca'], [String.raw`Caller\ ID`]],
  ['words of an argument', ['completion', 'z'], ['zsh']],
  [
    'a value that is the name of a command',
    ['leads', 'list', '--phone-number', 'call', '--st'],
    ['--status'],
  ],
  ['no match', ['calls', 'list', 'x'], ['']],
])('bash completes %s', async (_name, words, offered) => {
  expect(await completeInBash(words)).toEqual(offered);
});

test.each(['bash', 'zsh', 'fish'])('the script for %s has every command and option', async (shell) => {
  const ran = await terminal.run('completion', shell);
  expect(ran).toMatchObject({ exitCode: 0, err: '' });
  const words = leavesOf(setup()).flatMap((command) => [
    command.name(),
    ...command.options.map(({ long }) => (shell === 'fish' ? `-l ${long?.slice(2)}` : String(long))),
  ]);
  expect(words.filter((word) => !ran.out.includes(word))).toEqual([]);
});

test('every command except `mcp` and `completion` can print JSON', () => {
  const without = leavesOf(setup()).filter((leaf) => !leaf.options.some(({ long }) => long === '--json'));
  expect(without.map((leaf) => leaf.name())).toEqual(['mcp', 'completion']);
});

test('an unknown shell is an invalid command line', async () => {
  expect(await terminal.run('completion', 'tcsh')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('Allowed choices are bash, zsh, fish') as string,
  });
});

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}
