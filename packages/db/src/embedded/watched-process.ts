/**
 * A child process that cannot outlive this one. A tiny `sh` starts it and reads a pipe from us; when the pipe ends,
 * which the kernel does for us even after SIGKILL, `sh` stops the child. The child is in a session of its own, so that
 * Ctrl-C in a terminal reaches it only through us, after everything that uses it has stopped.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { spawnOptionsOf, type PostgresAccount } from './postgres-account.ts';

export interface WatchedProcess {
  stderr: Readable;
  /** Ends the pipe, which sends SIGINT to the child. Harmless when the child is gone. */
  letGo(): void;
  /** Resolves once, when the child has ended; true while we had not let go of it. */
  ended: Promise<{ wasUnexpected: boolean; exitCode: number | null }>;
}

/**
 * The reader (a subshell with only built-in commands) holds the pipe as descriptor 3; the child itself must not. If
 * `sh` is killed, the reader lives on and still stops the child. The exit status of the child is that of `sh`.
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

/** Starts a command under an account, stopped with SIGINT when we let go or die. */
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
  // Writing nothing, but the far end may vanish first.
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
