/** Runs kamailio with a given configuration, on one port of this machine. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ForeignProgram, freePort, waitForTcp } from './foreign-program.ts';

/** One running kamailio, over UDP and TCP on one port. */
export class Kamailio {
  readonly port: number;
  readonly #program: ForeignProgram;

  private constructor(port: number, program: ForeignProgram) {
    this.port = port;
    this.#program = program;
  }

  /**
   * Resolves when it listens.
   *
   * @param folder - in which it writes files
   * @param configOf - the text of its configuration
   * @param port - one that is free and that others know already; otherwise it gets one
   * @throws Error with its output
   */
  static async start(
    folder: string,
    configOf: (port: number) => string | Promise<string>,
    port?: number,
  ): Promise<Kamailio> {
    const listens = port ?? (await freePort());
    const file = path.join(folder, `kamailio-${listens}.cfg`);
    await writeFile(file, await configOf(listens));
    const args = ['-f', file, '-Y', folder, '-w', folder, '-m', '64', '-M', '8', '-DD', '-E'];
    const kamailio = new Kamailio(listens, new ForeignProgram('kamailio', args, folder));
    try {
      await waitForTcp(listens);
    } catch (error) {
      const { output } = kamailio;
      await kamailio.stop();
      throw new Error(`kamailio did not start:\n${output}`, { cause: error });
    }
    return kamailio;
  }

  /** What it wrote to its log. */
  get output(): string {
    return this.#program.output;
  }

  /** Not SIGKILL, which would leave its child processes behind. */
  async stop(): Promise<void> {
    await this.#program.terminate();
  }
}

/** A configuration without a database. `lines` are the parameters of the modules and the routes. */
export function kamailioConfig(port: number, modules: readonly string[], lines: readonly string[]): string {
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
    ...['tm', 'sl', 'pv', 'maxfwd', ...modules].map((name) => `loadmodule "${name}.so"`),
    ...lines,
    '',
  ].join('\n');
}
