/** A QR code, drawn in the browser: its text may be a secret. */
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import type { ReactNode } from 'react';

/** ISO/IEC 18004 asks for a margin of four modules. */
const MARGIN = 4;

/** Dark on light in both colour schemes, because many cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const code = generate(text);
  const size = code.size + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label={label}
      width={216}
      height={216}
      viewBox={`${-MARGIN} ${-MARGIN} ${size} ${size}`}
      shapeRendering="crispEdges"
      data-testid="qr-code"
    >
      <rect x={-MARGIN} y={-MARGIN} width={size} height={size} fill="white" />
      <path d={toSvgPath(code)} fill="black" />
    </svg>
  );
}
