/** The texts of the page with SIP trunks and phone numbers. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'SIP trunks and numbers',
    subtitle: 'The carriers that connect your calls, and the phone numbers you own.',
  },
  assign: {
    none: 'No assistant uses this number yet.',
    remove: 'Unassign',
    removeLabel: (assistant: string) => `Unassign from ${assistant}`,
    label: 'Assign to',
    choose: 'Select an assistant',
    choice: (assistant: string, direction: string) => `${assistant} (${direction} calls)`,
    action: 'Assign',
    hint: 'An assistant has one number. An inbound assistant answers calls to it; an outbound assistant shows it as the caller ID.',
  },
  numberForm: {
    number: 'Number',
    trunk: {
      label: 'SIP trunk',
      hint: 'The trunk that delivers calls to this number.',
    },
    type: 'Type',
    action: 'Add number',
  },
  numberTypes: {
    callerId: 'Shown as the caller ID of outbound calls. Calls to it are not answered.',
    answered: 'Answered by an assistant, and shown as the caller ID of outbound calls.',
  },
  numbers: {
    title: 'Numbers',
    columns: {
      number: 'Number',
      assistants: 'Assistants',
      type: 'Type',
      trunk: 'SIP trunk',
    },
    add: 'Add number',
    new: 'New number',
    assign: 'Assign',
    assignLabel: (number: string) => `Assign ${number}`,
    empty:
      'No phone numbers yet. Add a number that your carrier routes to this installation, and assign it to an assistant.',
  },
  remove: {
    action: 'Remove',
    label: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    keepNumber: 'Keep number',
    numberText:
      'Calls to this number are no longer answered here. The number itself stays with your carrier.',
    keepTrunk: 'Keep trunk',
    trunkText:
      'No more calls are placed on this trunk, and its password is deleted. Remove its phone numbers first.',
  },
  trunkForm: {
    reach: {
      any: 'Any number',
      fictional: 'Fictional numbers only (for testing)',
      label: 'Allowed destinations',
    },
    host: {
      label: 'Host',
      hint: 'The carrier’s host name or IP address.',
      placeholder: 'sip.example.com',
    },
    port: 'Port',
    transport: 'Transport',
    tlsVerify: {
      label: 'Verify the certificate',
      hint: 'The certificate must be trusted and contain the host. Turn this off only for a PBX with a self-signed certificate: anyone on the way could then pretend to be it.',
    },
    mediaEncryption: {
      label: 'Audio',
      hint: 'With encryption, calls without it are refused in both directions.',
      none: 'Not encrypted (RTP)',
      required: 'Encrypted (SRTP)',
    },
    username: {
      label: 'User name',
      hint: 'Leave empty if the carrier authenticates you by IP address.',
    },
    password: {
      label: 'Password',
      kept: 'Leave empty to keep the current password.',
      againForNewHost: 'Enter the password again: a stored password is never sent to another host.',
      hint: 'Stored encrypted and never shown again.',
    },
    callerNumber: {
      label: 'Default caller ID',
      hint: 'Used when the assistant has no number on this trunk.',
    },
    country: {
      label: 'Country of numbers',
      placeholder: 'US',
      hint: 'Two letters. Numbers of inbound calls without + are read as dialed in this country. Empty: in the country of the called number.',
    },
    maxCalls: 'Concurrent calls',
    maxCps: 'New calls per second, evenly spaced',
    perSecond: 'Calls within one second',
    perDay: 'Calls per day',
    costPerDay: 'Cost per day',
    dialLimits:
      'Beside the limits of all trunks, of which the tighter one applies. Days are in UTC. Empty: the limits of all trunks only.',
    noLimit: 'No limit',
    rtpTimeout: {
      label: 'Audio timeout in seconds',
      hint: 'A call ends when no audio packets arrive for this time, except on hold. Default: 20.',
    },
    dtmf: {
      label: 'Keys (DTMF)',
      hint: 'How assistants press keys on calls of this trunk.',
      auto: 'Automatic: RTP events, otherwise tones',
      rfc4733: 'RTP events (RFC 4733)',
      info: 'SIP INFO',
      inband: 'Tones in the audio',
    },
    numberFormat: {
      label: 'Format of numbers',
      hint: 'How numbers are written in outbound calls and transfers.',
      e164: 'International, with + (E.164)',
      e164_without_plus: 'International, without +',
    },
    callerSource: {
      label: 'Caller of inbound calls',
      hint: 'Where the caller’s number is read. Without that header, it is read from From. The carrier’s own identity is shown even for callers who withhold their number.',
      from: 'From',
      p_asserted_identity: 'P-Asserted-Identity',
      remote_party_id: 'Remote-Party-ID',
    },
    calledSource: {
      label: 'Called number of inbound calls',
      hint: 'Where it is looked for first.',
      request_uri: 'Request-URI',
      to: 'To',
      p_called_party_id: 'P-Called-Party-ID',
      diversion: 'Diversion (forwarded calls)',
    },
    callerHeader: {
      label: 'Caller ID of outbound calls',
      hint: 'The headers that contain the number.',
      from: 'From',
      p_asserted_identity: 'From and P-Asserted-Identity',
      p_preferred_identity: 'From and P-Preferred-Identity',
    },
    fromUser: {
      label: 'User in From',
      hint: 'For carriers that require the account name in From. Empty: the number.',
    },
    preset: {
      label: 'Fill in for',
      hint: 'Fills the fields below with the documented settings. Nothing is saved yet.',
      choose: 'Select a carrier or PBX',
    },
    registers: {
      label: 'Register at the PBX or carrier',
      hint: 'The trunk registers its user name, as a phone does, and receives the calls of that account. Needs a user name and a password.',
    },
    registrar: {
      label: 'Registrar',
      hint: 'Host, or host:port. Empty: host and port of the trunk.',
      placeholder: 'pbx.example.com:5060',
    },
    registerExpires: {
      label: 'Registration time in seconds',
      hint: '60 to 3600. The registration is renewed before its end.',
    },
    name: 'Name',
    shared: {
      label: 'Shared',
      hint: 'Available to all users of this installation.',
    },
    save: 'Save',
    add: 'Add trunk',
  },
  state: {
    ready: 'Ready',
    untried: 'Not tried yet',
    untriedReason: 'No outbound call has got through this trunk with these settings.',
    paused: 'Paused',
    pausedReason: 'Paused because most calls on this trunk failed. No calls are placed on it.',
    pausedUntil: (until: string) =>
      `Paused because most calls on this trunk failed. No calls are placed on it until ${until}.`,
    onTrial: 'Recovering',
    onTrialReason: 'One call at a time is placed to check whether the trunk works again.',
  },
  registration: {
    registered: 'Registered',
    registering: 'Registering',
    failed: 'Not registered',
    since: (label: string, at: string) => `${label} since ${at}`,
    wrongPassword: 'Wrong user name or password.',
    noAnswer: 'No answer from the registrar.',
    refused: (sipStatus: number) => `The registrar refuses the account (SIP status ${sipStatus}).`,
    unavailable: (sipStatus: number) => `The registrar is not available now (SIP status ${sipStatus}).`,
  },
  address: (host: string, transport: string) => `${host} over ${transport}`,
  limits: {
    calls: (calls: number) => `${calls} concurrent`,
    perSecond: (calls: number) => `${calls} per second`,
    none: 'None',
  },
  trunks: {
    title: 'SIP trunks',
    add: 'Add trunk',
    new: 'New SIP trunk',
    intro:
      'A SIP trunk connects Parley to your carrier and carries inbound and outbound calls. The test trunk reaches only the built-in test phones.',
    columns: {
      trunk: 'SIP trunk',
      state: 'Status',
      user: 'User name',
      limits: 'Limits',
    },
    test: 'Test trunk',
    shared: 'Shared',
    edit: 'Edit',
    editLabel: (name: string) => `Edit ${name}`,
  },
};
