/**
 * kamailio as registrar and proxy: it authenticates REGISTER with one fixed password, keeps Contacts in memory, and forwards
 * INVITE to them. For each accepted REGISTER it writes the line `REGISTER from PORT with CONTACT expires SECONDS`.
 */
import { Kamailio, kamailioConfig } from './kamailio.ts';

export interface RegistrarSettings {
  algorithm: 'MD5' | 'SHA-256';
  password: string;
  /** The longest time that it grants, seconds. */
  maxExpires: number;
  /** The life of a nonce, seconds. */
  nonceExpire: number;
}

/** @param folder - in which it writes files */
export async function startRegistrar(folder: string, settings: RegistrarSettings): Promise<Kamailio> {
  return await Kamailio.start(folder, (port) => config(port, settings));
}

/**
 * `sanity_check` 17895 with 7 are all its checks: the form of the request line, Via, CSeq, Content-Length, Expires, URIs and
 * digest credentials, among others. A message that fails one gets an error response.
 */
function config(port: number, settings: RegistrarSettings): string {
  return kamailioConfig(
    port,
    ['sanity', 'usrloc', 'registrar', 'auth', 'xlog'],
    [
      'modparam("usrloc", "db_mode", 0)',
      `modparam("registrar", "max_expires", ${settings.maxExpires})`,
      `modparam("auth", "nonce_expire", ${settings.nonceExpire})`,
      'modparam("auth", "nonce_count", 1)',
      `modparam("auth", "algorithm", "${settings.algorithm}")`,
      'request_route {',
      '  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }',
      '  if (!sanity_check("17895", "7")) { exit; }',
      '  if (method == "REGISTER") {',
      // The flags of a challenge: 1 is qop="auth", 16 is stale=true. The result -4 is a stale nonce.
      `    $var(result) = pv_www_authenticate("$fd", "${settings.password}", "0");`,
      '    if ($var(result) == -4) { www_challenge("$fd", "17"); exit; }',
      '    if ($var(result) < 0) { www_challenge("$fd", "1"); exit; }',
      '    if ($au != $tU) { sl_send_reply("403", "Forbidden"); exit; }',
      '    save("location");',
      '    xlog("REGISTER from $sp with $ct expires $hdr(Expires)\\n");',
      '    exit;',
      '  }',
      '  if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }',
      '  t_relay();',
      '}',
    ],
  );
}
