/**
 * Runs baresip without sound card: it plays a WAV file into the call, records the received audio into another, and accepts
 * commands over a TCP port (netstrings of JSON, its module ctrl_tcp). Its TLS port is its SIP port + 1.
 */
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { readWav, wavHeader } from '@parley/audio';
import { freePort, waitForTcp, type ForeignProgram } from './foreign-program.ts';

const MODULES = '/usr/lib/baresip/modules';
/** How a codec is called in its configuration, and what it needs there. */
const CODECS = {
  PCMU: { name: 'PCMU/8000', module: 'g711', rateHz: 8000, channels: 1 },
  G722: { name: 'G722/16000/1', module: 'g722', rateHz: 16_000, channels: 1 },
  opus: { name: 'opus/48000/2', module: 'opus', rateHz: 48_000, channels: 2 },
};
type BaresipCodec = keyof typeof CODECS;

/** Options of a baresip process. */
export interface BaresipHome {
  /** The working folder, in which baresip writes files. */
  folder: string;
  run(program: string, args: readonly string[]): ForeignProgram;
}

/** TLS and SRTP: its certificate with the key in one file, and what it trusts. */
export interface BaresipSecurity {
  certificateFile: string;
  caFile: string;
}

/** One running baresip. */
export class Baresip {
  readonly port: number;
  readonly #folder: string;
  readonly #program: ForeignProgram;
  readonly #control: Socket;

  private constructor(port: number, folder: string, program: ForeignProgram, control: Socket) {
    this.port = port;
    this.#folder = folder;
    this.#program = program;
    this.#control = control;
  }

  /**
   * Starts it; it answers every call at once, plays the sound, and hangs up at its end.
   *
   * @param sound - mono, at the rate of the first codec: 8000 Hz, G.722 16 000 Hz, Opus 48 000 Hz
   * @param codecs - those that it offers and accepts, the preferred one first
   */
  static async start(
    home: BaresipHome,
    sound: Int16Array,
    secure?: BaresipSecurity,
    codecs: readonly [BaresipCodec, ...BaresipCodec[]] = ['PCMU'],
  ): Promise<Baresip> {
    const [port, controlPort] = [await freePort(), await freePort()];
    await writeFile(
      path.join(home.folder, 'config'),
      config(home.folder, { port, controlPort, secure, codecs }),
    );
    await writeFile(
      path.join(home.folder, 'accounts'),
      `<sip:phone@127.0.0.1${secure ? ';transport=tls' : ''}>;regint=0;answermode=auto;audio_codecs=${codecs.map((codec) => CODECS[codec].name).join(',')}${secure ? ';mediaenc=srtp-mand' : ''}\n`,
    );
    await writeFile(path.join(home.folder, 'contacts'), '');
    await writeFile(path.join(home.folder, 'sound.wav'), wavFile(sound, CODECS[codecs[0]].rateHz));
    const program = home.run('baresip', ['-f', home.folder]);
    await waitForTcp(controlPort);
    // The control port opens before the accounts are loaded; a command before that is lost.
    await program.untilItSays('baresip is ready');
    const control = connect({ host: '127.0.0.1', port: controlPort });
    await once(control, 'connect');
    return new Baresip(port, home.folder, program, control);
  }

  dial(uri: string): void {
    this.#order({ command: 'dial', params: uri });
  }

  /** Blind transfer: it sends REFER in its current call. */
  transfer(uri: string): void {
    this.#order({ command: 'transfer', params: uri });
  }

  /** Holds the current call: baresip sends a re-INVITE with `sendonly`. */
  hold(): void {
    this.#order({ command: 'hold' });
  }

  /** Resumes the held call: baresip sends a re-INVITE with `sendrecv`. */
  resume(): void {
    this.#order({ command: 'resume' });
  }

  hangUp(): void {
    this.#order({ command: 'hangup' });
  }

  /** The received audio of its last call, one channel at the rate of the codec. */
  async heard(): Promise<Int16Array> {
    const files = (await readdir(this.#folder)).filter((name) => name.endsWith('-dec.wav'));
    const [name] = files.toSorted().toReversed();
    if (name === undefined) throw new Error('baresip wrote no sound');
    const bytes = await readFile(path.join(this.#folder, name));
    return readWav(bytes).channels[0] ?? new Int16Array(0);
  }

  get output(): string {
    return this.#program.output;
  }

  #order(order: { command: string; params?: string }): void {
    const json = JSON.stringify({ token: 'test', ...order });
    this.#control.write(`${json.length}:${json},`);
  }
}

function wavFile(samples: Int16Array, sampleRateHz: number): Buffer {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([wavHeader({ sampleRateHz, channelCount: 1, dataBytes: data.length }), data]);
}

function config(
  folder: string,
  {
    port,
    controlPort,
    secure,
    codecs,
  }: {
    port: number;
    controlPort: number;
    secure: BaresipSecurity | undefined;
    codecs: readonly [BaresipCodec, ...BaresipCodec[]];
  },
): string {
  const modules = [
    ...codecs.map((codec) => CODECS[codec].module),
    'aufile',
    'aubridge',
    'sndfile',
    'ctrl_tcp',
    ...(secure ? ['srtp'] : []),
  ];
  const { rateHz, channels } = CODECS[codecs[0]];
  return [
    'poll_method epoll',
    `sip_listen 127.0.0.1:${port}`,
    ...(secure ? [`sip_certificate ${secure.certificateFile}`, `sip_cafile ${secure.caFile}`] : []),
    'call_local_timeout 120',
    'audio_player aubridge,nil',
    `audio_source aufile,${path.join(folder, 'sound.wav')}`,
    'audio_alert aubridge,nil',
    `ausrc_srate ${rateHz}`,
    `auplay_srate ${rateHz}`,
    'ausrc_channels 1',
    'auplay_channels 1',
    `audio_channels 1-${channels}`,
    'rtp_ports 20000-30000',
    `snd_path ${folder}`,
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    'net_interface 127.0.0.1',
    `module_path ${MODULES}`,
    ...modules.map((name) => `module ${name}.so`),
    ...['account', 'menu'].map((name) => `module_app ${name}.so`),
    '',
  ].join('\n');
}
