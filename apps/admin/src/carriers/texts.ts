/** The texts of carrier accounts. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  title: 'Carrier accounts',
  intro:
    'With an account at Twilio or Telnyx you buy phone numbers here, and Parley sets up the connection. Members cannot see or use the accounts of others.',
  add: 'Add account',
  new: 'New carrier account',
  columns: { account: 'Account', state: 'Status' },
  kinds: { twilio: 'Twilio', telnyx: 'Telnyx' },
  shared: 'Shared',
  state: {
    sip_trunk: 'Connected by SIP trunk',
    media_stream: 'Connected, calls come as media streams',
    unconnected: 'Not connected',
  },
  outboundStreams: ', outbound calls leave as media streams',
  form: {
    name: 'Name',
    kind: 'Carrier',
    sid: { label: 'Account SID', hint: 'On the first page of the Twilio console. Begins with AC.' },
    token: { label: 'Auth token', hint: 'Below the account SID. Stored encrypted and never shown again.' },
    key: {
      label: 'API key',
      hint: 'Under “API keys” in the Telnyx portal. Stored encrypted and never shown again.',
    },
    kept: 'Leave empty to keep the current one.',
    shared: {
      label: 'Shared',
      hint: 'Users send text messages from numbers of this account that you give them.',
    },
    create: 'Add account',
    save: 'Save',
    edit: 'Edit',
    editTitle: (name: string) => `Edit ${name}`,
  },
  connect: {
    action: 'Connect',
    title: (name: string) => `Connect ${name}`,
    change: 'Change connection',
    changeTitle: (name: string) => `Change the connection of ${name}`,
    inbound: {
      label: 'Inbound calls',
      ways: { sip_trunk: 'Over the SIP trunk', media_stream: 'As media streams over https' },
    },
    twilio: {
      sip_trunk:
        'Creates an Elastic SIP Trunk with a new password in the account, and a SIP trunk to it here. Twilio sends calls to the address below.',
      media_stream:
        'Twilio streams the calls of all numbers of this account to the https address of this installation, so that it needs no public SIP port.',
    },
    outbound: {
      label: 'Outbound calls',
      ways: { sip_trunk: 'Over the SIP trunk', media_stream: 'As media streams over https' },
      hints: {
        twilio: {
          sip_trunk: 'Calls leave over the SIP trunk to Twilio, which is created in any case.',
          media_stream:
            'Twilio dials the calls and streams them to the https address of this installation. Transfers still use the SIP trunk. Set the calls per second of the trunk to those of your Twilio account.',
        },
        telnyx: {
          sip_trunk: 'Calls leave over the SIP trunk to Telnyx, which is created in any case.',
          media_stream:
            'Telnyx dials the calls and streams them to the https address of this installation. Transfers still use the SIP trunk.',
        },
      },
    },
    telnyx: {
      sip_trunk:
        'Creates a credential connection with a new password in the account, and a SIP trunk here that registers. For calls outside the United States and Canada, add the countries to the outbound voice profile in the Telnyx portal.',
      media_stream:
        'Telnyx streams the calls of all numbers of this account to the https address of this installation. A SIP trunk that registers at Telnyx is created too. For calls outside the United States and Canada, add the countries to the outbound voice profile in the Telnyx portal.',
    },
    address: {
      label: 'Public SIP address of this installation',
      hint: 'Host or host:port. Twilio must reach it from the internet.',
      placeholder: 'sip.example.com:5060',
    },
  },
  buy: {
    action: 'Buy number',
    title: (name: string) => `Buy a number of ${name}`,
    country: { label: 'Country', hint: 'Two letters, for example US.' },
    type: 'Type',
    types: { local: 'Local', mobile: 'Mobile', toll_free: 'Toll-free' },
    area: 'Area code',
    contains: 'Contains the digits',
    search: 'Search',
    none: 'The carrier offers no such number.',
    buy: 'Buy',
    label: (number: string) => `Buy ${number}`,
    question: (number: string, price: string) => `Buy ${number} for ${price}?`,
    text: 'The carrier charges the price to your account there every month until you release the number in its own pages.',
    keep: 'Do not buy',
    perMonth: (price: string) => `${price} per month`,
    unknownPrice: 'a price that the carrier does not say',
    needsAddress: 'Needs an address: buy it in the pages of the carrier, and import it here.',
    sms: 'SMS',
  },
  import: {
    action: 'Import numbers',
    title: (name: string) => `Import numbers of ${name}`,
    intro: 'Calls and messages of the numbers that you select go to this installation afterwards.',
    none: 'The account has no numbers that are not imported.',
    numbers: 'Numbers',
    save: 'Import',
  },
  remove: {
    action: 'Remove',
    label: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    text: 'Its credentials are deleted here. Its SIP trunk stays, and nothing changes at the carrier.',
    keep: 'Keep account',
  },
};
