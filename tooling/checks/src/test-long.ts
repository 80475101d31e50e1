/**
 * `npm run test:long`: kills and freezes of whole installations, stalled providers, bridged calls, pages of the admin app in
 * Chromium, and every case of the generated tests. Some of them measure time and need a machine that does nothing else. CI runs them after `npm test`.
 */
import { runVitest } from './run-vitest.ts';

process.exitCode = runVitest(
  ['--project', 'paired', '--project', 'long', '--project', 'pages', ...process.argv.slice(2)],
  process.env,
);
