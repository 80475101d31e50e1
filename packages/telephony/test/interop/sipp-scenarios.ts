/**
 * Scenarios for sipp (https://sipp.readthedocs.io) of carrier behaviour that its built-in scenarios lack. Each is a list of
 * steps; the XML is generated here, so that a scenario shows the messages and not the markup.
 */

export const SDP = (port: string, attributes = ''): string =>
  [
    'v=0',
    'o=sipp 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0`,
    'a=rtpmap:0 PCMU/8000',
    ...(attributes === '' ? [] : [attributes]),
  ].join('\n');

/** A message with its blank line; `[len]` is filled in by sipp. */
export function message(lines: readonly string[], body = ''): string {
  const content =
    body === '' ? ['Content-Length: 0'] : ['Content-Type: application/sdp', 'Content-Length: [len]'];
  return `<![CDATA[\n\n${[...lines, ...content].join('\n')}\n\n${body}\n]]>`;
}

export const scenario = (...steps: string[]): string =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="parley">\n${steps.join('\n')}\n</scenario>\n`;

/** Responds to the last request received. */
function respond(
  status: string,
  extra: readonly string[] = [],
  body = '',
  contact: string | null = 'Contact: <sip:[local_ip]:[local_port];transport=[transport]>',
): string {
  const copied = [
    '[last_Via:]',
    '[last_From:]',
    '[last_To:];tag=sipp[call_number]',
    '[last_Call-ID:]',
    '[last_CSeq:]',
  ];
  return message([`SIP/2.0 ${status}`, ...copied, ...(contact === null ? [] : [contact]), ...extra], body);
}

export const send = (content: string, attributes = ''): string => `<send ${attributes}>${content}</send>`;
export const recvRequest = (method: string, inner = ''): string =>
  `<recv request="${method}">${inner}</recv>`;
export const recvResponse = (status: number, attributes = ''): string =>
  `<recv response="${status}" ${attributes}></recv>`;

const PLAIN_OK = `<![CDATA[

SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]>`;

/** Rejects at once with a status. */
export const refusing = (status: string): string =>
  scenario(recvRequest('INVITE'), send(respond(status), 'retrans="500"'), recvRequest('ACK'));

/** Rings until the caller cancels. */
export const ringingUntilCancel = scenario(
  recvRequest(
    'INVITE',
    '<action><ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="cseq"/></action>',
  ),
  send(respond('180 Ringing')),
  recvRequest('CANCEL'),
  send(PLAIN_OK),
  send(respond('487 Request Terminated').replace('[last_CSeq:]', 'CSeq:[$cseq]'), 'retrans="500"'),
  recvRequest('ACK'),
);

/**
 * Challenges with 401, verifies the answer (sipp supports only MD5) and waits for our BYE; responds with 403 if the answer
 * is wrong.
 */
export const checkingAccount = scenario(
  recvRequest('INVITE'),
  send(respond('401 Unauthorized', [challenge('WWW-Authenticate')])),
  recvRequest('ACK'),
  recvRequest(
    'INVITE',
    '<action><verifyauth assign_to="isRight" username="alice" password="secret"/></action>',
  ).replace('<recv ', '<recv auth="true" '),
  '<nop next="right" test="isRight"></nop>',
  send(respond('403 Forbidden'), 'retrans="500"'),
  recvRequest('ACK').replace('<recv ', '<recv next="end" '),
  '<label id="right"/>',
  ...answerAndWait(),
  '<label id="end"/>',
);

/** A proxy challenges first, then the callee: the third INVITE must carry both answers. */
export const challengingTwice = scenario(
  recvRequest('INVITE'),
  send(respond('407 Proxy Authentication Required', [challenge('Proxy-Authenticate')])),
  recvRequest('ACK'),
  recvRequest('INVITE'),
  send(respond('401 Unauthorized', [challenge('WWW-Authenticate')])),
  recvRequest('ACK'),
  recvRequest('INVITE', `<action>${mustHave('Proxy-Authorization:')}${mustHave('Authorization:')}</action>`),
  ...answerAndWait(),
);

function challenge(header: string): string {
  const nonce = '47ebe028cda119c35d4877b383027d28';
  return `${header}: Digest realm="parley.test", nonce="${nonce}", algorithm=MD5, qop="auth"`;
}

function mustHave(header: string): string {
  return `<ereg regexp="Digest username" search_in="hdr" header="${header}" check_it="true" assign_to="found"/>`;
}

function answerAndWait(): string[] {
  return [
    send(respond('200 OK', [], SDP('[media_port]')), 'retrans="500"'),
    recvRequest('ACK'),
    recvRequest('BYE'),
    send(PLAIN_OK),
  ];
}

const CALLER = [
  'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
  'From: <sip:caller@[local_ip]:[local_port]>;tag=sipp[call_number]',
  'Call-ID: [call_id]',
  'Contact: <sip:caller@[local_ip]:[local_port];transport=[transport]>',
  'Max-Forwards: 70',
];
const TARGET = 'sip:+12025550101@[remote_ip]:[remote_port]';

const invite = (sequence: number, toTag: string, body: string, extra: readonly string[] = []): string =>
  message(
    [`INVITE ${TARGET} SIP/2.0`, ...CALLER, `To: <${TARGET}>${toTag}`, `CSeq: ${sequence} INVITE`, ...extra],
    body,
  );
const request = (
  method: string,
  sequence: number,
  toTag = '[peer_tag_param]',
  { body = '', extra = [] as readonly string[] } = {},
): string =>
  message(
    [
      `${method} ${TARGET} SIP/2.0`,
      ...CALLER,
      `To: <${TARGET}>${toTag}`,
      `CSeq: ${sequence} ${method}`,
      ...extra,
    ],
    body,
  );
/** A request within the call, with a session description. */
function within(method: string, sequence: number, body: string, extra: readonly string[] = []): string {
  return request(method, sequence, '[peer_tag_param]', { body, extra });
}

/** Calls, puts the call on hold, resumes it at another port, and hangs up. */
export const callerThatHoldsAndMoves = scenario(
  send(invite(1, '', SDP('[media_port]')), 'retrans="500"'),
  recvResponse(100, 'optional="true"'),
  recvResponse(180, 'optional="true"'),
  recvResponse(200),
  send(request('ACK', 1)),
  send(invite(2, '[peer_tag_param]', SDP('[media_port]', 'a=sendonly')), 'retrans="500"'),
  recvResponse(200),
  send(request('ACK', 2)),
  send(invite(3, '[peer_tag_param]', SDP('[media_port+100]', 'a=sendrecv')), 'retrans="500"'),
  recvResponse(200),
  send(request('ACK', 3)),
  send(request('BYE', 4), 'retrans="500"'),
  recvResponse(200),
);

/** Calls with more header lines, is answered, and hangs up. */
export const callerWith = (headers: readonly string[]): string =>
  scenario(
    send(invite(1, '', SDP('[media_port]'), headers), 'retrans="500"'),
    recvResponse(100, 'optional="true"'),
    recvResponse(180, 'optional="true"'),
    recvResponse(200),
    send(request('ACK', 1)),
    send(request('BYE', 2), 'retrans="500"'),
    recvResponse(200),
  );

/** Answers an INVITE that has these header values, given as regular expressions; any other INVITE fails the scenario. */
export const calleeThatChecks = (headers: Readonly<Record<string, string>>): string => {
  const checks = Object.entries(headers).map(
    ([name, value], index) =>
      `<ereg regexp="${value}" search_in="hdr" header="${name}:" check_it="true" assign_to="header${index}"/>`,
  );
  const used = Object.keys(headers).map((_, index) => `header${index}`);
  return scenario(
    recvRequest('INVITE', `<action>${checks.join('')}</action>`),
    `<Reference variables="${used.join(',')}"/>`,
    ...answerAndWait(),
  );
};

/** Calls and cancels while it rings. CANCEL and ACK repeat the branch of the INVITE, given by the number of steps before. */
export const callerThatCancels = scenario(
  send(invite(1, '', SDP('[media_port]')), 'retrans="500"'),
  recvResponse(100, 'optional="true"'),
  recvResponse(180),
  send(request('CANCEL', 1, '').replace('[branch]', '[branch-3]'), 'retrans="500"'),
  recvResponse(200),
  recvResponse(487),
  send(request('ACK', 1).replace('[branch]', '[branch-6]')),
);

const UNTAGGED = { from: '[last_From:]', to: '[last_To:]', callId: '[last_Call-ID:]' };
const REMEMBER_INVITE =
  '<action><ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/>' +
  '<ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="cseq"/></action>';

/** 200 to the latest request within the dialog. */
const okWithin = (extra: readonly string[] = [], body = ''): string => {
  const { from, to, callId } = UNTAGGED;
  return send(message(['SIP/2.0 200 OK', '[last_Via:]', from, to, callId, '[last_CSeq:]', ...extra], body));
};

/** 200 to the INVITE that was remembered, after other requests. */
const okToInvite = (): string => {
  const { from, to, callId } = UNTAGGED;
  const contact = 'Contact: <sip:[local_ip]:[local_port];transport=[transport]>';
  const lines = ['SIP/2.0 200 OK', 'Via:[$via]', from, to, callId, 'CSeq:[$cseq]', contact];
  return send(message(lines), 'retrans="500"');
};

/** Sends 183 reliably with its answer, expects a PRACK for it, and answers without a description. */
export const calleeThatRingsReliably = scenario(
  recvRequest('INVITE', REMEMBER_INVITE),
  send(
    respond('183 Session Progress', ['Require: 100rel', 'RSeq: 41'], SDP('[media_port]')),
    'retrans="500"',
  ),
  recvRequest(
    'PRACK',
    '<action><ereg regexp="41 1 INVITE" search_in="hdr" header="RAck:" check_it="true" assign_to="rack"/></action>',
  ),
  '<Reference variables="rack"/>',
  okWithin(),
  okToInvite(),
  recvRequest('ACK'),
  recvRequest('BYE'),
  okWithin(),
);

/** Requires reliable responses without an offer: expects ours in 180, answers it with PRACK, and hangs up. */
export const callerThatRequiresReliability = scenario(
  send(invite(1, '', '', ['Require: 100rel']), 'retrans="500"'),
  recvResponse(100, 'optional="true"'),
  '<recv response="180"><action>' +
    '<ereg regexp="[0-9]+" search_in="hdr" header="RSeq:" check_it="true" assign_to="rseq"/>' +
    '<ereg regexp="m=audio" search_in="body" check_it="true" assign_to="offer"/></action></recv>',
  '<Reference variables="offer"/>',
  send(within('PRACK', 2, SDP('[media_port]'), ['RAck: [$rseq] 1 INVITE']), 'retrans="500"'),
  recvResponse(200),
  recvResponse(200),
  send(request('ACK', 1)),
  send(request('BYE', 3), 'retrans="500"'),
  recvResponse(200),
);

/** Calls, is answered, holds the call with UPDATE, resumes it, and hangs up. */
export const callerThatHoldsByUpdate = scenario(
  send(invite(1, '', SDP('[media_port]')), 'retrans="500"'),
  recvResponse(100, 'optional="true"'),
  recvResponse(180, 'optional="true"'),
  recvResponse(200),
  send(request('ACK', 1)),
  send(within('UPDATE', 2, SDP('[media_port]', 'a=sendonly')), 'retrans="500"'),
  recvResponse(200),
  send(within('UPDATE', 3, SDP('[media_port]', 'a=sendrecv')), 'retrans="500"'),
  recvResponse(200),
  send(request('BYE', 4), 'retrans="500"'),
  recvResponse(200),
);

/** Promises to refresh the session and does not: expects our BYE. */
export const callerThatDoesNotRefresh = (intervalSeconds: number): string =>
  scenario(
    send(
      invite(1, '', SDP('[media_port]'), [
        'Supported: timer',
        `Session-Expires: ${intervalSeconds};refresher=uac`,
      ]),
      'retrans="500"',
    ),
    recvResponse(100, 'optional="true"'),
    recvResponse(180, 'optional="true"'),
    recvResponse(200),
    send(request('ACK', 1)),
    recvRequest('BYE'),
    okWithin(),
  );

/** Asks for a session shorter than we accept: expects 422, and is answered with the interval of its Min-SE. */
export const callerThatIsTooQuick = scenario(
  send(invite(1, '', SDP('[media_port]'), ['Supported: timer', 'Session-Expires: 30']), 'retrans="500"'),
  recvResponse(100, 'optional="true"'),
  '<recv response="422"><action>' +
    '<ereg regexp="[0-9]+" search_in="hdr" header="Min-SE:" check_it="true" assign_to="least"/></action></recv>',
  send(request('ACK', 1).replace('[branch]', '[branch-3]')),
  send(
    invite(2, '', SDP('[media_port]'), ['Supported: timer', 'Session-Expires: [$least]', 'Min-SE: [$least]']),
    'retrans="500"',
  ),
  recvResponse(100, 'optional="true"'),
  recvResponse(180, 'optional="true"'),
  recvResponse(200),
  send(request('ACK', 2)),
  send(request('BYE', 3), 'retrans="500"'),
  recvResponse(200),
);

/**
 * Answers with a session that we refresh, by `method`, and waits for our BYE after one refresh. A re-INVITE is answered with a
 * hold, so that the test sees that it was.
 */
export const calleeThatIsRefreshed = (method: 'UPDATE' | 'INVITE', intervalSeconds: number): string => {
  const timer = [`Session-Expires: ${intervalSeconds};refresher=uac`, 'Require: timer'];
  const allow = method === 'UPDATE' ? ['Allow: INVITE, ACK, BYE, UPDATE'] : ['Allow: INVITE, ACK, BYE'];
  return scenario(
    recvRequest('INVITE'),
    send(respond('200 OK', [...timer, ...allow], SDP('[media_port]')), 'retrans="500"'),
    recvRequest('ACK'),
    recvRequest(
      method,
      '<action><ereg regexp="refresher=uac" search_in="hdr" header="Session-Expires:" check_it="true" assign_to="by"/></action>',
    ),
    '<Reference variables="by"/>',
    method === 'UPDATE' ? okWithin() : okWithin([], SDP('[media_port]', 'a=sendonly')),
    ...(method === 'UPDATE' ? [] : [recvRequest('ACK')]),
    recvRequest('BYE'),
    okWithin(),
  );
};

/** Redirects the call to a Contact. */
export const redirectingTo = (contact: string): string =>
  scenario(
    recvRequest('INVITE'),
    send(respond('302 Moved Temporarily', [`Contact: ${contact}`], '', null), 'retrans="500"'),
    recvRequest('ACK'),
  );
