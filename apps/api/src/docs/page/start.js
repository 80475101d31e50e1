// Starts the reference page: Swagger UI on our own document, with everything that would ask another host switched off.
const { SwaggerUIBundle } = globalThis;

const document_ = await (await fetch('openapi.json')).json();
// Requests go to where this page came from, whatever address the installation has elsewhere: nothing else is allowed.
document_.servers = [{ url: new URL('.', location.href).href.replace(/\/$/, '') }];

SwaggerUIBundle({
  dom_id: '#reference',
  spec: document_,
  // Its default is a public service that would be sent our address.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
});
