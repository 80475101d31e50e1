/**
 * Runs kamailio as registrar and proxy: it authenticates REGISTER with one fixed password, keeps Contacts in memory, and
 * forwards INVITE to them. No database.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ForeignProgram, freePort, waitForTcp } from './foreign-program.ts';

export interface KamailioSettings {
  algorithm: 'MD5' | 'SHA-256';
  password: string;
  /** The longest time that it grants, seconds. */
  maxExpires: number;
  /** The life of a nonce, seconds. */
  nonceExpire: number;
}

/** One running kamailio, over UDP and TCP on one port. */
export class Kamailio {
  readonly port: number;
  readonly #program: ForeignProgram;

  private constructor(port: number, program: ForeignProgram) {
    this.port = port;
    this.#program = program;
  }

  /** @param folder - in which it writes files */
  static async start(folder: string, settings: KamailioSettings): Promise<Kamailio> {
    const port = await freePort();
    const file = path.join(folder, 'kamailio.cfg');
    await writeFile(file, config(port, settings));
    const args = ['-f', file, '-Y', folder, '-w', folder, '-m', '64', '-M', '8', '-DD', '-E'];
    const kamailio = new Kamailio(port, new ForeignProgram('kamailio', args, folder));
    try {
      await waitForTcp(port);
    } catch (error) {
      const { output } = kamailio.#program;
      await kamailio.stop();
      throw new Error(`kamailio did not start:\n${output}`, { cause: error });
    }
    return kamailio;
  }

  /** What it wrote to its log: for each accepted REGISTER a line `REGISTER from PORT with CONTACT expires SECONDS`. */
  get output(): string {
    return this.#program.output;
  }

  async stop(): Promise<void> {
    await this.#program.terminate();
  }
}

/**
 * `sanity_check` 17895 with 7 are all its checks: the form of the request line, Via, CSeq, Content-Length, Expires, URIs and
 * digest credentials, among others. A message that fails one gets an error response.
 */
function config(port: number, settings: KamailioSettings): string {
  const modules = ['tm', 'sl', 'pv', 'maxfwd', 'sanity', 'usrloc', 'registrar', 'auth', 'xlog'];
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
    '',
  ].join('\n');
}
