/** The texts of the commands about knowledge bases and their documents. */

/** Plain texts, and functions for texts with values. */
export const knowledgebaseTexts = {
  one: 'Knowledge base',
  document: 'Document',
  about: 'documents that assistants use to answer',
  list: 'list all knowledge bases of your account',
  create: 'create a knowledge base; an assistant uses it with its ID as knowledgebase_id',
  update: 'change the name, the description or the embedding model (embedding_model_id) of a knowledge base',
  delete: 'delete a knowledge base that no assistant uses, with its documents',
  documents: 'list the documents of a knowledge base',
  showDocument: 'show the state of a document',
  addDocument: 'add a document: web pages (url), a text (content) or a file in base64 (file)',
  deleteDocument: 'delete a document',
  confirm: (id: number) => `Delete knowledge base ${id}?`,
  confirmDocument: (id: number) => `Delete document ${id}?`,
  none: 'No knowledge bases found.',
  noDocuments: 'No documents found.',
};
