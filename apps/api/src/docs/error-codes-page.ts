/** The page `/docs/errors`, to which the header `Link` of every error points. It needs neither script nor style. */
import { errorCodes } from '@parley/contracts';

const sections = Object.entries(errorCodes).map(
  ([code, { status, text }]) =>
    `<h2 id="${code}"><code>${code}</code></h2>\n<p>Status ${status}. ${withCode(text)}</p>`,
);

/** HTML. */
export const errorCodesPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Parley API: error codes</title>
</head>
<body>
<h1>Error codes</h1>
<p>Every error has one of these codes in the header <code>X-Error-Code</code>. <a href="../docs">API reference</a></p>
${sections.join('\n')}
</body>
</html>
`;

/** Text between backquotes becomes `<code>`. */
function withCode(text: string): string {
  return text.replace(/`([^`]+)`/g, '<code>$1</code>');
}
