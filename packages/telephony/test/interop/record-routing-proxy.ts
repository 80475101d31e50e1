/** A real kamailio as a proxy that stays in the path of each dialog (Record-Route), over UDP and TCP on one port. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort, waitForTcp } from '@parley/testkit';
import type { TestLine } from './test-line.ts';

/** New calls go to `to`; everything within a dialog follows its routes. */
export async function startProxy(home: TestLine, to: { host: string; port: number }): Promise<number> {
  const port = await freePort();
  const file = path.join(home.folder, `proxy-${port}.cfg`);
  await writeFile(file, config(port, `sip:${to.host}:${to.port}`));
  const args = ['-f', file, '-Y', home.folder, '-w', home.folder, '-m', '64', '-M', '8', '-DD', '-E'];
  const kamailio = home.run('kamailio', args);
  await waitForTcp(port).catch((error: unknown) => {
    throw new Error(`kamailio did not start:\n${kamailio.output}`, { cause: error });
  });
  return port;
}

function config(port: number, target: string): string {
  const modules = ['tm', 'sl', 'pv', 'maxfwd', 'rr', 'siputils'];
  return [
    '#!KAMAILIO',
    'debug=2',
    'log_stderror=yes',
    'fork=yes',
    'children=1',
    'tcp_children=1',
    'auto_aliases=no',
    'dns=no',
    `listen=udp:127.0.0.1:${port}`,
    `listen=tcp:127.0.0.1:${port}`,
    ...modules.map((name) => `loadmodule "${name}.so"`),
    'request_route {',
    '  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }',
    '  if (method == "CANCEL") { if (t_check_trans()) t_relay(); exit; }',
    '  if (has_totag()) {',
    '    if (loose_route()) { t_relay(); exit; }',
    '    if (method == "ACK") { if (t_check_trans()) t_relay(); exit; }',
    '    sl_send_reply("404", "Not Found");',
    '    exit;',
    '  }',
    '  record_route();',
    `  $du = "${target}";`,
    '  t_relay();',
    '}',
    '',
  ].join('\n');
}
