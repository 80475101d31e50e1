/** A real kamailio as a proxy that stays in the path of each dialog (Record-Route), over UDP and TCP on one port. */
import { Kamailio, kamailioConfig } from '@parley/testkit';
import type { TestEndpoint } from './test-endpoint.ts';

/** New calls go to `to`; everything within a dialog follows its routes. Returns the port of the proxy. */
export async function startProxy(home: TestEndpoint, to: { host: string; port: number }): Promise<number> {
  const proxy = await Kamailio.start(home.folder, (port) => config(port, `sip:${to.host}:${to.port}`));
  home.atEnd(() => proxy.stop());
  return proxy.port;
}

function config(port: number, target: string): string {
  return kamailioConfig(
    port,
    ['rr', 'siputils'],
    [
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
    ],
  );
}
