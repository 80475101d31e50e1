/** The texts of an assistant's tools: the list, the forms and the kinds of tools. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  form: {
    notJson: (reason: string) => `This is not valid JSON: ${reason}`,
    choose: 'Select an assistant',
    save: 'Save',
    add: 'Add tool',
    changedElsewhere:
      'The tools were changed by someone else in the meantime. Close this dialog and try again.',
  },
  trial: {
    open: 'Try it',
    of: (tool: string) => `Try ${tool}`,
    accountTools: 'Try the tools of the account',
    explain:
      'Sends the request from this server, once, as a call would with these values. Your server may act on it.',
    arguments: 'Arguments',
    argumentsHint: 'As the model would give them, a JSON object.',
    variables: 'Variables of the call',
    variablesHint: 'Used in the URL, a JSON object.',
    notObject: 'Enter a JSON object, such as { "day": "monday" }.',
    send: 'Send request',
    answered: (status: number, duration: string) => `Answered ${status} in ${duration}`,
    noAnswer: (duration: string) => `No answer after ${duration}`,
    headers: (names: string) => `Headers: ${names}`,
    request: 'Request',
    answer: 'Answer',
  },
  rows: {
    headerName: (row: number) => `Name of header ${row}`,
    headerValue: (row: number) => `Value of header ${row}`,
    personName: (row: number) => `Name of person ${row}`,
    personNumber: (row: number) => `Number of person ${row}`,
    headers: {
      add: 'Add header',
      remove: (row: number) => `Remove header ${row}`,
    },
    people: {
      add: 'Add person',
      remove: (row: number) => `Remove person ${row}`,
    },
    headerExample: 'Authorization',
    kept: 'Stored',
    value: 'Value',
    personExample: 'Reception',
  },
  remove: {
    label: (tool: string) => `Remove ${tool}`,
    question: (tool: string) => `Remove ${tool}?`,
    action: 'Remove',
    keep: 'Keep tool',
    text: 'Calls in progress keep using this tool. To bring it back with its stored headers, restore an earlier version of the assistant.',
  },
  list: {
    editLabel: (tool: string) => `Edit ${tool}`,
    mcp: (tools: string, url: string) => `${tools} from ${url}`,
    title: 'Tools',
    columns: {
      tool: 'Tool',
      does: 'Description',
    },
    add: 'Add tool',
    new: 'New tool',
    edit: 'Edit',
    type: 'Tool type',
    empty:
      'This assistant can talk and hang up. Add tools to let it call your server, transfer the caller or collect keypad input.',
  },
  fields: {
    name: {
      label: 'Name',
      hint: 'The name the model uses: letters, digits and single underscores.',
      mcpHint: 'Prefix for the names of its tools: letters, digits and single underscores.',
    },
    description: {
      label: 'Description',
      hint: 'When to use the tool. The model reads this description.',
    },
    headers: {
      label: 'Headers',
      hint: 'Values are stored encrypted and never shown again. Leave a value empty to keep the current one.',
    },
    terminator: {
      label: 'End key',
      none: 'None: ends after the maximum number of keys or a pause',
    },
    url: {
      label: 'URL',
      hint: 'Can contain call variables, but not in the host: https://example.com/orders/{{order}}',
      mcpHint: 'Variables are not supported here.',
    },
    method: 'Method',
    parameters: {
      label: 'Parameters',
      hint: 'The values that the model fills in, as a JSON schema of type object.',
    },
    timeout: 'Timeout (seconds)',
    destinations: {
      label: 'Destinations',
      hint: 'The model selects a destination by its name.',
    },
    ringTimeout: 'Ring timeout (seconds)',
    announcement: {
      label: 'Announcement to the person',
      hint: 'Read out to the person, who must accept before the caller is connected. Say how to accept. Can contain call variables; the model writes {{summary}}: who is calling and why.',
      initial: 'A call for you. {{summary}} Press 1 to take it, or any other key to decline.',
    },
    acceptKey: 'Key to accept',
    acceptWords: {
      label: 'Words to accept',
      hint: 'One per line, such as yes. They count only after the announcement. Leave empty to accept by key only.',
    },
    declineWords: {
      label: 'Words to decline',
      hint: 'One per line, such as no. Any key except the one to accept declines too.',
    },
    acceptTimeout: 'Time to accept (seconds)',
    holdSound: {
      label: 'Caller hears',
      music: 'Music',
      silence: 'Silence',
    },
    unavailable: {
      label: 'Message if the transfer is not accepted',
      hint: 'Said to the caller before the conversation continues. Leave empty to let the model phrase it.',
    },
    assistant: 'Assistant',
    message: {
      label: 'Message before the transfer',
      hint: 'Leave empty to transfer without a message.',
    },
    prompt: {
      label: 'Prompt',
      hint: 'Leave empty to let the model phrase the question.',
    },
    maxDigits: 'Maximum number of keys',
    keyTimeout: 'Timeout per key (seconds)',
    variable: {
      label: 'Save as variable',
      hint: 'Available in the URLs of other tools. Leave empty to pass the keys to the model only.',
    },
    allowedTools: {
      label: 'Allowed tools',
      hint: 'One per line, with the names that the server uses. The model cannot use any other tools.',
    },
  },
  kinds: {
    httpRequest: {
      label: 'HTTP request',
      hint: 'Sends values from the conversation to your server and returns the response to the model.',
    },
    callTransfer: {
      label: 'Transfer the call',
      hint: 'Transfers the caller to one of these destinations. No other numbers are called.',
    },
    warmCallTransfer: {
      label: 'Ask, then transfer the call',
      hint: 'Calls one of these people, tells them who is calling and why, and connects the caller if they accept. Otherwise the conversation continues.',
    },
    assistantTransfer: {
      label: 'Transfer to another assistant',
      hint: 'Continues the call with another of your assistants.',
    },
    collectKeypad: {
      label: 'Collect keypad input',
      hint: 'Asks the caller to enter digits, such as a customer number, and waits for them.',
    },
    dtmfInput: {
      label: 'Press keys',
      hint: 'Sends DTMF tones, for example to navigate another company’s phone menu.',
    },
    mcp: {
      label: 'MCP server',
      hint: 'Lets the model use tools that your server offers through the Model Context Protocol.',
    },
    endCall: {
      label: 'End the call',
      hint: 'Every assistant can hang up. Describe here when it should.',
    },
  },
};
