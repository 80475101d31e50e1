/**
 * A child process that cannot outlive this one. A small `sh` script starts it and reads a pipe from this process. The
 * kernel closes the pipe even after SIGKILL, and the script then stops the child. The child has its own session, so that
 * Ctrl-C in a terminal does not reach it before the processes that use it have stopped.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { spawnOptionsOf, type PostgresAccount } from './postgres-account.ts';

export interface WatchedProcess {
  stderr: Readable;
  /** Closes the pipe, so that the child receives SIGINT. Has no effect after its end. */
  letGo(): void;
  /** Resolves when the child has ended: true if it ended without a request. */
  ended: Promise<{ wasUnexpected: boolean; exitCode: number | null }>;
}

/**
 * The reader (a subshell with only built-in commands) holds the pipe as descriptor 3; the child itself must not. If
 * `sh` is killed, the reader continues and still stops the child. The exit status of the child is that of `sh`.
 */
const WATCHDOG = `
exec 3<&0 </dev/null
"$@" 3<&- &
child=$!
(while read -r line; do :; done; kill -INT "$child") <&3 2>/dev/null >/dev/null &
reader=$!
exec 3<&-
wait "$child"
status=$?
kill "$reader" 2>/dev/null
exit "$status"
`;

/** Starts a command under an account. It receives SIGINT when it is released or this process ends. */
export function startWatched(command: readonly string[], account: PostgresAccount): WatchedProcess {
  const [file, ...args] = [...account.prefix, '/bin/sh', '-c', WATCHDOG, 'sh', ...command] as [
    string,
    ...string[],
  ];
  const child = spawn(file, args, {
    ...spawnOptionsOf(account),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let hasLetGo = false;
  // Nothing is written, but the reader may close the pipe first.
  child.stdin.on('error', () => {});
  return {
    stderr: child.stderr,
    letGo() {
      hasLetGo = true;
      child.stdin.end();
    },
    ended: waitForEnd(child, () => !hasLetGo),
  };
}

function waitForEnd(child: ChildProcess, isUnexpected: () => boolean): WatchedProcess['ended'] {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ wasUnexpected: isUnexpected(), exitCode }));
  });
}
