/** The texts of knowledge bases and their documents. */

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;

/** Plain texts, and functions for texts with values. */
export const texts = {
  list: {
    title: 'Knowledge',
    subtitle: 'Documents with the facts that assistants need to answer callers.',
    new: 'New knowledge base',
    columns: { name: 'Name', state: 'State', documents: 'Documents', assistants: 'Assistants' },
    empty: {
      title: 'No knowledge bases yet',
      text: 'Create a knowledge base, add documents to it, and then select it on the “Model” tab of an assistant.',
    },
  },
  status: { empty: 'Empty', processing: 'Being read', active: 'Ready', failed: 'A document failed' },
  base: {
    back: 'Knowledge',
    title: (id: number) => `Knowledge base ${id}`,
    facts: (documents: number, assistants: number) =>
      `${counted(documents, 'document', 'documents')}, ${assistants === 0 ? 'not used by an assistant yet' : `used by ${counted(assistants, 'assistant', 'assistants')}`}`,
    rename: 'Settings',
    embedding: {
      processing: (done: number, all: number) =>
        `${done.toLocaleString('en')} of ${counted(all, 'passage is', 'passages are')} embedded`,
      active: (all: number) => `${counted(all, 'passage', 'passages')} embedded`,
      failed: (done: number, all: number) =>
        `Embedding has stopped at ${done.toLocaleString('en')} of ${counted(all, 'passage', 'passages')} and is tried again later`,
      cost: (tokens: number, cost: string | null) =>
        `${counted(tokens, 'token', 'tokens')}${cost === null ? ', cost unknown' : `, cost ${cost}`}`,
    },
  },
  baseForm: {
    name: 'Name',
    description: { label: 'Description', hint: 'Optional. For the people who manage the documents.' },
    embedding: {
      label: 'Find passages by meaning',
      hint: 'The provider embeds every passage, and every question during a call. Passages are then also found when they use other words.',
      none: 'No, by their words only',
      gone: 'A model that was removed',
    },
    create: 'Create knowledge base',
    save: 'Save',
  },
  removeBase: {
    action: 'Delete',
    question: (name: string) => `Delete ${name}?`,
    keep: 'Keep',
    text: 'Its documents are deleted too. A knowledge base that an assistant uses cannot be deleted.',
  },
  documents: {
    title: 'Documents',
    add: 'Add document',
    columns: { name: 'Name', state: 'State', passages: 'Passages' },
    characters: (count: number) => counted(count, 'character', 'characters'),
    status: { processing: 'Being read', active: 'Ready', failed: 'Failed' },
    empty: {
      title: 'No documents yet',
      text: 'Add a text, a file or the pages of a website. Assistants use a document as soon as its state is “Ready”.',
    },
  },
  removeDocument: {
    action: 'Delete',
    label: (name: string) => `Delete ${name}`,
    question: (name: string) => `Delete ${name}?`,
    keep: 'Keep',
    text: 'Assistants stop using this document at once.',
  },
  form: {
    source: 'Source',
    sources: { text: 'Text', file: 'File', website: 'Website' },
    name: 'Name',
    nameMissing: 'Enter a name',
    text: { label: 'Text', missing: 'Enter the text' },
    file: {
      label: 'File',
      hint: 'PDF, Word, text, Markdown or HTML, at most 20 MiB.',
      missing: 'Select a file',
      unknown: 'Select a file with the ending .pdf, .docx, .txt, .md or .html',
      tooLarge: 'The file is larger than 20 MiB',
    },
    url: { label: 'Address', hint: 'A web page that everyone can open.', missing: 'Enter an address' },
    pages: { label: 'Pages', hint: 'Optional. The most pages to read when links on the page are followed.' },
    action: 'Add document',
  },
};
