/**
 * A process for tests of the supervisor. It prints `started` and then follows `BEHAVIOUR`: `stay` runs until SIGTERM,
 * `stubborn` ignores it, `end` ends at once, `bad-settings` ends with exit code 78, `talk` sends `hello` over its channel.
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
