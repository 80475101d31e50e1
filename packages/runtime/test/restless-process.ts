/**
 * A process for tests of the supervisor. It says `started`, and then what `BEHAVIOUR` says: `stay` until SIGTERM,
 * `stubborn` also after it, `end` at once, `bad-settings` with exit code 78, `talk` says `hello` over its channel.
 */
import { watchParent } from '../src/index.ts';

const behaviour = process.env['BEHAVIOUR'];
process.stdout.write('started\n');
process.stderr.write('a complaint\n');
if (behaviour === 'end') process.exit(3);
if (behaviour === 'bad-settings') process.exit(78);
if (behaviour === 'talk') process.send?.('hello');
process.on('SIGTERM', () => {
  if (behaviour === 'stubborn') process.stdout.write('no\n');
  else process.exit(0);
});
watchParent(() => process.exit(0));
process.stdin.on('error', () => {});
setInterval(() => {}, 1_000);
