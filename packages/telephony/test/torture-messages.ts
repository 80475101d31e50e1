/**
 * Requests in the manner of RFC 4475, in the order of its section 3; the texts are our own. `{host}`, `{port}` and `{id}` are
 * replaced by the address of the sender and a number that differs between the uses of a message.
 */

/** The base of most messages: a line that begins like one of these replaces it. */
const BASE = [
  'OPTIONS sip:desk@127.0.0.1 SIP/2.0',
  'Via: SIP/2.0/UDP {host}:{port};branch=z9hG4bK{id}',
  'Max-Forwards: 70',
  'From: <sip:probe@{host}>;tag=probe{id}',
  'To: <sip:desk@127.0.0.1>',
  'Call-ID: torture{id}@{host}',
  'CSeq: 9 OPTIONS',
  'Contact: <sip:probe@{host}:{port}>',
];

const SDP = [
  'v=0',
  'o=probe 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  '',
].join('\r\n');

interface Changes {
  /** The method in the request line and in CSeq. */
  method?: string;
  /** Lines instead of those of the base, by name; null removes the line. */
  lines?: Record<string, string | null>;
  more?: string[];
  body?: string;
}

function message({ method = 'OPTIONS', lines = {}, more = [], body = '' }: Changes): string {
  const base = BASE.flatMap((line) => {
    const name = line.split(/[: ]/, 1)[0] ?? '';
    const change = lines[name === 'OPTIONS' ? 'start' : name];
    if (change === null) return [];
    return [change ?? line.replace('OPTIONS', method)];
  });
  const length = more.some((line) => /^(?:content-length|l)\s*:/i.test(line));
  const size = length ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [...base, ...more, ...size, '', body].join('\r\n');
}

const TYPE = 'Content-Type: application/sdp';
const invite = (changes: Changes): string =>
  message({ method: 'INVITE', more: [TYPE], body: SDP, ...changes });

/** A message by the name that RFC 4475 gives to its kind, and the status that answers it; null without an answer. */
export type TortureCase = [name: string, status: number | null, text: string];

/** 486 is the answer of the test's lines to a call that reaches them. */
const CALL = 486;

