/** The texts of an assistant's page and its form. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  directions: {
    inbound: 'Inbound',
    outbound: 'Outbound',
  },
  hints: {
    scriptedModel:
      'No language model: follows a script and understands keypad input. It understands English speech; for other languages, add a provider for transcription.',
    script:
      'The line #script, then states. A state has a [name], a line "say" with what the assistant says, and lines such as "on yes, key 1 -> booked" with an answer and the state that it leads to.',
    instructions: 'Describe its role, its goal and what it must not do.',
  },
  page: {
    title: (id: number) => `Assistant #${id}`,
    subtitle: (direction: string, id: number) => `${direction} calls · #${id}`,
    back: 'Assistants',
    calls: 'View calls',
    talk: 'Talk',
    history: 'History',
    created: 'Created',
    updated: 'Updated',
    conversations: 'Written conversations',
    viewConversations: 'View all',
  },
  actions: {
    copy: 'Duplicate',
    copyLabel: (assistant: string) => `Duplicate ${assistant}`,
    copyName: (assistant: string) => `Copy of ${assistant}`,
    remove: 'Delete',
    removeLabel: (assistant: string) => `Delete ${assistant}`,
    removed: (assistant: string) =>
      `${assistant} is being deleted. Its campaigns stop, and its number becomes free.`,
  },
  inactive: 'Inactive',
  draftTalk: {
    title: 'Talk',
    close: 'Close',
    draft: 'Talking to the draft',
    changed: 'The form has changed since this call began',
    variables: 'Variables of this call',
    faults: 'The draft has errors. Correct the marked fields, then start again.',
  },
  create: {
    title: 'New assistant',
    back: 'Assistants',
    subtitle: 'All settings can be changed later. Tools are added once the assistant exists.',
    cancel: 'Cancel',
  },
};
