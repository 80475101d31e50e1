/** The texts of listening in to a call, whispering, taking over and transferring. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  title: 'Live',
  customer: 'Customer',
  listen: 'Listen in',
  stop: 'Stop listening',
  takeOver: 'Take over',
  giveBack: 'Give back to the assistant',
  turns: 'Live transcript',
  mute: 'Mute',
  unmute: 'Unmute',
  states: {
    idle: 'Listen in to hear the call and to read along. It is noted in the audit log.',
    connecting: 'Connecting …',
    announcing: 'The assistant is telling the customer that you listen in. You hear the call after that.',
    listening: 'You hear the customer and the assistant. They do not hear you.',
    talking: 'You are talking to the customer. The assistant is silent.',
  },
  leave: 'You are talking to the customer. If you leave this page, the assistant takes the call back. Leave?',
  whisper: {
    label: 'Whisper to the assistant',
    hint: 'The customer does not hear it. The assistant follows it from its next reply on.',
    send: 'Whisper',
    sent: 'The assistant received the instruction.',
  },
  transfer: {
    label: 'Transfer to',
    action: 'Transfer',
    question: (destination: string) => `Transfer the customer to ${destination}?`,
    text: 'The assistant leaves the call when the destination answers. If it does not answer, the call continues.',
    keep: 'Cancel',
  },
  problems: {
    lost: 'The connection to the call was lost.',
    refused: 'The call is no longer open to you. It may be ending, or another person may have taken it over.',
  },
};
