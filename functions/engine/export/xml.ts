/** Characters that XML 1.0 cannot hold, not even as references. */
const impossible = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** A text for XML, in elements and attributes. What XML 1.0 cannot hold becomes U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(impossible, '\uFFFD').replace(/[&<>"\r]/g, (mark) => references[mark] ?? mark)
}
