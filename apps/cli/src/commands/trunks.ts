/** `trunks`: the SIP trunks for outbound and inbound calls. Over the REST API, from any machine. */
import {
  trunkCalledSources,
  trunkCallerHeaders,
  trunkRefer,
  trunkCallerSources,
  trunkDtmf,
  trunkCodecs,
  trunkMediaEncryptions,
  trunkNumberFormats,
  trunkReaches,
  trunkTransports,
  type TrunkRecord,
} from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { collectHost, integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addTrunkCommands(program: Command, console: Console): void {
  const trunks = program.command('trunks').description(texts.trunks.about);
  withApiOptions(trunks.command('list'))
    .description(texts.trunks.list)
    .action((options: ApiOptions) => list(console, options));
  withApiOptions(trunks.command('add'))
    .description(texts.trunks.add)
    .argument('<name>')
    .argument('<host>', texts.trunks.host)
    .option('--port <number>', texts.trunks.port, integer)
    .option('--other-host <host[:port]>', texts.trunks.otherHost, collectHost)
    .option('--priority <number>', texts.trunks.priority, integer, 50)
    .addOption(new Option('--transport <transport>').choices([...trunkTransports]).default('udp'))
    .option('--no-tls-verify', texts.trunks.noTlsVerify)
    .addOption(choice('--media-encryption <policy>', texts.trunks.mediaEncryption, trunkMediaEncryptions))
    .addOption(new Option('--codec <name...>', texts.trunks.codec).choices([...trunkCodecs]))
    .addOption(new Option('--reach <reach>', texts.trunks.reach).choices([...trunkReaches]).default('any'))
    .option('--username <name>', texts.trunks.username)
    .option('--auth-username <name>', texts.trunks.authUsername)
    .option('--password <password>', texts.trunks.password)
    .option('--caller-number <number>', texts.trunks.callerNumber)
    .option('--country <code>', texts.trunks.country)
    .option('--max-calls <number>', texts.trunks.maxCalls, integer)
    .option('--max-cps <number>', texts.trunks.maxCps, integer)
    .option('--rtp-timeout <seconds>', texts.trunks.rtpTimeout, integer)
    .addOption(new Option('--dtmf <method>', texts.trunks.dtmf).choices([...trunkDtmf]).default('auto'))
    .addOption(
      new Option('--number-format <format>', texts.trunks.numberFormat)
        .choices([...trunkNumberFormats])
        .default('e164'),
    )
    .addOption(choice('--inbound-caller <header>', texts.trunks.inboundCaller, trunkCallerSources))
    .addOption(choice('--inbound-called <place>', texts.trunks.inboundCalled, trunkCalledSources))
    .addOption(choice('--outbound-caller <header>', texts.trunks.outboundCaller, trunkCallerHeaders))
    .addOption(choice('--incoming-refer <parties>', texts.trunks.incomingRefer, trunkRefer))
    .option('--from-user <name>', texts.trunks.fromUser)
    .option('--from-name <name>', texts.trunks.fromName)
    .option('--registers', texts.trunks.registers)
    .option('--registrar <host[:port]>', texts.trunks.registrar)
    .option('--register-expires <seconds>', texts.trunks.registerExpires, integer, 300)
    .option('--shared', texts.trunks.shared)
    .action((name: string, host: string, options: AddOptions) => add(console, { name, host }, options));
  withApiOptions(withConfirmation(trunks.command('remove')))
    .description(texts.trunks.remove)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
}

/** The first value is the default. */
function choice(flags: string, about: string, values: readonly string[]): Option {
  return new Option(flags, about).choices([...values]).default(values[0]);
}

async function list(console: Console, options: ApiOptions): Promise<void> {
  const { body: trunks } = await openApi(console, options).sipTrunks.list();
  const columns = {
    ID: (trunk: TrunkRecord) => trunk.id,
    NAME: (trunk: TrunkRecord) => trunk.name,
    ADDRESS: address,
    PRIORITY: (trunk: TrunkRecord) => trunk.priority,
    REACH: (trunk: TrunkRecord) => trunk.reach,
    STATE: (trunk: TrunkRecord) => trunk.health.state,
    REGISTRATION: (trunk: TrunkRecord) => trunk.registration?.state ?? '',
    SHARED: (trunk: TrunkRecord) => (trunk.is_shared ? 'yes' : 'no'),
  };
  print(console, { json: trunks, text: listing(trunks, columns, texts.trunks.none) }, options.json);
}

/** Without a port where DNS decides. */
function address({ host, port, transport }: TrunkRecord): string {
  return `${host ?? ''}${port === null ? '' : `:${port}`}/${transport}`;
}

interface AddOptions extends ApiOptions {
  port?: number;
  otherHost?: string[];
  priority: number;
  tlsVerify: boolean;
  mediaEncryption: TrunkRecord['media_encryption'];
  codec?: TrunkRecord['codecs'];
  transport: TrunkRecord['transport'];
  reach: TrunkRecord['reach'];
  username?: string;
  authUsername?: string;
  password?: string;
  callerNumber?: string;
  country?: string;
  maxCalls?: number;
  maxCps?: number;
  rtpTimeout?: number;
  dtmf: TrunkRecord['dtmf'];
  numberFormat: TrunkRecord['number_format'];
  inboundCaller: TrunkRecord['inbound_caller_source'];
  inboundCalled: TrunkRecord['inbound_called_source'];
  outboundCaller: TrunkRecord['outbound_caller_header'];
  incomingRefer: TrunkRecord['incoming_refer'];
  fromUser?: string;
  fromName?: string;
  registers?: boolean;
  registrar?: string;
  registerExpires: number;
  shared?: boolean;
}

async function add(
  console: Console,
  { name, host }: { name: string; host: string },
  options: AddOptions,
): Promise<void> {
  const { port, transport, reach, username, password, callerNumber } = options;
  const { body: answer } = await openApi(console, options).sipTrunks.create({
    body: {
      name,
      host,
      port,
      other_hosts: options.otherHost,
      priority: options.priority,
      transport,
      tls_verify: options.tlsVerify,
      media_encryption: options.mediaEncryption,
      codecs: options.codec,
      reach,
      username,
      auth_username: options.authUsername,
      password,
      caller_number: callerNumber,
      default_country: options.country,
      max_calls: options.maxCalls,
      max_cps: options.maxCps,
      rtp_timeout_seconds: options.rtpTimeout,
      dtmf: options.dtmf,
      number_format: options.numberFormat,
      inbound_caller_source: options.inboundCaller,
      inbound_called_source: options.inboundCalled,
      outbound_caller_header: options.outboundCaller,
      incoming_refer: options.incomingRefer,
      from_user: options.fromUser,
      from_name: options.fromName,
      registers: options.registers,
      registrar: options.registrar,
      register_expires: options.registerExpires,
      is_shared: options.shared,
    },
  });
  print(
    console,
    { json: answer, text: texts.common.added(texts.trunks.one, answer.data.id, name) },
    options.json,
  );
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.common.remove(texts.trunks.inQuestion, id));
  const { body } = await openApi(console, options).sipTrunks.remove({ params: { id } });
  print(console, { json: body, text: texts.common.removed(texts.trunks.one, id) }, options.json);
}