export const TORTURE_CASES: readonly TortureCase[] = [
  // Section 3.1.1: valid messages.
  [
    'wsinv: blanks, folding and compact names',
    CALL,
    invite({
      lines: {
        start: 'INVITE sip:desk@127.0.0.1;unknown=param SIP/2.0',
        Via: 'v:  SIP  / 2.0  / UDP\r\n    {host} : {port} ; branch = z9hG4bK{id}',
        'Max-Forwards': 'MaX-fOrWaRdS: 0068',
        From: 'F : "Mr. \\\\\\"Odd\\""\r\n  <sip:probe@{host}>\r\n  ;\r\n  tag = probe{id}',
        To: 'TO :\r\n <sip:desk@127.0.0.1>',
        CSeq: 'cseq: 0009\r\n  INVITE',
        Contact: 'm: "Quoted" <sip:probe@{host}:{port}>;q=0.5',
      },
      more: ['Subject:', 'NewFangled:   new\r\n\tvalue;;,"x', 'c : application/sdp'],
    }),
  ],
  ['intmeth: an unusual method', 405, message({ method: "!odd-Method0123456789_*+`.%indeed'~" })],
  [
    'esc01: escapes in URIs',
    CALL,
    invite({ lines: { start: 'INVITE sip:sips%3Adesk%40example.com@127.0.0.1 SIP/2.0' } }),
  ],
  [
    'escnull: escaped null characters',
    405,
    message({ method: 'REGISTER', lines: { To: 'To: sip:null-%00-null@127.0.0.1' } }),
  ],
  ['esc02: a percent sign in a method', 405, message({ method: 'RE%47IST%45R' })],
  [
    'lwsdisp: no blank before the bracket',
    200,
    message({ lines: { From: 'From: caller<sip:probe@{host}>;tag=p{id}' } }),
  ],
  [
    'longreq: long values',
    CALL,
    invite({
      lines: {
        To: `To: "${'name '.repeat(200)}" <sip:desk@127.0.0.1;unknown=${'x'.repeat(900)}>`,
        'Call-ID': `Call-ID: torture{id}.${'y'.repeat(900)}`,
      },
      more: [
        `Unknown-${'Z'.repeat(300)}: ${'value '.repeat(400)}`,
        ...Array.from({ length: 34 }, (_, hop) => `Via: SIP/2.0/TCP hop${hop}.example;branch=z9hG4bK${hop}`),
        TYPE,
      ],
    }),
  ],
  [
    'dblreq: a second message in the datagram',
    200,
    `${message({})}${message({ lines: { 'Call-ID': 'Call-ID: second{id}' } })}`,
  ],
  [
    'semiuri: semicolons in the user part',
    200,
    message({ lines: { start: 'OPTIONS sip:desk;par=u%40x@127.0.0.1 SIP/2.0' } }),
  ],
  [
    'transports: an unknown transport below the top Via',
    200,
    message({
      more: [
        'Via: SIP/2.0/UNKNOWN t4.example;branch=z9hG4bKa',
        'Via: SIP/2.0/SCTP t2.example;branch=z9hG4bKb',
      ],
    }),
  ],
  [
    'mpart01: a multipart body',
    CALL,
    invite({
      more: ['Content-Type: multipart/mixed;boundary=edge'],
      body: `--edge\r\nContent-Type: application/sdp\r\n\r\n${SDP}\r\n--edge\r\nContent-Type: text/plain\r\n\r\nhello\r\n--edge--\r\n`,
    }),
  ],
  // Section 3.1.2: invalid messages.
  [
    'badinv01: extra separators in Via, which does not show the way back',
    null,
    invite({ lines: { Via: 'Via: SIP/2.0/UDP {host}:{port};;,;,,' } }),
  ],
  ['clerr: a Content-Length beyond the datagram', 400, invite({ more: [TYPE, 'Content-Length: 9999'] })],
  ['ncl: a negative Content-Length', 400, invite({ more: [TYPE, 'Content-Length: -999'] })],
  [
    'scalar02: numbers that are too large',
    400,
    message({ lines: { CSeq: 'CSeq: 36893488147419103232 OPTIONS' } }),
  ],
  [
    'quotbal: a quoted string that does not end',
    400,
    invite({ lines: { To: 'To: "Mr. Desk <sip:desk@127.0.0.1>' } }),
  ],
  [
    'ltgtruri: brackets around the Request-URI',
    400,
    invite({ lines: { start: 'INVITE <sip:desk@127.0.0.1> SIP/2.0' } }),
  ],
  [
    'lwsruri: a blank in the Request-URI',
    400,
    invite({ lines: { start: 'INVITE sip:desk@127.0.0.1; lr SIP/2.0' } }),
  ],
  [
    'lwsstart: two blanks in the start line',
    400,
    invite({ lines: { start: 'INVITE  sip:desk@127.0.0.1  SIP/2.0' } }),
  ],
  [
    'trws: a blank after the start line',
    400,
    message({ lines: { start: 'OPTIONS sip:desk@127.0.0.1 SIP/2.0  ' } }),
  ],
  [
    'escruri: headers in the Request-URI',
    400,
    invite({ lines: { start: 'INVITE sip:desk@127.0.0.1?Route=%3Csip:x%3E SIP/2.0' } }),
  ],
  [
    'baddate: a malformed Date, which is not used',
    CALL,
    invite({ more: ['Date: Fri, 01 Jan 2010 16:00:00 EST', TYPE] }),
  ],
  [
    'regbadct: unquoted headers in Contact',
    405,
    message({ method: 'REGISTER', lines: { Contact: 'Contact: sip:probe@{host}?Route=x' } }),
  ],
  [
    'badaspec: blanks within an address',
    400,
    message({ lines: { To: 'To: "Desk" < sip:de sk@127.0.0.1 ' } }),
  ],
  [
    'baddn: a comma in a bare display name',
    400,
    message({ lines: { From: 'From: Bell, Alexander <sip:probe@{host}>;tag=p{id}' } }),
  ],
  ['badvers: another version', 505, message({ lines: { start: 'OPTIONS sip:desk@127.0.0.1 SIP/7.0' } })],
  ['mismatch01: a CSeq of another method', 400, message({ lines: { CSeq: 'CSeq: 9 INVITE' } })],
  [
    'mismatch02: the same with an unknown method',
    400,
    message({ method: 'NEWMETHOD', lines: { CSeq: 'CSeq: 9 INVITE' } }),
  ],
  // Section 3.2: transactions.
  [
    'badbranch: a branch of the cookie only',
    200,
    message({ lines: { Via: 'Via: SIP/2.0/UDP {host}:{port};branch=z9hG4bK' } }),
  ],
  // Section 3.3: the application.
  ['insuf: no Call-ID, From and To', 400, invite({ lines: { From: null, To: null, 'Call-ID': null } })],
  ['insuf: no From', 400, message({ lines: { From: null } })],
  ['insuf: no To', 400, message({ lines: { To: null } })],
  ['insuf: no Call-ID', 400, message({ lines: { 'Call-ID': null } })],
  ['insuf: no CSeq', 400, message({ lines: { CSeq: null } })],
  ['insuf: no Via', null, message({ lines: { Via: null } })],
  ['insuf: no Contact in an INVITE', 400, invite({ lines: { Contact: null } })],
  ['insuf: no Max-Forwards', 200, message({ lines: { 'Max-Forwards': null } })],
  [
    'unkscm: an unknown scheme in the Request-URI',
    416,
    message({ lines: { start: 'OPTIONS nobody:desk SIP/2.0' } }),
  ],
  [
    'novelsc: a known scheme that is not of SIP',
    416,
    message({ lines: { start: 'OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0' } }),
  ],
  ['unksm2: unknown schemes in From and To', 200, message({ lines: { To: 'To: <isbn:2983792873>' } })],
  [
    'bext01: unknown extensions',
    420,
    message({ more: ['Require: nothingSupportsThis, andThis', 'Proxy-Require: orThis'] }),
  ],
  [
    'invut: an unknown content type',
    415,
    invite({ more: ['Content-Type: application/unknown'], body: '<audio/>' }),
  ],
  [
    'regaut01: an unknown authorisation scheme',
    405,
    message({ method: 'REGISTER', more: ['Authorization: NoOne knows="this"'] }),
  ],
  [
    'multi01: several values of single fields',
    400,
    invite({ more: ['From: <sip:other@{host}>;tag=o', 'CSeq: 8 INVITE', 'To: <sip:x@y>', TYPE] }),
  ],
  ['mcl01: two different Content-Lengths', 400, message({ more: ['Content-Length: 0', 'l: 5'] })],
  ['zeromf: no hops left', 200, message({ lines: { 'Max-Forwards': 'Max-Forwards: 0' } })],
  ['zeromf: a call with no hops left', CALL, invite({ lines: { 'Max-Forwards': 'Max-Forwards: 0' } })],
  [
    'cparam01: Contact with unknown parameters',
    405,
    message({ method: 'REGISTER', lines: { Contact: 'Contact: sip:probe@{host};unknown' } }),
  ],
  [
    'cparam02: the same within brackets',
    405,
    message({ method: 'REGISTER', lines: { Contact: 'Contact: <sip:probe@{host};unknown>' } }),
  ],
  [
    'regescrt: escaped headers in Contact',
    405,
    message({ method: 'REGISTER', lines: { Contact: 'Contact: <sip:probe@{host}?Route=%3Csip:x%3E>' } }),
  ],
  ['sdp01: an Accept without SDP', CALL, invite({ more: ['Accept: text/nobodyKnowsThis', TYPE] })],
  // Section 3.4: RFC 2543.
  [
    'inv2543: no branch and no tag in From',
    CALL,
    invite({
      lines: {
        Via: 'Via: SIP/2.0/UDP {host}:{port}',
        From: 'From: <sip:probe@{host}>',
        'Max-Forwards': null,
      },
    }),
  ],
  // Other requests outside a dialog.
  [
    'a BYE without a dialog',
    481,
    message({ method: 'BYE', lines: { To: 'To: <sip:desk@127.0.0.1>;tag=none' } }),
  ],
  [
    'an INFO without a dialog',
    481,
    message({ method: 'INFO', lines: { To: 'To: <sip:desk@127.0.0.1>;tag=none.5' } }),
  ],
  ['a re-INVITE without a dialog', 481, invite({ lines: { To: 'To: <sip:desk@127.0.0.1>;tag=none' } })],
  ['a CANCEL without an INVITE', 481, message({ method: 'CANCEL' })],
  ['an ACK without an INVITE', null, message({ method: 'ACK' })],
  ['a REFER', 405, message({ method: 'REFER', more: ['Refer-To: <sip:+12025550199@example.com>'] })],
  ['a SUBSCRIBE', 405, message({ method: 'SUBSCRIBE', more: ['Event: presence'] })],
  ['a NOTIFY without a subscription', 481, message({ method: 'NOTIFY', more: ['Event: refer'] })],
  ['an INVITE with Replaces of no call', 481, invite({ more: ['Replaces: a;to-tag=b;from-tag=c', TYPE] })],
  ['an INVITE with a malformed Replaces', 400, invite({ more: ['Replaces: ;;', TYPE] })],
  ['a sips URI', 416, message({ lines: { start: 'OPTIONS sips:desk@127.0.0.1 SIP/2.0' } })],
  ['a malformed Max-Forwards', 400, message({ lines: { 'Max-Forwards': 'Max-Forwards: -1' } })],
  [
    'a Via of another version',
    null,
    message({ lines: { Via: 'Via: SIP/7.0/UDP {host}:{port};branch=z9hG4bK{id}' } }),
  ],
  [
    'a Via of another host, with rport',
    200,
    message({ lines: { Via: 'Via: SIP/2.0/UDP 192.0.2.9;rport;branch=z9hG4bK{id}' } }),
  ],
  [
    'as many Via lines as are allowed',
    200,
    message({ more: Array.from({ length: 69 }, (_, hop) => `v: SIP/2.0/UDP h${hop}.example`) }),
  ],
  [
    'many Via in one line',
    200,
    message({
      lines: {
        Via: `Via: SIP/2.0/UDP {host}:{port};branch=z9hG4bK{id}${', SIP/2.0/UDP h.example'.repeat(69)}`,
      },
    }),
  ],
  [
    'more Via than are allowed',
    null,
    message({
      lines: {
        Via: `Via: SIP/2.0/UDP {host}:{port};branch=z9hG4bK{id}${', SIP/2.0/UDP h.example'.repeat(70)}`,
      },
    }),
  ],
  ['too many header fields', 413, message({ more: Array.from({ length: 300 }, (_, at) => `X-${at}: 1`) })],
  [
    'a body that is too large',
    413,
    message({ more: ['Content-Type: text/plain'], body: 'x'.repeat(20_000) }),
  ],
  ['a datagram of the largest size', 200, message({ more: [`X-Long: ${'x'.repeat(60_000)}`] })],
  ['no message at all', null, 'hello\r\n\r\n'],
];
